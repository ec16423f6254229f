package io.fairlead.schema;

import io.fairlead.api.Json;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Turns what is in the form of OpenAPI 2 into that of OpenAPI 3.
final class OpenApiV3 {
    private static final List<String> METHODS = List.of("get", "post", "put", "patch", "delete");

    private OpenApiV3() {}

    static ObjectNode paths(ObjectNode paths) {
        for (JsonNode item : paths.values()) {
            item.path("parameters").forEach(OpenApiV3::parameter);
            METHODS.forEach(method -> operation(item.path(method)));
        }
        return paths;
    }

    private static void operation(JsonNode node) {
        if (!(node instanceof ObjectNode operation)) {
            return;
        }
        JsonNode consumes = operation.remove("consumes");
        operation.remove("produces");
        JsonNode parameters = operation.path("parameters");
        Optional<JsonNode> body = parameters
                .valueStream()
                .filter(parameter -> Json.text(parameter, "in").equals("body"))
                .findFirst();
        body.ifPresent(found -> operation.set("requestBody", requestBody(found, consumes)));
        ((tools.jackson.databind.node.ArrayNode) parameters)
                .removeIf(parameter -> Json.text(parameter, "in").equals("body"));
        parameters.forEach(OpenApiV3::parameter);
        operation.path("responses").forEach(OpenApiV3::response);
    }

    private static ObjectNode requestBody(JsonNode body, JsonNode types) {
        ObjectNode request = Json.object();
        ObjectNode content = request.putObject("content");
        types.forEach(type -> content.putObject(type.stringValue()).set("schema", body.path("schema")));
        return request.put("required", Json.flag(body, false, "required"));
    }

    private static void parameter(JsonNode node) {
        ObjectNode parameter = (ObjectNode) node;
        JsonNode type = parameter.remove("type");
        parameter.putObject("schema").set("type", type);
    }

    private static void response(JsonNode node) {
        ObjectNode response = (ObjectNode) node;
        JsonNode schema = response.remove("schema");
        if (schema != null) {
            response.putObject("content").putObject("application/json").set("schema", schema);
        }
    }

    /// Beside a reference nothing may stand, so one with a description is wrapped; and a type can be one of two.
    static ObjectNode schemas(ObjectNode schemas) {
        for (JsonNode schema : schemas.values()) {
            schema.path("properties").forEach(OpenApiV3::wrapReference);
        }
        oneOf(schemas, FieldType.Scalar.INT_OR_STRING, "integer");
        oneOf(schemas, FieldType.Scalar.QUANTITY, "number");
        return schemas;
    }

    private static void wrapReference(JsonNode node) {
        ObjectNode property = (ObjectNode) node;
        if (property.has("$ref") && property.size() > 1) {
            JsonNode reference = property.remove("$ref");
            property.putArray("allOf").addObject().set("$ref", reference);
        }
    }

    private static void oneOf(ObjectNode schemas, FieldType.Scalar scalar, String other) {
        if (schemas.path(OpenApiSchemas.NAMED.get(scalar)) instanceof ObjectNode schema) {
            schema.remove("type");
            var choices = schema.putArray("oneOf");
            choices.addObject().put("type", other);
            choices.addObject().put("type", "string");
        }
    }
}
