package io.fairlead.controllers;

import io.fairlead.api.Deployment;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The ReplicaSet that a Deployment wants for its template: named, labelled and selected by the template's hash.
final class ReplicaSetTree {
    private ReplicaSetTree() {}

    static ObjectNode of(Deployment deployment, int replicas) {
        String hash = TemplateHash.of(deployment.template());
        ObjectNode set =
                Json.object().put("apiVersion", Kind.REPLICA_SET.apiVersion()).put("kind", Kind.REPLICA_SET.name());
        ObjectNode metadata = set.putObject("metadata");
        metadata.put("name", deployment.key().name() + "-" + hash);
        metadata.put("namespace", deployment.key().namespace());
        metadata.set("labels", labels(deployment.template().path("metadata").path("labels"), hash));
        metadata.putArray("ownerReferences").add(Owners.reference(deployment));
        ObjectNode spec = set.putObject("spec").put("replicas", replicas);
        ObjectNode selector = deployment.selector().tree();
        selector.withObjectProperty("matchLabels").put(DeploymentController.HASH_LABEL, hash);
        spec.set("selector", selector);
        spec.set("template", template(deployment, hash));
        return set;
    }

    private static ObjectNode template(Deployment deployment, String hash) {
        ObjectNode template = deployment.template() instanceof ObjectNode given ? given.deepCopy() : Json.object();
        ObjectNode metadata = template.withObject("metadata");
        metadata.set("labels", labels(metadata.path("labels"), hash));
        return template;
    }

    private static ObjectNode labels(JsonNode given, String hash) {
        ObjectNode labels = given instanceof ObjectNode object ? object.deepCopy() : Json.object();
        return labels.put(DeploymentController.HASH_LABEL, hash);
    }
}
