package io.fairlead.admission;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Quantity;
import io.fairlead.kinds.Amounts;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// What one object takes of a quota, by the names that quotas have for resources. Pure.
final class QuotaUse {
    private static final Quantity ONE = new Quantity(BigDecimal.ONE);
    private static final Set<String> PLAIN_COUNTS = Set.of(
            "pods",
            "services",
            "replicationcontrollers",
            "resourcequotas",
            "secrets",
            "configmaps",
            "persistentvolumeclaims");
    private static final String CLASS_SUFFIX = ".storageclass.storage.k8s.io/";

    private QuotaUse() {}

    static Map<String, Quantity> of(Kind kind, JsonNode object) {
        Map<String, Quantity> use = new HashMap<>();
        use.put("count/" + kind.qualified(), ONE);
        boolean over =
                kind.equals(Kind.POD) && List.of("Succeeded", "Failed").contains(Json.text(object, "status", "phase"));
        if (over) {
            return use; // it stands there, but takes nothing any more
        }
        if (kind.group().isEmpty() && PLAIN_COUNTS.contains(kind.plural())) {
            use.put(kind.plural(), ONE);
        }
        switch (kind.name()) {
            case "Pod" -> putPod(use, object);
            case "Service" -> putService(use, object);
            case "PersistentVolumeClaim" -> putClaim(use, object);
            default -> {} // it only counts
        }
        return use;
    }

    private static void putPod(Map<String, Quantity> use, JsonNode pod) {
        PodAmounts.of(pod, "requests").forEach((name, amount) -> {
            use.put("requests." + name, amount);
            use.put(name, amount);
        });
        PodAmounts.of(pod, "limits").forEach((name, amount) -> use.put("limits." + name, amount));
    }

    private static void putService(Map<String, Quantity> use, JsonNode service) {
        String type = Json.text(service, "spec", "type");
        int ports = Json.at(service, "spec", "ports").size();
        if (type.equals("LoadBalancer")) {
            use.put("services.loadbalancers", ONE);
        }
        boolean nodePorts = type.equals("NodePort")
                || (type.equals("LoadBalancer") && Json.flag(service, true, "spec", "allocateLoadBalancerNodePorts"));
        if (nodePorts) {
            use.put("services.nodeports", new Quantity(BigDecimal.valueOf(ports)));
        }
    }

    private static void putClaim(Map<String, Quantity> use, JsonNode claim) {
        Quantity storage = Amounts.at(claim, "spec", "resources", "requests").getOrDefault("storage", Quantity.NONE);
        use.put("requests.storage", storage);
        String storageClass = Json.text(claim, "spec", "storageClassName");
        if (!storageClass.isEmpty()) {
            use.put(storageClass + CLASS_SUFFIX + "requests.storage", storage);
            use.put(storageClass + CLASS_SUFFIX + "persistentvolumeclaims", ONE);
        }
    }

    /// True if the quota is about the object: by its scopes.
    static boolean counts(JsonNode quota, Kind kind, JsonNode object) {
        boolean plain = Json.texts(quota, "spec", "scopes").stream().allMatch(scope -> isIn(scope, kind, object));
        return plain
                && Json.at(quota, "spec", "scopeSelector", "matchExpressions")
                        .valueStream()
                        .allMatch(wanted -> matches(wanted, kind, object));
    }

    private static boolean isIn(String scope, Kind kind, JsonNode object) {
        if (!kind.equals(Kind.POD)) {
            return false;
        }
        return switch (scope) {
            case "Terminating" -> Json.at(object, "spec").has("activeDeadlineSeconds");
            case "NotTerminating" -> !Json.at(object, "spec").has("activeDeadlineSeconds");
            case "BestEffort" -> isBestEffort(object);
            case "NotBestEffort" -> !isBestEffort(object);
            case "PriorityClass" ->
                !Json.text(object, "spec", "priorityClassName").isEmpty();
            default -> false;
        };
    }

    private static boolean isBestEffort(JsonNode pod) {
        Map<String, Quantity> all = new HashMap<>(PodAmounts.of(pod, "requests"));
        all.putAll(PodAmounts.of(pod, "limits"));
        return !all.containsKey("cpu") && !all.containsKey("memory");
    }

    private static boolean matches(JsonNode wanted, Kind kind, JsonNode object) {
        String scope = Json.text(wanted, "scopeName");
        String name = Json.text(object, "spec", "priorityClassName");
        List<String> values = Json.texts(wanted, "values");
        return switch (Json.text(wanted, "operator")) {
            case "In" -> scope.equals("PriorityClass") && kind.equals(Kind.POD) && values.contains(name);
            case "NotIn" -> scope.equals("PriorityClass") && kind.equals(Kind.POD) && !values.contains(name);
            case "DoesNotExist" -> !isIn(scope, kind, object);
            default -> isIn(scope, kind, object);
        };
    }
}
