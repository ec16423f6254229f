package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What may change about a Pod: hardly anything, for its containers run already.
final class PodChangeValidation {
    private static final String RULE = "pod updates may not change fields other than `spec.containers[*].image`,"
            + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to"
            + " existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was"
            + " previously negative)";

    private PodChangeValidation() {}

    static List<Problem> check(JsonNode old, JsonNode spec) {
        String node = Json.text(old, "nodeName");
        if (!node.isEmpty() && !node.equals(Json.text(spec, "nodeName"))) {
            return List.of(Problem.invalid(
                    "spec.nodeName", Json.text(spec, "nodeName"), "may not change once the pod is bound to a node"));
        }
        boolean same = fixed(old).equals(fixed(spec)) && keepsTolerations(old, spec);
        return same ? List.of() : List.of(Problem.forbidden("spec", RULE));
    }

    /// All of a spec but what may change.
    private static ObjectNode fixed(JsonNode spec) {
        ObjectNode fixed = spec instanceof ObjectNode object ? object.deepCopy() : Json.object();
        fixed.remove(List.of("nodeName", "activeDeadlineSeconds", "tolerations", "schedulingGates"));
        for (String field : List.of("containers", "initContainers")) {
            for (JsonNode container : fixed.path(field)) {
                if (container instanceof ObjectNode object) {
                    object.remove("image");
                }
            }
        }
        return fixed;
    }

    private static boolean keepsTolerations(JsonNode old, JsonNode spec) {
        List<JsonNode> now = spec.path("tolerations").valueStream().toList();
        return old.path("tolerations").valueStream().allMatch(now::contains);
    }
}
