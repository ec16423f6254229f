package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The row of Pod.
public record PodRules() implements KindRules {
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
        PodDefaults.fillSpec(Tree.object(pod, "spec"));
        PodDefaults.fillPod(Tree.object(pod, "spec"));
    }

    /// A pod is counted from the start: a client that reads its status can tell for which of its specs it is.
    @Override
    public boolean hasGeneration() {
        return true;
    }

    @Override
    public List<Problem> check(JsonNode pod) {
        List<Problem> problems = new ArrayList<>(PodValidation.check(pod));
        problems.addAll(EphemeralContainerValidation.checkNew(pod));
        return problems;
    }

    @Override
    public List<Problem> checkChange(JsonNode old, JsonNode pod) {
        List<Problem> problems = new ArrayList<>(PodValidation.check(pod));
        problems.addAll(checkUpdate(old, pod));
        return problems;
    }

    @Override
    public List<Problem> checkUpdate(JsonNode old, JsonNode pod) {
        // One that was stored before there was a default has it all the same.
        ObjectNode before = (ObjectNode) old.deepCopy();
        fillDefaults(before);
        return PodValidation.checkUpdate(before, pod);
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

    /// The pod with those containers that `wanted` adds to look into it, and nothing else of it.
    public static ObjectNode withEphemeralContainersOf(JsonNode pod, JsonNode wanted) {
        ObjectNode next = (ObjectNode) pod.deepCopy();
        JsonNode containers = Json.at(wanted, "spec", "ephemeralContainers");
        Tree.set(Tree.object(next, "spec"), "ephemeralContainers", containers);
        return next;
    }

    /// The pod as it is once it has its node.
    public static ObjectNode bound(JsonNode pod, String node) {
        ObjectNode next = (ObjectNode) pod.deepCopy();
        Tree.object(next, "spec").put("nodeName", node);
        ObjectNode status = Tree.object(next, "status");
        List<JsonNode> others = status.path("conditions")
                .valueStream()
                .filter(condition -> !Json.text(condition, "type").equals("PodScheduled"))
                .toList();
        ArrayNode conditions = status.putArray("conditions").addAll(others);
        conditions.addObject().put("type", "PodScheduled").put("status", "True");
        return next;
    }

    @Override
    public Set<String> subresources() {
        return Set.of(
                "status",
                "binding",
                "eviction",
                "ephemeralcontainers",
                "log",
                "exec",
                "attach",
                "portforward",
                "proxy");
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
        return KindRules.fieldsAt(
                "spec.nodeName",
                "spec.restartPolicy",
                "spec.schedulerName",
                "spec.serviceAccountName",
                "status.phase",
                "status.podIP",
                "status.nominatedNodeName");
    }

    @Override
    public List<Column> columns() {
        return PodColumns.all();
    }
}
