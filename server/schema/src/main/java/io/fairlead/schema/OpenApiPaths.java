package io.fairlead.schema;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/// The paths of a server and the calls that each takes, in the form of OpenAPI 2.
final class OpenApiPaths {
    /// The HTTP method of each verb.
    private static final Map<String, String> METHODS = Map.of(
            "list",
            "get",
            "get",
            "get",
            "create",
            "post",
            "update",
            "put",
            "patch",
            "patch",
            "delete",
            "delete",
            "deletecollection",
            "delete");

    private final Map<String, ObjectNode> paths = new TreeMap<>();
    private final OpenApiOperations operations;

    OpenApiPaths(OpenApiSchemas schemas) {
        this.operations = new OpenApiOperations(schemas);
    }

    ObjectNode of(Collection<ApiResource> resources) {
        resources.forEach(this::add);
        ObjectNode all = Json.object();
        all.setAll(paths);
        return all;
    }

    private void add(ApiResource resource) {
        Kind kind = resource.kind();
        String one = kind.namespaced() ? kind.path("{namespace}") : kind.path("");
        resource.verbs().forEach(verb -> {
            switch (verb) {
                case "list", "create", "deletecollection" -> add(one, new OpenApiCall(kind, "", kind, verb));
                case "watch" -> {}
                default -> add(one + "/{name}", new OpenApiCall(kind, "", kind, verb));
            }
        });
        if (kind.namespaced() && resource.verbs().contains("list")) {
            add(kind.path(""), new OpenApiCall(kind, "ForAllNamespaces", kind, "list"));
        }
        resource.parts()
                .forEach(part -> part.verbs()
                        .forEach(verb -> add(
                                one + "/{name}/" + part.name(),
                                new OpenApiCall(kind, part.name(), part.kind(), verb))));
    }

    private void add(String path, OpenApiCall call) {
        ObjectNode item = paths.computeIfAbsent(path, OpenApiPaths::item);
        item.set(METHODS.getOrDefault(call.verb(), "get"), operations.of(call));
    }

    private static ObjectNode item(String path) {
        ObjectNode item = Json.object();
        for (String name : new String[] {"name", "namespace"}) {
            if (path.contains("{" + name + "}")) {
                item.withArrayProperty("parameters")
                        .addObject()
                        .put("name", name)
                        .put("in", "path")
                        .put("required", true)
                        .put("type", "string")
                        .put("description", "The %s of the object.".formatted(name));
            }
        }
        return item;
    }
}
