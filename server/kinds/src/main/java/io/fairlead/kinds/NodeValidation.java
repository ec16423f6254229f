package io.fairlead.kinds;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Json;
import io.fairlead.api.NameValidation;
import io.fairlead.api.Problem;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The rules for the spec of a Node.
public final class NodeValidation {
    private static final List<String> EFFECTS = List.of("NoExecute", "NoSchedule", "PreferNoSchedule");

    private NodeValidation() {}

    public static List<Problem> check(JsonNode node) {
        FieldValidation root = FieldValidation.of(node);
        FieldValidation spec = root.object("spec");
        spec.flag("unschedulable", false);
        spec.text("providerID");
        checkBlocks(spec, Json.at(node, "spec", "podCIDRs"));
        checkTaints(spec);
        return root.problems();
    }

    private static void checkBlocks(FieldValidation spec, JsonNode list) {
        String first = spec.text("podCIDR");
        List<FieldValidation> all = spec.texts("podCIDRs");
        all.forEach(item -> item.check(AddressValidation.cidr(item.text())));
        if (!first.isEmpty()) {
            spec.check("podCIDR", first, AddressValidation.cidr(first));
        }
        if (!all.isEmpty() && !all.getFirst().text().equals(first)) {
            spec.invalid("podCIDRs", list, "the first entry must be the same as `podCIDR`");
        }
        List<Family> families = all.stream()
                .flatMap(item -> Cidr.find(item.text()).stream())
                .map(Cidr::family)
                .toList();
        if (families.size() > families.stream().distinct().count()) {
            spec.invalid("podCIDRs", list, "may specify no more than one CIDR for each IP family");
        }
    }

    private static void checkTaints(FieldValidation spec) {
        Set<String> seen = new HashSet<>();
        for (FieldValidation taint : spec.objects("taints")) {
            String key = taint.text("key");
            taint.check("key", key, NameValidation.qualifiedName(key));
            String value = taint.text("value");
            taint.check("value", value, NameValidation.labelValue(value));
            String effect = taint.choice("effect", EFFECTS);
            if (effect.isEmpty()) {
                taint.required("effect", "");
            } else if (!seen.add(key + ":" + effect)) {
                taint.duplicate("effect", key + ":" + effect);
            }
        }
    }

    /// The pods of a node have its addresses, so the blocks stay once they are given.
    public static List<Problem> checkUpdate(JsonNode old, JsonNode node) {
        FieldValidation root = FieldValidation.of(node);
        FieldValidation spec = root.object("spec");
        JsonNode blocks = Json.at(old, "spec", "podCIDRs");
        String first = Json.text(old, "spec", "podCIDR");
        boolean sameFirst = first.isEmpty() || first.equals(Json.text(node, "spec", "podCIDR"));
        if (!sameFirst || (!blocks.isEmpty() && !blocks.equals(Json.at(node, "spec", "podCIDRs")))) {
            spec.forbidden("podCIDRs", "node updates may not change podCIDR except from \"\" to valid");
        }
        String provider = Json.text(old, "spec", "providerID");
        if (!provider.isEmpty() && !provider.equals(Json.text(node, "spec", "providerID"))) {
            spec.forbidden("providerID", "node updates may not change providerID except from \"\" to valid");
        }
        return root.problems();
    }
}
