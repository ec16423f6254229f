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
    private static final List<String> DAEMON_COUNTS =
            List.of("currentNumberScheduled", "desiredNumberScheduled", "numberMisscheduled", "numberReady");

    static List<KindRules> all() {
        return List.of(
                new WorkloadRules(Kind.DEPLOYMENT, WorkloadColumns.deployment()),
                new WorkloadRules(Kind.REPLICA_SET, WorkloadColumns.replicaSet()),
                new WorkloadRules(Kind.STATEFUL_SET, WorkloadColumns.statefulSet()),
                new WorkloadRules(Kind.DAEMON_SET, WorkloadColumns.daemonSet()),
                new WorkloadRules(Kind.REPLICATION_CONTROLLER, WorkloadColumns.replicaSet()));
    }

    @Override
    public void fillDefaults(ObjectNode workload) {
        ObjectNode spec = Tree.object(workload, "spec");
        if (hasReplicas()) {
            Tree.putIfAbsent(spec, "replicas", 1);
        }
        if (spec.path("template") instanceof ObjectNode template) {
            Tree.object(template, "metadata");
            PodDefaults.fillSpec(Tree.object(template, "spec"));
        }
        switch (kind.name()) {
            case "Deployment" -> fillDeployment(spec);
            case "StatefulSet" -> fillStatefulSet(spec);
            case "DaemonSet" -> fillDaemonSet(spec);
            case "ReplicationController" -> fillController(workload, spec);
            default -> {} // a ReplicaSet says all there is to say
        }
        fillStatus(workload);
    }

    /// The numbers that are shown before anything is counted.
    @Override
    public void fillStatus(ObjectNode workload) {
        ObjectNode status = Tree.object(workload, "status");
        List<String> counts = switch (kind.name()) {
            case "Deployment" -> List.<String>of();
            case "StatefulSet" -> List.of("replicas", "availableReplicas");
            case "DaemonSet" -> DAEMON_COUNTS;
            default -> List.of("replicas");
        };
        counts.forEach(count -> Tree.putIfAbsent(status, count, 0));
    }

    /// Its pods are those with the labels of its template, and it has them itself.
    private static void fillController(ObjectNode controller, ObjectNode spec) {
        if (Json.at(spec, "template", "metadata", "labels") instanceof ObjectNode labels && !labels.isEmpty()) {
            if (spec.path("selector").isEmpty()) {
                spec.set("selector", labels.deepCopy());
            }
            if (Json.at(controller, "metadata", "labels").isEmpty()) {
                Tree.object(controller, "metadata").set("labels", labels.deepCopy());
            }
        }
    }

    @Override
    public boolean hasGeneration() {
        return true;
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
        if (Json.text(strategy, "type").isEmpty()) {
            Tree.putIfAbsent(strategy, "type", "RollingUpdate");
            Tree.object(strategy, "rollingUpdate");
        }
        if (strategy.path("rollingUpdate") instanceof ObjectNode rolling
                && Json.text(strategy, "type").equals("RollingUpdate")) {
            Tree.putIfAbsent(rolling, "partition", 0);
        }
        ObjectNode retention = Tree.object(spec, "persistentVolumeClaimRetentionPolicy");
        Tree.putIfAbsent(retention, "whenDeleted", "Retain");
        Tree.putIfAbsent(retention, "whenScaled", "Retain");
        for (ObjectNode claim : Tree.objects(spec, "volumeClaimTemplates")) {
            Tree.putIfAbsent(claim, "apiVersion", "v1");
            Tree.putIfAbsent(claim, "kind", "PersistentVolumeClaim");
            StorageRules.fillClaim(claim);
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
        // One that was stored before there was a default has it all the same.
        ObjectNode before = (ObjectNode) old.deepCopy();
        fillDefaults(before);
        return WorkloadValidation.checkUpdate(kind, before, workload);
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
