package io.fairlead.apiserver;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Revision;
import java.lang.ref.WeakReference;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One state of one object, as clients see it: its bytes, made once for all readers, and a tree to compute with.
///
/// The tree of an object is several times as large as its bytes, and most objects are only ever passed on: so the tree
/// is read from the bytes when somebody wants it, and kept while somebody has it. It is shared between threads, so
/// nobody changes it: [#copy] is for those who want to.
final class ApiObject {
    private final Kind kind;
    private final NamespacedName key;
    private final Revision revision;
    private final byte[] json;
    private final Map<String, String> labels;
    private volatile WeakReference<ObjectNode> read;

    private ApiObject(Kind kind, Revision revision, ObjectNode tree) {
        this.kind = kind;
        this.key = new NamespacedName(Json.text(tree, "metadata", "namespace"), Json.text(tree, "metadata", "name"));
        this.revision = revision;
        this.json = Json.bytes(tree);
        this.labels = Map.copyOf(Json.map(tree, "metadata", "labels"));
        this.read = new WeakReference<>(tree);
    }

    /// The object that `tree` is at `revision`; the tree itself stays as it is.
    static ApiObject of(Kind kind, JsonNode tree, Revision revision) {
        ObjectNode copy = Json.object().put("kind", kind.name()).put("apiVersion", kind.apiVersion());
        ObjectNode metadata = copy.putObject("metadata");
        tree.path("metadata").propertyStream().forEach(field -> metadata.set(field.getKey(), field.getValue()));
        if (revision.isAfter(Revision.ZERO)) {
            metadata.put("resourceVersion", revision.toString());
        } else {
            metadata.remove("resourceVersion");
        }
        tree.propertyStream().forEach(field -> copy.putIfAbsent(field.getKey(), field.getValue()));
        return new ApiObject(kind, revision, copy);
    }

    /// This state, told at a later revision: how a deletion shows what was deleted.
    ApiObject at(Revision later) {
        return of(kind, tree(), later);
    }

    ObjectNode copy() {
        return (ObjectNode) Json.parse(json);
    }

    Kind kind() {
        return kind;
    }

    NamespacedName key() {
        return key;
    }

    Revision revision() {
        return revision;
    }

    ObjectNode tree() {
        ObjectNode tree = read.get();
        if (tree == null) {
            tree = copy();
            read = new WeakReference<>(tree);
        }
        return tree;
    }

    byte[] json() {
        return json;
    }

    Map<String, String> labels() {
        return labels;
    }

    String uid() {
        return Json.text(tree(), "metadata", "uid");
    }

    boolean isTerminating() {
        return !Json.text(tree(), "metadata", "deletionTimestamp").isEmpty();
    }

    @Override
    public String toString() {
        return kind + " " + key + "@" + revision;
    }
}
