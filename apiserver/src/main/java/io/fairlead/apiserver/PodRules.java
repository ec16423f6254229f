package io.fairlead.apiserver;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.PodValidation;
import io.fairlead.api.Problem;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The row of Pod.
record PodRules() implements KindRules {
    private static final int GRACE_SECONDS = 30;

    @Override
    public Kind kind() {
        return Kind.POD;
    }

    @Override
    public void prepareCreate(ObjectNode pod) {
        Tree.object(pod, "status").put("phase", "Pending");
    }

    @Override
    public void fillDefaults(ObjectNode pod) {
        fillSpec(Tree.object(pod, "spec"));
    }

    /// The defaults of a pod's spec, alone or in a template.
    static void fillSpec(ObjectNode spec) {
        Tree.putIfAbsent(spec, "restartPolicy", "Always");
        Tree.putIfAbsent(spec, "dnsPolicy", "ClusterFirst");
        Tree.putIfAbsent(spec, "terminationGracePeriodSeconds", GRACE_SECONDS);
        for (String field : List.of("containers", "initContainers")) {
            for (ObjectNode container : Tree.objects(spec, field)) {
                Tree.objects(container, "ports").forEach(port -> Tree.putIfAbsent(port, "protocol", "TCP"));
            }
        }
    }

    @Override
    public List<Problem> check(JsonNode pod) {
        return PodValidation.check(pod);
    }

    @Override
    public List<Problem> checkUpdate(JsonNode old, JsonNode pod) {
        return PodValidation.checkUpdate(old, pod);
    }

    /// A pod that runs on a node goes when the node has stopped it, and says so by a delete with a grace of 0.
    @Override
    public int graceSeconds(JsonNode pod, int asked) {
        String phase = Json.text(pod, "status", "phase");
        boolean runs =
                !Json.text(pod, "spec", "nodeName").isEmpty() && !phase.equals("Succeeded") && !phase.equals("Failed");
        int usual = Json.number(pod, GRACE_SECONDS, "spec", "terminationGracePeriodSeconds");
        return runs ? (asked < 0 ? usual : asked) : 0;
    }

    /// The pod as it is once it has its node.
    static ObjectNode bound(ApiObject pod, String node) {
        String other = Json.text(pod.tree(), "spec", "nodeName");
        if (!other.isEmpty()) {
            throw ApiException.conflict(
                    pod.kind(),
                    pod.key().name(),
                    "pod %s is already assigned to node \"%s\""
                            .formatted(pod.key().name(), other));
        }
        ObjectNode next = pod.copy();
        Tree.object(next, "spec").put("nodeName", node);
        ObjectNode status = Tree.object(next, "status");
        ArrayNode conditions =
                status.path("conditions") instanceof ArrayNode array ? array : status.putArray("conditions");
        conditions.addObject().put("type", "PodScheduled").put("status", "True");
        return next;
    }

    @Override
    public Set<String> subresources() {
        return Set.of("status", "binding", "eviction");
    }

    @Override
    public List<String> categories() {
        return List.of("all");
    }

    @Override
    public boolean answersDeletedObject() {
        return true;
    }

    @Override
    public Map<String, Function<JsonNode, String>> fields() {
        return Map.of(
                "metadata.name", KindRules.field("metadata", "name"),
                "metadata.namespace", KindRules.field("metadata", "namespace"),
                "spec.nodeName", KindRules.field("spec", "nodeName"),
                "status.phase", KindRules.field("status", "phase"),
                "status.podIP", KindRules.field("status", "podIP"));
    }

    @Override
    public List<Column> columns() {
        return List.of(
                Column.NAME,
                Column.text("Ready", PodRules::ready),
                Column.text("Status", PodRules::status),
                Column.text("Restarts", PodRules::restarts),
                Column.AGE,
                Column.text("IP", KindRules.field("status", "podIP")).wide(),
                Column.text("Node", KindRules.field("spec", "nodeName")).wide(),
                Column.text("Nominated Node", KindRules.field("status", "nominatedNodeName"))
                        .wide(),
                Column.text("Readiness Gates", pod -> "").wide());
    }

    private static String ready(JsonNode pod) {
        long ready = pod.path("status")
                .path("containerStatuses")
                .valueStream()
                .filter(status -> Json.flag(status, false, "ready"))
                .count();
        return ready + "/" + pod.path("spec").path("containers").size();
    }

    private static String status(JsonNode pod) {
        if (pod.path("metadata").has("deletionTimestamp")) {
            return "Terminating";
        }
        String reason = Json.text(pod, "status", "reason");
        return reason.isEmpty() ? Json.text(pod, "status", "phase") : reason;
    }

    private static String restarts(JsonNode pod) {
        return Integer.toString(pod.path("status")
                .path("containerStatuses")
                .valueStream()
                .mapToInt(status -> Json.number(status, 0, "restartCount"))
                .sum());
    }
}
