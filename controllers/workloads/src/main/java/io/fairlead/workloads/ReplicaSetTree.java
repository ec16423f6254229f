package io.fairlead.workloads;

import io.fairlead.api.Deployment;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ReplicaSet;
import io.fairlead.runner.Owners;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The ReplicaSet that a Deployment wants for its template: named, labelled and selected by the template's hash.
final class ReplicaSetTree {
    static final String HASH_LABEL = "pod-template-hash";
    static final String REVISION = "deployment.kubernetes.io/revision";
    static final String DESIRED = "deployment.kubernetes.io/desired-replicas";
    static final String MAX = "deployment.kubernetes.io/max-replicas";
    private static final String HISTORY = "deployment.kubernetes.io/revision-history";

    /// What is said of the Deployment itself, or of each set, and not handed on.
    private static final Set<String> NOT_COPIED =
            Set.of(REVISION, HISTORY, DESIRED, MAX, "kubectl.kubernetes.io/last-applied-configuration");

    private ReplicaSetTree() {}

    static NamespacedName name(Deployment deployment) {
        return new NamespacedName(
                deployment.key().namespace(), deployment.key().name() + "-" + TemplateHash.of(deployment.template()));
    }

    static ObjectNode of(Deployment deployment, int replicas, long revision) {
        String hash = TemplateHash.of(deployment.template());
        ObjectNode set =
                Json.object().put("apiVersion", Kind.REPLICA_SET.apiVersion()).put("kind", Kind.REPLICA_SET.name());
        ObjectNode metadata = set.putObject("metadata");
        metadata.put("name", name(deployment).name());
        metadata.put("namespace", deployment.key().namespace());
        metadata.set("labels", labels(deployment.template().path("metadata").path("labels"), hash));
        ObjectNode annotations = metadata.putObject("annotations");
        copied(deployment).forEach(annotations::put);
        annotations.put(REVISION, Long.toString(revision));
        sizes(deployment).forEach(annotations::put);
        metadata.putArray("ownerReferences").add(Owners.reference(deployment));
        ObjectNode spec = set.putObject("spec").put("replicas", replicas);
        if (deployment.strategy().minReadySeconds() > 0) {
            spec.put("minReadySeconds", deployment.strategy().minReadySeconds());
        }
        ObjectNode selector = deployment.selector().tree();
        selector.withObjectProperty("matchLabels").put(HASH_LABEL, hash);
        spec.set("selector", selector);
        spec.set("template", template(deployment, hash));
        return set;
    }

    /// The annotations that the set of the newest template should have and does not.
    static Map<String, String> missing(Deployment deployment, ReplicaSet set, long revision) {
        Map<String, String> known = set.metadata().annotations();
        Map<String, String> wanted = new TreeMap<>(copied(deployment));
        wanted.put(REVISION, Long.toString(revision));
        long before = DeploymentSets.revision(set);
        if (before > 0 && before != revision) {
            String history = known.getOrDefault(HISTORY, "");
            wanted.put(HISTORY, history.isEmpty() ? "" + before : history + "," + before);
        }
        wanted.entrySet().removeAll(known.entrySet());
        return wanted;
    }

    /// What a set says of the size of its Deployment, so that a later scaling knows what was before.
    static Map<String, String> sizes(Deployment deployment) {
        int replicas = deployment.replicas();
        return Map.of(
                DESIRED, Integer.toString(replicas),
                MAX, Integer.toString(replicas + deployment.strategy().surge(replicas)));
    }

    private static Map<String, String> copied(Deployment deployment) {
        Map<String, String> copied = new TreeMap<>(deployment.metadata().annotations());
        copied.keySet().removeAll(NOT_COPIED);
        return copied;
    }

    private static ObjectNode template(Deployment deployment, String hash) {
        ObjectNode template = deployment.template() instanceof ObjectNode given ? given.deepCopy() : Json.object();
        ObjectNode metadata = template.withObject("metadata");
        metadata.set("labels", labels(metadata.path("labels"), hash));
        return template;
    }

    private static ObjectNode labels(JsonNode given, String hash) {
        ObjectNode labels = given instanceof ObjectNode object ? object.deepCopy() : Json.object();
        return labels.put(HASH_LABEL, hash);
    }
}
