package io.fairlead.agent;

import io.fairlead.api.Json;
import io.fairlead.api.Pod;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The `conditions` in the status of a pod: ours as they are now, and those of others as they were. Pure.
final class PodConditions {
    private static final Set<String> OWN = Set.of("PodScheduled", "Initialized", "ContainersReady", "Ready");

    private PodConditions() {}

    /// One that stays as it is in `old` keeps the time it came.
    static ArrayNode of(PodStatus.View view, JsonNode old, Instant now) {
        ArrayNode conditions = Json.object().putArray("conditions");
        old.valueStream().filter(c -> !OWN.contains(Json.text(c, "type"))).forEach(conditions::add);
        Finding containers = Finding.unless(view.isAllReady(), "ContainersNotReady");
        add(conditions, "PodScheduled", Finding.GOOD, old, now);
        add(conditions, "Initialized", Finding.unless(view.isInitialized(), "ContainersNotInitialized"), old, now);
        add(conditions, "ContainersReady", containers, old, now);
        add(conditions, "Ready", containers.isGood() ? gates(view.pod(), old) : containers, old, now);
        return conditions;
    }

    /// What keeps a condition from being true; no reason where nothing does.
    private record Finding(String reason, String message) {
        static final Finding GOOD = new Finding("", "");

        static Finding unless(boolean good, String reason) {
            return good ? GOOD : new Finding(reason, "");
        }

        boolean isGood() {
            return reason.isEmpty();
        }
    }

    /// In the words of Kubernetes, which people search for.
    private static Finding gates(Pod pod, JsonNode conditions) {
        String closed = pod.spec().readinessGates().stream()
                .flatMap(gate -> closed(gate, conditions).stream())
                .collect(Collectors.joining(", "));
        return closed.isEmpty() ? Finding.GOOD : new Finding("ReadinessGatesNotReady", closed);
    }

    private static Optional<String> closed(String gate, JsonNode conditions) {
        Optional<String> status = conditions
                .valueStream()
                .filter(c -> Json.text(c, "type").equals(gate))
                .map(c -> Json.text(c, "status"))
                .findFirst();
        if (status.isEmpty()) {
            return Optional.of("corresponding condition of pod readiness gate \"%s\" does not exist.".formatted(gate));
        }
        return status.filter(found -> !found.equals("True"))
                .map(found -> "the status of pod readiness gate \"%s\" is not \"True\", but %s".formatted(gate, found));
    }

    private static void add(ArrayNode conditions, String type, Finding finding, JsonNode old, Instant now) {
        String status = finding.isGood() ? "True" : "False";
        String since = old.valueStream()
                .filter(c -> Json.text(c, "type").equals(type)
                        && Json.text(c, "status").equals(status))
                .map(c -> Json.text(c, "lastTransitionTime"))
                .filter(time -> !time.isEmpty())
                .findFirst()
                .orElse(PodStatus.time(now));
        ObjectNode condition =
                conditions.addObject().put("type", type).put("status", status).put("lastTransitionTime", since);
        if (!finding.isGood()) {
            condition.put("reason", finding.reason());
        }
        if (!finding.message().isEmpty()) {
            condition.put("message", finding.message());
        }
    }
}
