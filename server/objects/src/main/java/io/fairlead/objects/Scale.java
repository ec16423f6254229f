package io.fairlead.objects;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.LabelSelector;
import io.fairlead.api.Problem;
import io.fairlead.kinds.Tree;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The `scale` subresource: a workload seen as a number of replicas.
public final class Scale {
    private Scale() {}

    public static final Kind KIND = new Kind("autoscaling", "v1", "Scale", "scales", true, List.of());

    /// What an apply of a scale says about the workload that it belongs to: the number of replicas is its only field.
    public static ObjectNode workload(Kind kind, String name, JsonNode scale) {
        ObjectNode config = Json.object().put("apiVersion", kind.apiVersion()).put("kind", kind.name());
        config.putObject("metadata").put("name", name);
        Tree.set(config.putObject("spec"), "replicas", Json.at(scale, "spec", "replicas"));
        return config;
    }

    public static ObjectNode of(ApiObject workload) {
        JsonNode tree = workload.tree();
        ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = scale.putObject("metadata");
        for (String field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            Tree.set(metadata, field, Json.at(tree, "metadata", field));
        }
        scale.putObject("spec").put("replicas", Json.number(tree, 1, "spec", "replicas"));
        scale.putObject("status")
                .put("replicas", Json.number(tree, 0, "status", "replicas"))
                .put("selector", selector(workload).toString());
        return scale;
    }

    private static LabelSelector selector(ApiObject workload) {
        return workload.kind().equals(Kind.REPLICATION_CONTROLLER)
                ? LabelSelector.of(Json.map(workload.tree(), "spec", "selector"))
                : LabelSelector.of(Json.at(workload.tree(), "spec", "selector"));
    }

    /// The workload with the number of replicas that `scale` asks for; its resourceVersion, if any, must be the same.
    public static ObjectNode apply(ApiObject workload, JsonNode scale) {
        JsonNode replicas = Json.at(scale, "spec", "replicas");
        if (!replicas.isIntegralNumber() || !replicas.canConvertToInt()) {
            throw StatusException.invalid(
                    workload.kind(),
                    workload.key().name(),
                    List.of(Problem.invalid("spec.replicas", replicas, "must be a whole number")));
        }
        ObjectNode next = workload.copy();
        Tree.object(next, "spec").put("replicas", replicas.intValue());
        Tree.set(Tree.object(next, "metadata"), "resourceVersion", Json.at(scale, "metadata", "resourceVersion"));
        return next;
    }
}
