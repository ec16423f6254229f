package io.fairlead.schema;

import io.fairlead.api.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Writes a document of OpenAPI 2 as the protobuf messages of gnostic, which old kubectl reads.
///
/// Only what our documents have is written. Extensions are text in YAML there; JSON is YAML.
final class GnosticWriter {
    private static final Map<String, Integer> METHODS = Map.of("get", 2, "put", 3, "post", 4, "delete", 5, "patch", 8);

    private GnosticWriter() {}

    static WireWriter document(JsonNode document) {
        WireWriter out = new WireWriter();
        text(out, 1, document, "swagger");
        WireWriter info = new WireWriter();
        text(info, 1, document.path("info"), "title");
        text(info, 2, document.path("info"), "version");
        out.message(2, info);
        WireWriter paths = new WireWriter();
        document.path("paths")
                .propertyStream()
                .forEach(path -> paths.message(2, named(path.getKey(), pathItem(path.getValue()))));
        out.message(8, paths);
        WireWriter definitions = new WireWriter();
        addSchemas(definitions, document.path("definitions"));
        return out.message(9, definitions);
    }

    private static void addSchemas(WireWriter out, JsonNode schemas) {
        schemas.propertyStream().forEach(entry -> out.message(1, named(entry.getKey(), schema(entry.getValue()))));
    }

    private static WireWriter pathItem(JsonNode item) {
        WireWriter out = new WireWriter();
        METHODS.forEach((method, number) -> {
            if (item.has(method)) {
                out.message(number, operation(item.path(method)));
            }
        });
        item.path("parameters").forEach(parameter -> out.message(9, parameter(parameter)));
        return out;
    }

    private static WireWriter operation(JsonNode operation) {
        WireWriter out = new WireWriter();
        texts(out, 1, operation, "tags");
        text(out, 5, operation, "operationId");
        texts(out, 6, operation, "produces");
        texts(out, 7, operation, "consumes");
        operation.path("parameters").forEach(parameter -> out.message(8, parameter(parameter)));
        WireWriter responses = new WireWriter();
        operation
                .path("responses")
                .propertyStream()
                .forEach(entry -> responses.message(
                        1, named(entry.getKey(), new WireWriter().message(1, response(entry.getValue())))));
        out.message(9, responses);
        addExtensions(out, 13, operation);
        return out;
    }

    /// A parameter is wrapped in the choices of what it might have been instead.
    private static WireWriter parameter(JsonNode parameter) {
        WireWriter choice = new WireWriter();
        switch (Json.text(parameter, "in")) {
            case "body" -> choice.message(1, bodyParameter(parameter));
            case "path" -> choice.message(2, new WireWriter().message(4, plainParameter(parameter, 5)));
            default -> choice.message(2, new WireWriter().message(3, plainParameter(parameter, 6)));
        }
        return new WireWriter().message(1, choice);
    }

    private static WireWriter bodyParameter(JsonNode parameter) {
        WireWriter out = new WireWriter();
        text(out, 2, parameter, "name");
        text(out, 3, parameter, "in");
        return out.flag(4, Json.flag(parameter, false, "required")).message(5, schema(parameter.path("schema")));
    }

    private static WireWriter plainParameter(JsonNode parameter, int typeNumber) {
        WireWriter out = new WireWriter().flag(1, Json.flag(parameter, false, "required"));
        text(out, 2, parameter, "in");
        text(out, 3, parameter, "description");
        text(out, 4, parameter, "name");
        text(out, typeNumber, parameter, "type");
        return out;
    }

    private static WireWriter response(JsonNode response) {
        WireWriter out = new WireWriter();
        text(out, 1, response, "description");
        if (response.has("schema")) {
            out.message(2, new WireWriter().message(1, schema(response.path("schema"))));
        }
        return out;
    }

    private static WireWriter schema(JsonNode schema) {
        WireWriter out = new WireWriter();
        text(out, 1, schema, "$ref");
        text(out, 2, schema, "format");
        text(out, 4, schema, "description");
        if (schema.has("default")) {
            out.message(5, any(schema.path("default")));
        }
        texts(out, 19, schema, "required");
        if (schema.has("additionalProperties")) {
            out.message(21, new WireWriter().message(1, schema(schema.path("additionalProperties"))));
        }
        if (schema.has("type")) {
            out.message(22, new WireWriter().text(1, Json.text(schema, "type")));
        }
        if (schema.has("items")) {
            out.message(23, new WireWriter().message(1, schema(schema.path("items"))));
        }
        if (schema.has("properties")) {
            WireWriter properties = new WireWriter();
            addSchemas(properties, schema.path("properties"));
            out.message(25, properties);
        }
        addExtensions(out, 31, schema);
        return out;
    }

    private static void addExtensions(WireWriter out, int number, JsonNode object) {
        object.propertyStream()
                .filter(entry -> entry.getKey().startsWith("x-"))
                .forEach(entry -> out.message(number, named(entry.getKey(), any(entry.getValue()))));
    }

    private static WireWriter any(JsonNode value) {
        return new WireWriter().text(2, new String(Json.bytes(value), StandardCharsets.UTF_8) + "\n");
    }

    private static WireWriter named(String name, WireWriter value) {
        return new WireWriter().text(1, name).message(2, value);
    }

    private static void text(WireWriter out, int number, JsonNode object, String name) {
        if (object.has(name)) {
            out.text(number, Json.text(object, name));
        }
    }

    private static void texts(WireWriter out, int number, JsonNode object, String name) {
        Json.texts(object, name).forEach(text -> out.text(number, text));
    }
}
