package io.fairlead.admission;

import io.fairlead.api.Json;
import io.fairlead.api.Quantity;
import io.fairlead.kinds.Amounts;
import io.fairlead.kinds.Tree;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// What the containers of a pod ask for together: those that run side by side, or the largest of those that run before.
final class PodAmounts {
    private PodAmounts() {}

    /// `field` is `requests` or `limits`.
    static Map<String, Quantity> of(JsonNode pod, String field) {
        Map<String, Quantity> beside = new HashMap<>();
        Map<String, Quantity> most = new HashMap<>();
        for (JsonNode container : Tree.objects(pod.path("spec"), "initContainers")) {
            Map<String, Quantity> own = Amounts.at(container, "resources", field);
            if (Json.text(container, "restartPolicy").equals("Always")) {
                own.forEach((name, amount) -> beside.merge(name, amount, Quantity::plus));
                beside.forEach((name, amount) -> most.merge(name, amount, Quantity::max));
            } else {
                own.forEach((name, amount) ->
                        most.merge(name, amount.plus(beside.getOrDefault(name, Quantity.NONE)), Quantity::max));
            }
        }
        for (JsonNode container : Tree.objects(pod.path("spec"), "containers")) {
            Amounts.at(container, "resources", field)
                    .forEach((name, amount) -> beside.merge(name, amount, Quantity::plus));
        }
        beside.forEach((name, amount) -> most.merge(name, amount, Quantity::max));
        return most;
    }
}
