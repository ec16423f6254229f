package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.LabelSelector;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// What tables show of the kinds that keep pods.
final class WorkloadColumns {
    private static final Column CONTAINERS =
            Column.text("Containers", workload -> containers(workload, "name")).wide();
    private static final Column IMAGES =
            Column.text("Images", workload -> containers(workload, "image")).wide();
    private static final Column SELECTOR =
            Column.text("Selector", WorkloadColumns::selector).wide();
    private static final Column READY = Column.text("Ready", WorkloadColumns::ready);

    private WorkloadColumns() {}

    static List<Column> deployment() {
        return List.of(
                Column.NAME,
                READY,
                Column.number("Up-to-date", "status", "updatedReplicas"),
                Column.number("Available", "status", "availableReplicas"),
                Column.AGE,
                CONTAINERS,
                IMAGES,
                SELECTOR);
    }

    static List<Column> replicaSet() {
        return List.of(
                Column.NAME,
                Column.number("Desired", "spec", "replicas"),
                Column.number("Current", "status", "replicas"),
                Column.number("Ready", "status", "readyReplicas"),
                Column.AGE,
                CONTAINERS,
                IMAGES,
                SELECTOR);
    }

    static List<Column> statefulSet() {
        return List.of(Column.NAME, READY, Column.AGE, CONTAINERS, IMAGES);
    }

    static List<Column> daemonSet() {
        return List.of(
                Column.NAME,
                Column.number("Desired", "status", "desiredNumberScheduled"),
                Column.number("Current", "status", "currentNumberScheduled"),
                Column.number("Ready", "status", "numberReady"),
                Column.number("Up-to-date", "status", "updatedNumberScheduled"),
                Column.number("Available", "status", "numberAvailable"),
                Column.text("Node Selector", WorkloadColumns::nodeSelector),
                Column.AGE,
                CONTAINERS,
                IMAGES,
                SELECTOR);
    }

    private static String ready(JsonNode workload) {
        return Json.number(workload, 0, "status", "readyReplicas") + "/" + Json.number(workload, 1, "spec", "replicas");
    }

    private static String selector(JsonNode workload) {
        boolean plain = Json.text(workload, "kind").equals("ReplicationController");
        return plain
                ? LabelSelector.of(Json.map(workload, "spec", "selector")).toString()
                : LabelSelector.of(Json.at(workload, "spec", "selector")).toString();
    }

    private static String nodeSelector(JsonNode workload) {
        return LabelSelector.of(Json.map(workload, "spec", "template", "spec", "nodeSelector"))
                .toString();
    }

    private static String containers(JsonNode workload, String field) {
        Function<JsonNode, String> text = container -> Json.text(container, field);
        return String.join(",", Json.list(workload, text, "spec", "template", "spec", "containers"));
    }
}
