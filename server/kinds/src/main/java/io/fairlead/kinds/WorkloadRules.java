package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The rows of the kinds that keep pods: Deployment, ReplicaSet, StatefulSet and DaemonSet.
record WorkloadRules(Kind kind, List<Column> columns) implements KindRules {
    static List<KindRules> all() {
        return List.of(
                new WorkloadRules(Kind.DEPLOYMENT, WorkloadColumns.deployment()),
                new WorkloadRules(Kind.REPLICA_SET, WorkloadColumns.replicaSet()),
                new WorkloadRules(Kind.STATEFUL_SET, WorkloadColumns.statefulSet()),
                new WorkloadRules(Kind.DAEMON_SET, WorkloadColumns.daemonSet()));
    }

    @Override
    public void fillDefaults(ObjectNode workload) {
        ObjectNode spec = Tree.object(workload, "spec");
        if (hasReplicas()) {
            Tree.putIfAbsent(spec, "replicas", 1);
        }
        if (spec.path("template") instanceof ObjectNode template) {
            PodRules.fillSpec(Tree.object(template, "spec"));
        }
        switch (kind.name()) {
            case "Deployment" -> fillDeployment(spec);
            case "StatefulSet" -> fillStatefulSet(spec);
            case "DaemonSet" -> fillDaemonSet(spec);
            default -> {} // a ReplicaSet says all there is to say
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

    private static void fillStatefulSet(ObjectNode spec) {
        Tree.putIfAbsent(spec, "revisionHistoryLimit", 10);
        Tree.putIfAbsent(spec, "podManagementPolicy", "OrderedReady");
        ObjectNode strategy = Tree.object(spec, "updateStrategy");
        Tree.putIfAbsent(strategy, "type", "RollingUpdate");
        if (Json.text(strategy, "type").equals("RollingUpdate")) {
            Tree.putIfAbsent(Tree.object(strategy, "rollingUpdate"), "partition", 0);
        }
    }

    private static void fillDaemonSet(ObjectNode spec) {
        Tree.putIfAbsent(spec, "revisionHistoryLimit", 10);
        ObjectNode strategy = Tree.object(spec, "updateStrategy");
        Tree.putIfAbsent(strategy, "type", "RollingUpdate");
        if (Json.text(strategy, "type").equals("RollingUpdate")) {
            ObjectNode rolling = Tree.object(strategy, "rollingUpdate");
            Tree.putIfAbsent(rolling, "maxUnavailable", 1);
            Tree.putIfAbsent(rolling, "maxSurge", 0);
        }
    }

    @Override
    public List<Problem> check(JsonNode workload) {
        return WorkloadValidation.check(kind, workload);
    }

    @Override
    public List<Problem> checkUpdate(JsonNode old, JsonNode workload) {
        return WorkloadValidation.checkUpdate(kind, old, workload);
    }

    @Override
    public Set<String> subresources() {
        return hasReplicas() ? Set.of("status", "scale") : Set.of("status");
    }

    /// A DaemonSet keeps as many pods as there are nodes.
    private boolean hasReplicas() {
        return !kind.equals(Kind.DAEMON_SET);
    }

    @Override
    public List<String> categories() {
        return List.of("all");
    }
}
