package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NameValidation;
import io.fairlead.api.NameValidation.LetterCase;
import io.fairlead.api.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The row of Namespace.
public record NamespaceRules() implements KindRules {
    /// The namespaces that every cluster has (K33).
    public static final List<String> BUILT_IN = List.of("default", "kube-node-lease", "kube-public", "kube-system");

    private static final String FINALIZER = "kubernetes";
    private static final Set<String> PROTECTED = Set.of("default", "kube-public", "kube-system");

    @Override
    public Kind kind() {
        return Kind.NAMESPACE;
    }

    @Override
    public Optional<String> nameProblem(String name) {
        return NameValidation.label(LetterCase.LOWER, name);
    }

    @Override
    public void prepareCreate(ObjectNode namespace) {
        // Stands for all that is in the namespace: it goes once that is gone.
        Tree.object(namespace, "spec").putArray("finalizers").add(FINALIZER);
        Tree.object(namespace, "status").put("phase", "Active");
    }

    @Override
    public void prepareUpdate(JsonNode old, ObjectNode namespace) {
        Tree.set(
                Tree.object(namespace, "spec"),
                "finalizers",
                Json.at(old, "spec", "finalizers").deepCopy());
    }

    @Override
    public void fillDefaults(ObjectNode namespace) {
        ObjectNode labels = Tree.object(Tree.object(namespace, "metadata"), "labels");
        labels.put("kubernetes.io/metadata.name", Json.text(namespace, "metadata", "name"));
    }

    @Override
    public List<Problem> check(JsonNode namespace) {
        return PodSecurityPolicy.check(namespace);
    }

    @Override
    public Optional<String> deleteRefusal(JsonNode namespace) {
        return PROTECTED.contains(Json.text(namespace, "metadata", "name"))
                ? Optional.of("this namespace may not be deleted")
                : Optional.empty();
    }

    @Override
    public void prepareDelete(ObjectNode namespace) {
        Tree.object(namespace, "status").put("phase", "Terminating");
    }

    /// The namespace once nothing is in it any more; others may still hold it.
    public static ObjectNode emptied(JsonNode namespace) {
        ObjectNode next = (ObjectNode) namespace.deepCopy();
        ObjectNode spec = Tree.object(next, "spec");
        if (spec.path("finalizers") instanceof ArrayNode finalizers) {
            finalizers.removeIf(finalizer -> finalizer.asString("").equals(FINALIZER));
            if (finalizers.isEmpty()) {
                spec.remove("finalizers");
            }
        }
        return next;
    }

    /// The namespace with those as finalizers that `body` names.
    public static ObjectNode withFinalizers(JsonNode namespace, JsonNode body) {
        ObjectNode next = (ObjectNode) namespace.deepCopy();
        Tree.set(
                Tree.object(next, "spec"),
                "finalizers",
                Json.at(body, "spec", "finalizers").deepCopy());
        return next;
    }

    @Override
    public boolean deletesCollections() {
        return false;
    }

    @Override
    public Set<String> subresources() {
        return Set.of("status", "finalize");
    }

    @Override
    public Map<String, Function<JsonNode, String>> fields() {
        return Map.of(
                "metadata.name", KindRules.field("metadata", "name"),
                "status.phase", KindRules.field("status", "phase"));
    }

    @Override
    public List<Column> columns() {
        return List.of(Column.NAME, Column.text("Status", KindRules.field("status", "phase")), Column.AGE);
    }
}
