package io.fairlead.kinds;

import io.fairlead.api.Json;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// What tables show of a pod. The status is one word for what people want to know first: not the phase, but what keeps
/// the pod from running, if anything does.
final class PodColumns {
    private PodColumns() {}

    static List<Column> all() {
        return List.of(
                Column.NAME,
                Column.text("Ready", PodColumns::ready),
                Column.text("Status", PodColumns::status),
                new Column("Restarts", "string", 0, PodColumns::restarts),
                Column.AGE,
                Column.text("IP", PodColumns::ip).wide(),
                Column.text("Node", KindRules.field("spec", "nodeName")).wide(),
                Column.text("Nominated Node", KindRules.field("status", "nominatedNodeName"))
                        .wide(),
                Column.text("Readiness Gates", PodColumns::gates).wide());
    }

    private static String ready(JsonNode pod) {
        long ready = lasting(pod)
                .filter(status -> Json.flag(status, false, "ready")
                        && status.path("state").has("running"))
                .count();
        int all = Json.at(pod, "spec", "containers").size() + sidecars(pod).size();
        return ready + "/" + all;
    }

    private static String status(JsonNode pod) {
        String reason = Json.text(pod, "status", "reason");
        if (pod.path("metadata").has("deletionTimestamp")) {
            return reason.equals("NodeLost") ? "Unknown" : "Terminating";
        }
        return initTrouble(pod)
                .or(() -> trouble(pod))
                .orElse(reason.isEmpty() ? Json.text(pod, "status", "phase") : reason);
    }

    /// What keeps the containers waiting that come before the others.
    private static Optional<String> initTrouble(JsonNode pod) {
        List<JsonNode> all = containers(pod, "initContainerStatuses").toList();
        List<String> sidecars = sidecars(pod);
        int count = Json.at(pod, "spec", "initContainers").size();
        for (int i = 0; i < all.size(); i++) {
            JsonNode state = all.get(i).path("state");
            boolean serves =
                    sidecars.contains(Json.text(all.get(i), "name")) && Json.flag(all.get(i), false, "started");
            if (serves || (state.has("terminated") && Json.number(state, 0, "terminated", "exitCode") == 0)) {
                continue;
            }
            Optional<String> why = why(state).filter(word -> !word.equals("PodInitializing"));
            return Optional.of("Init:" + why.orElse(i + "/" + count));
        }
        return Optional.empty();
    }

    /// What keeps a container from running, of the first one that is in trouble.
    private static Optional<String> trouble(JsonNode pod) {
        List<JsonNode> all = containers(pod, "containerStatuses").toList();
        Optional<String> why = all.stream()
                .map(status -> why(status.path("state")))
                .flatMap(Optional::stream)
                .findFirst();
        boolean someRun = all.stream()
                .anyMatch(status -> Json.flag(status, false, "ready")
                        && status.path("state").has("running"));
        if (why.equals(Optional.of("Completed")) && someRun) {
            return Optional.of("Running");
        }
        return why;
    }

    private static Optional<String> why(JsonNode state) {
        String waiting = Json.text(state, "waiting", "reason");
        if (!waiting.isEmpty()) {
            return Optional.of(waiting);
        }
        if (!state.has("terminated")) {
            return Optional.empty();
        }
        String ended = Json.text(state, "terminated", "reason");
        int signal = Json.number(state, 0, "terminated", "signal");
        String how = signal != 0 ? "Signal:" + signal : "ExitCode:" + Json.number(state, 0, "terminated", "exitCode");
        return Optional.of(ended.isEmpty() ? how : ended);
    }

    private static String restarts(JsonNode pod, Instant now) {
        int count = lasting(pod)
                .mapToInt(status -> Json.number(status, 0, "restartCount"))
                .sum();
        Optional<String> last = lasting(pod)
                .map(status -> Json.text(status, "lastState", "terminated", "finishedAt"))
                .filter(time -> !time.isEmpty())
                .max(Comparator.naturalOrder());
        return count > 0 && last.isPresent() ? count + " (" + Column.since(last.get(), now) + " ago)" : "" + count;
    }

    private static String ip(JsonNode pod) {
        return Json.at(pod, "status", "podIPs")
                .valueStream()
                .map(address -> Json.text(address, "ip"))
                .findFirst()
                .orElse(Json.text(pod, "status", "podIP"));
    }

    private static String gates(JsonNode pod) {
        List<String> gates = Json.list(pod, gate -> Json.text(gate, "conditionType"), "spec", "readinessGates");
        long open = Json.at(pod, "status", "conditions")
                .valueStream()
                .filter(condition -> gates.contains(Json.text(condition, "type")))
                .filter(condition -> Json.text(condition, "status").equals("True"))
                .count();
        return gates.isEmpty() ? "" : open + "/" + gates.size();
    }

    /// Those that run as long as the pod does.
    private static Stream<JsonNode> lasting(JsonNode pod) {
        List<String> sidecars = sidecars(pod);
        return Stream.concat(
                containers(pod, "containerStatuses"),
                containers(pod, "initContainerStatuses")
                        .filter(status -> sidecars.contains(Json.text(status, "name"))));
    }

    /// The init containers that go on running beside the others.
    private static List<String> sidecars(JsonNode pod) {
        return Json.at(pod, "spec", "initContainers")
                .valueStream()
                .filter(container -> Json.text(container, "restartPolicy").equals("Always"))
                .map(container -> Json.text(container, "name"))
                .toList();
    }

    private static Stream<JsonNode> containers(JsonNode pod, String field) {
        return Json.at(pod, "status", field).valueStream();
    }
}
