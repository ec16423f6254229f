package io.fairlead.api;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// The rules for the spec of a Node.
public final class NodeValidation {
    private NodeValidation() {}

    public static List<Problem> check(JsonNode node) {
        FieldValidation root = FieldValidation.of(node);
        FieldValidation spec = root.object("spec");
        spec.flag("unschedulable", false);
        String first = spec.text("podCIDR");
        if (!first.isEmpty() && Cidr.find(first).isEmpty()) {
            spec.invalid("podCIDR", first, "must be a CIDR (like 10.244.1.0/24)");
        }
        List<FieldValidation> all = spec.texts("podCIDRs");
        all.stream()
                .filter(item -> Cidr.find(item.text()).isEmpty())
                .forEach(item -> item.invalid("must be a CIDR (like 10.244.1.0/24)"));
        if (!all.isEmpty() && !all.getFirst().text().equals(first)) {
            spec.invalid("podCIDRs", all.getFirst().text(), "the first entry must be the same as `podCIDR`");
        }
        return root.problems();
    }

    /// The pods of a node have its addresses, so the block stays once it is given.
    public static List<Problem> checkUpdate(JsonNode old, JsonNode node) {
        FieldValidation root = FieldValidation.of(node);
        String before = Json.text(old, "spec", "podCIDR");
        String after = Json.text(node, "spec", "podCIDR");
        if (!before.isEmpty() && !before.equals(after)) {
            root.object("spec").invalid("podCIDR", after, "may not change once it is set");
        }
        return root.problems();
    }
}
