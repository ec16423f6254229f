package io.fairlead.kubectl;

import io.fairlead.api.Json;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// A Deployment, with its ReplicaSets: pure.
final class DeploymentDescriber {
    private static final String REVISION = "deployment.kubernetes.io/revision";

    private DeploymentDescriber() {}

    static void describe(JsonNode deployment, List<JsonNode> replicaSets, Description to) {
        JsonNode spec = deployment.path("spec");
        JsonNode status = deployment.path("status");
        to.line("Name:\t%s".formatted(Json.text(deployment, "metadata", "name")));
        to.line("Namespace:\t%s".formatted(Json.text(deployment, "metadata", "namespace")));
        to.line("CreationTimestamp:\t%s"
                .formatted(Description.date(Json.text(deployment, "metadata", "creationTimestamp"))));
        to.labels("Labels", Json.map(deployment, "metadata", "labels"));
        to.annotations("Annotations", Json.map(deployment, "metadata", "annotations"));
        to.line("Selector:\t%s".formatted(Description.joined(Json.map(spec, "selector", "matchLabels"))));
        to.line("Replicas:\t%d desired | %d updated | %d total | %d available | %d unavailable"
                .formatted(
                        Json.number(spec, 1, "replicas"),
                        Json.number(status, 0, "updatedReplicas"),
                        Json.number(status, 0, "replicas"),
                        Json.number(status, 0, "availableReplicas"),
                        Json.number(status, 0, "unavailableReplicas")));
        to.line("StrategyType:\t%s".formatted(Json.text(spec, "strategy", "type")));
        to.line("MinReadySeconds:\t%d".formatted(Json.number(spec, 0, "minReadySeconds")));
        JsonNode rolling = spec.path("strategy").path("rollingUpdate");
        if (rolling.isObject()) {
            to.line("RollingUpdateStrategy:\t%s max unavailable, %s max surge"
                    .formatted(
                            rolling.path("maxUnavailable").asString(""),
                            rolling.path("maxSurge").asString("")));
        }
        PodDescriber.template(spec.path("template"), to);
        if (!status.path("conditions").isEmpty()) {
            to.line("Conditions:\n  Type\tStatus\tReason\n  ----\t------\t------");
            status.path("conditions")
                    .forEach(one -> to.line("  %s \t%s\t%s"
                            .formatted(Json.text(one, "type"), Json.text(one, "status"), Json.text(one, "reason"))));
        }
        String current = Json.text(deployment, "metadata", "annotations", REVISION);
        Predicate<JsonNode> isNew =
                set -> Json.text(set, "metadata", "annotations", REVISION).equals(current);
        if (!replicaSets.isEmpty()) {
            to.line("OldReplicaSets:\t" + sets(replicaSets, isNew.negate()));
            to.line("NewReplicaSet:\t" + sets(replicaSets, isNew));
        }
    }

    private static String sets(List<JsonNode> replicaSets, Predicate<JsonNode> wanted) {
        String text = replicaSets.stream()
                .filter(wanted)
                .map(set -> "%s (%d/%d replicas created)"
                        .formatted(
                                Json.text(set, "metadata", "name"),
                                Json.number(set, 0, "status", "replicas"),
                                Json.number(set, 0, "spec", "replicas")))
                .collect(Collectors.joining(", "));
        return text.isEmpty() ? Description.NONE : text;
    }
}
