package io.fairlead.agent;

import io.fairlead.agent.PodRecord.Stage;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Pod;
import io.fairlead.containers.ContainerRecord;
import io.fairlead.containers.ContainerRecord.State;
import io.fairlead.containers.PodResources;
import io.fairlead.containers.ProbeResults;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The `status` of a pod, out of what this node knows of it. Pure.
final class PodStatus {
    private PodStatus() {}

    /// What is known: `trouble` is what keeps the pod from starting, or empty.
    /// `images` are the exact names of those that containers have.
    record View(
            Pod pod,
            PodRecord record,
            ProbeResults health,
            String trouble,
            List<Ip> nodeAddresses,
            Map<String, String> images) {
        View {
            nodeAddresses = List.copyOf(nodeAddresses);
            images = Map.copyOf(images);
        }

        View(Pod pod, PodRecord record, ProbeResults health, String trouble, List<Ip> nodeAddresses) {
            this(pod, record, health, trouble, nodeAddresses, Map.of());
        }

        boolean isAllReady() {
            return isInitialized()
                    && pod.spec().lastingContainers().stream()
                            .allMatch(c ->
                                    record.find(c.name()).filter(this::isReady).isPresent());
        }

        boolean isInitialized() {
            return StartPlan.isInitialized(record, pod, health);
        }

        private boolean isReady(ContainerRecord container) {
            return container.isRunning() && health.ready().contains(container.name());
        }
    }

    /// The status as it is now; a condition that stays as it is in `before` keeps the time it came.
    static ObjectNode of(View view, JsonNode before, Instant now) {
        ObjectNode status = Json.object()
                .put("phase", phase(view))
                .put("startTime", time(view.record().startTime()));
        if (view.record().stage() instanceof Stage.Evicted(String reason)) {
            status.put("reason", "Evicted").put("message", reason);
        }
        status.put("qosClass", PodResources.qosClass(view.pod()));
        putAddresses(status, "hostIP", "hostIPs", view.nodeAddresses());
        putAddresses(status, "podIP", "podIPs", view.record().addresses());
        status.set("conditions", PodConditions.of(view, before.path("conditions"), now));
        Pod.Spec spec = view.pod().spec();
        if (!spec.initContainers().isEmpty()) {
            putContainers(status.putArray("initContainerStatuses"), view, spec.initContainers());
        }
        putContainers(status.putArray("containerStatuses"), view, spec.containers());
        if (!spec.ephemeralContainers().isEmpty()) {
            putContainers(status.putArray("ephemeralContainerStatuses"), view, spec.ephemeralContainers());
        }
        return status;
    }

    private static void putContainers(ArrayNode list, View view, List<Pod.Container> containers) {
        containers.forEach(c -> view.record().find(c.name()).ifPresent(known -> list.add(container(view, c, known))));
    }

    /// True if writing `status` over `before` would change something.
    static boolean differs(ObjectNode status, JsonNode before) {
        return status.propertyStream().anyMatch(field -> !field.getValue().equals(before.path(field.getKey())));
    }

    private static String phase(View view) {
        if (view.record().stage() instanceof Stage.Evicted) {
            return "Failed";
        }
        List<ContainerRecord> main = view.pod().spec().containers().stream()
                .flatMap(container -> view.record().find(container.name()).stream())
                .toList();
        boolean ended = main.stream().allMatch(c -> c.now() instanceof State.Exited e && !restarts(view, c, e));
        if (!ended && !StartPlan.isOver(view.record(), view.pod())) {
            boolean begun = main.stream().allMatch(c -> c.isRunning() || c.now() instanceof State.Exited);
            return begun ? "Running" : "Pending";
        }
        boolean good = main.stream().allMatch(c -> c.now() instanceof State.Exited e && e.exitCode() == 0);
        return good ? "Succeeded" : "Failed";
    }

    private static boolean restarts(View view, ContainerRecord container, State.Exited exited) {
        return !view.pod().metadata().isTerminating()
                && !(view.record().stage() instanceof Stage.Evicted)
                && StartPlan.restartTime(container, exited, view.pod()).isPresent();
    }

    private static void putAddresses(ObjectNode status, String one, String all, List<Ip> addresses) {
        if (addresses.isEmpty()) {
            return;
        }
        status.put(one, addresses.getFirst().toString());
        ArrayNode list = status.putArray(all);
        addresses.forEach(ip -> list.addObject().put("ip", ip.toString()));
    }

    private static ObjectNode container(View view, Pod.Container spec, ContainerRecord known) {
        ObjectNode json = Json.object()
                .put("name", spec.name())
                .put("image", spec.image())
                .put("imageID", view.images().getOrDefault(spec.name(), ""))
                .put("ready", view.isReady(known) || isDoneInit(view, known))
                .put("started", known.isRunning() && view.health().started().contains(spec.name()))
                .put("restartCount", known.restarts());
        if (!(known.now() instanceof State.New || known.now() instanceof State.Refused)) {
            json.put(
                    "containerID", "fairlead://%s/%s/%d".formatted(view.record().uid(), spec.name(), known.restarts()));
        }
        boolean waits = known.now() instanceof State.Exited exited && restarts(view, known, exited);
        json.set("state", waits ? backOff(known) : state(known.now(), waitReason(view), view.trouble()));
        json.set("lastState", lastState(waits ? known.now() : known.before()));
        return json;
    }

    private static ObjectNode backOff(ContainerRecord known) {
        return waiting(
                "CrashLoopBackOff",
                "the next start waits up to %d s after the end"
                        .formatted(known.restartDelay().toSeconds()));
    }

    private static ObjectNode lastState(State state) {
        return state instanceof State.Exited exited ? terminated(exited) : Json.object();
    }

    /// As the kubelet says it: of every container of a pod that has init containers.
    private static String waitReason(View view) {
        return view.pod().spec().initContainers().isEmpty() ? "ContainerCreating" : "PodInitializing";
    }

    /// An init container that has done its work counts as ready.
    private static boolean isDoneInit(View view, ContainerRecord known) {
        return known.now() instanceof State.Exited exited
                && exited.exitCode() == 0
                && view.pod().spec().initContainers().stream()
                        .anyMatch(c -> c.name().equals(known.name()));
    }

    private static ObjectNode state(State state, String waitReason, String trouble) {
        return switch (state) {
            case State.New _ -> waiting(waitReason, trouble);
            case State.Refused refused -> waiting(refused.reason(), refused.message());
            case State.Running(var _, Instant startedAt) -> {
                ObjectNode json = Json.object();
                json.putObject("running").put("startedAt", time(startedAt));
                yield json;
            }
            case State.Exited exited -> terminated(exited);
        };
    }

    private static ObjectNode waiting(String reason, String message) {
        ObjectNode json = Json.object();
        ObjectNode waiting = json.putObject("waiting").put("reason", reason);
        if (!message.isEmpty()) {
            waiting.put("message", message);
        }
        return json;
    }

    private static ObjectNode terminated(State.Exited exited) {
        ObjectNode json = Json.object();
        ObjectNode terminated = json.putObject("terminated")
                .put("exitCode", exited.exitCode())
                .put("reason", exited.reason())
                .put("startedAt", time(exited.startedAt()))
                .put("finishedAt", time(exited.finishedAt()));
        if (!exited.message().isEmpty()) {
            terminated.put("message", exited.message());
        }
        return json;
    }

    static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
