package io.fairlead.http;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.kinds.Tree;
import io.fairlead.objects.StatusException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The object in the body of a request, made to agree with the path that it was sent to.
final class ObjectBody {
    private ObjectBody() {}

    /// A kind, a namespace or a name that the body leaves out is the one of the path; another one is a mistake.
    static void agree(ObjectNode object, ApiPath path) {
        checkKind(object, path.kind());
        for (String part : new String[] {"metadata", "spec", "status"}) {
            if (object.has(part) && !object.path(part).isObject()) {
                throw StatusException.badRequest("%s: must be an object".formatted(part));
            }
        }
        ObjectNode metadata = Tree.object(object, "metadata");
        checkNamespace(metadata, path);
        String name = Json.text(metadata, "name");
        if (!path.name().isEmpty() && !name.isEmpty() && !name.equals(path.name())) {
            throw StatusException.badRequest(
                    "the name of the object (%s) does not match the name on the URL (%s)".formatted(name, path.name()));
        }
        if (!path.name().isEmpty()) {
            metadata.put("name", path.name());
        }
    }

    private static void checkKind(ObjectNode object, Kind kind) {
        String apiVersion = Json.text(object, "apiVersion");
        String name = Json.text(object, "kind");
        boolean agrees = (apiVersion.isEmpty() || apiVersion.equals(kind.apiVersion()))
                && (name.isEmpty() || name.equals(kind.name()));
        if (!agrees) {
            throw StatusException.badRequest("kind: the object is a %s of %s, but this path takes a %s of %s"
                    .formatted(shown(name), shown(apiVersion), kind.name(), kind.apiVersion()));
        }
        object.put("apiVersion", kind.apiVersion()).put("kind", kind.name());
    }

    private static String shown(String word) {
        return word.isEmpty() ? "(nothing)" : "\"" + word + "\"";
    }

    private static void checkNamespace(ObjectNode metadata, ApiPath path) {
        JsonNode given = metadata.path("namespace");
        String namespace = given.isString() ? given.stringValue() : "";
        if (!namespace.isEmpty() && !namespace.equals(path.namespace())) {
            throw StatusException.badRequest(
                    "the namespace of the provided object (%s) does not match the namespace sent on the request (%s)"
                            .formatted(namespace, path.namespace()));
        }
        if (path.kind().namespaced()) {
            metadata.put("namespace", path.namespace());
        } else {
            metadata.remove("namespace");
        }
    }
}
