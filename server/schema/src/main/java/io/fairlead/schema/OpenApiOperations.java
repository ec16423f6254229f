package io.fairlead.schema;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What a call takes and gives, in the form of OpenAPI 2.
final class OpenApiOperations {
    private static final List<String> BODIES = List.of("application/json", "application/yaml", Protobuf.MEDIA_TYPE);
    private static final List<String> PATCHES = List.of(
            "application/json-patch+json",
            "application/merge-patch+json",
            "application/strategic-merge-patch+json",
            "application/apply-patch+yaml");
    private static final Kind DELETE_OPTIONS = new Kind("", "v1", "DeleteOptions", "", false, List.of());

    private final OpenApiSchemas schemas;

    OpenApiOperations(OpenApiSchemas schemas) {
        this.schemas = schemas;
    }

    ObjectNode of(OpenApiCall call) {
        ObjectNode operation = Json.object().put("operationId", call.id());
        operation.putArray("tags").add(call.tag());
        (call.verb().equals("patch") ? PATCHES : BODIES).forEach(operation.putArray("consumes")::add);
        operation.putArray("produces").add("application/json");
        addParameters(operation.putArray("parameters"), call);
        addResponses(operation.putObject("responses"), call);
        operation.put("x-kubernetes-action", action(call.verb()));
        operation.set(
                "x-kubernetes-group-version-kind",
                OpenApiDefinitions.groupVersionKind(call.body(), call.body().name()));
        return operation;
    }

    private static String action(String verb) {
        return switch (verb) {
            case "create" -> "post";
            case "update" -> "put";
            default -> verb;
        };
    }

    private void addParameters(ArrayNode parameters, OpenApiCall call) {
        body(call).ifPresent(schema -> {
            ObjectNode body = parameters.addObject().put("name", "body").put("in", "body");
            body.put("required", !call.isDelete()).set("schema", schema);
        });
        if (call.isWrite() || call.isDelete()) {
            query(parameters, "dryRun", "All checks the call and does not do it.");
        }
        if (call.isWrite()) {
            query(parameters, "fieldManager", "Who writes.");
            query(parameters, "fieldValidation", "What becomes of unknown fields: Ignore, Warn or Strict.");
        }
        if (call.verb().equals("patch")) {
            flag(parameters, "force", "Takes fields from others, in an apply.");
        }
        if (call.verb().equals("list") || call.verb().equals("deletecollection")) {
            query(parameters, "labelSelector", "Which labels the objects have.");
            query(parameters, "fieldSelector", "Which fields the objects have.");
            query(parameters, "continue", "The next page of a list.");
            query(parameters, "limit", "How long a page may be.");
            query(parameters, "resourceVersion", "From which point in history.");
        }
        if (call.verb().equals("list")) {
            flag(parameters, "watch", "Sends changes as they come.");
        }
        if (call.isDelete()) {
            query(parameters, "gracePeriodSeconds", "How long it may take to end by itself.");
            query(parameters, "propagationPolicy", "What becomes of its dependents: Orphan, Background or Foreground.");
        }
    }

    private static void query(ArrayNode parameters, String name, String description) {
        parameters
                .addObject()
                .put("name", name)
                .put("in", "query")
                .put("type", "string")
                .put("description", description);
    }

    private static void flag(ArrayNode parameters, String name, String description) {
        parameters
                .addObject()
                .put("name", name)
                .put("in", "query")
                .put("type", "boolean")
                .put("description", description);
    }

    private Optional<ObjectNode> body(OpenApiCall call) {
        return switch (call.verb()) {
            case "patch" -> Optional.of(schemas.reference(OpenApiSchemas.PATCH));
            case "create", "update" -> schema(call.body());
            case "delete", "deletecollection" -> schema(DELETE_OPTIONS);
            default -> Optional.empty();
        };
    }

    private void addResponses(ObjectNode responses, OpenApiCall call) {
        String code = call.verb().equals("create") ? "201" : "200";
        ObjectNode response = responses.putObject(code).put("description", "OK");
        Kind answered = call.verb().equals("list") ? OpenApiDefinitions.listOf(call.body()) : call.body();
        response.set("schema", schema(answered).orElseGet(() -> Json.object().put("type", "string")));
        responses.putObject("401").put("description", "Unauthorized");
    }

    /// Nothing for the options of streams, which are no objects here.
    private Optional<ObjectNode> schema(Kind kind) {
        return Schemas.builtIn().find(kind.apiVersion(), kind.name()).map(struct -> schemas.reference(struct.name()));
    }
}
