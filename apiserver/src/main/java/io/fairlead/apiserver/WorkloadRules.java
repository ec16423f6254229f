package io.fairlead.apiserver;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.LabelSelector;
import io.fairlead.api.Problem;
import io.fairlead.api.WorkloadValidation;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The rows of the kinds that keep a number of pods: Deployment and ReplicaSet.
record WorkloadRules(Kind kind, List<Column> counts) implements KindRules {
    static WorkloadRules deployment() {
        return new WorkloadRules(
                Kind.DEPLOYMENT,
                List.of(
                        Column.text("Ready", WorkloadRules::ready),
                        Column.number("Up-to-date", "status", "updatedReplicas"),
                        Column.number("Available", "status", "availableReplicas")));
    }

    static WorkloadRules replicaSet() {
        return new WorkloadRules(
                Kind.REPLICA_SET,
                List.of(
                        Column.number("Desired", "spec", "replicas"),
                        Column.number("Current", "status", "replicas"),
                        Column.number("Ready", "status", "readyReplicas")));
    }

    @Override
    public void fillDefaults(ObjectNode workload) {
        ObjectNode spec = Tree.object(workload, "spec");
        Tree.putIfAbsent(spec, "replicas", 1);
        if (spec.path("template") instanceof ObjectNode template) {
            PodRules.fillSpec(Tree.object(template, "spec"));
        }
        if (kind.equals(Kind.DEPLOYMENT)) {
            fillDeployment(spec);
        }
    }

    private static void fillDeployment(ObjectNode spec) {
        Tree.putIfAbsent(spec, "revisionHistoryLimit", 10);
        Tree.putIfAbsent(spec, "progressDeadlineSeconds", 600);
        ObjectNode strategy = Tree.object(spec, "strategy");
        Tree.putIfAbsent(strategy, "type", "RollingUpdate");
        if (Json.text(strategy, "type").equals("RollingUpdate")) {
            ObjectNode rolling = Tree.object(strategy, "rollingUpdate");
            Tree.putIfAbsent(rolling, "maxUnavailable", "25%");
            Tree.putIfAbsent(rolling, "maxSurge", "25%");
        }
    }

    @Override
    public List<Problem> check(JsonNode workload) {
        return WorkloadValidation.check(workload);
    }

    @Override
    public List<Problem> checkUpdate(JsonNode old, JsonNode workload) {
        return WorkloadValidation.checkUpdate(old, workload);
    }

    @Override
    public Set<String> subresources() {
        return Set.of("status", "scale");
    }

    @Override
    public List<String> categories() {
        return List.of("all");
    }

    @Override
    public List<Column> columns() {
        return List.of(
                Column.NAME,
                counts.get(0),
                counts.get(1),
                counts.get(2),
                Column.AGE,
                Column.text("Containers", workload -> containers(workload, "name"))
                        .wide(),
                Column.text("Images", workload -> containers(workload, "image")).wide(),
                Column.text(
                                "Selector",
                                workload -> LabelSelector.of(Json.at(workload, "spec", "selector"))
                                        .toString())
                        .wide());
    }

    private static String ready(JsonNode workload) {
        return Json.number(workload, 0, "status", "readyReplicas") + "/" + Json.number(workload, 1, "spec", "replicas");
    }

    private static String containers(JsonNode workload, String field) {
        return String.join(
                ",",
                Json.list(
                        Json.at(workload, "spec", "template", "spec"),
                        container -> Json.text(container, field),
                        "containers"));
    }
}
