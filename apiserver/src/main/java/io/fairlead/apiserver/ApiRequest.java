package io.fairlead.apiserver;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import io.fairlead.api.Problem;
import io.fairlead.api.Revision;
import io.fairlead.api.Yaml;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A request, apart from how it came over the wire; `body` gives the bytes, or says why they are refused.
record ApiRequest(
        String method, String path, Map<String, String> query, Map<String, String> headers, Supplier<byte[]> body) {
    private static final Set<String> JSON_BODY = Set.of("", "application/json");

    String query(String name) {
        return query.getOrDefault(name, "");
    }

    boolean flag(String name) {
        String value = query(name);
        return value.equals("true") || value.equals("1");
    }

    boolean isWatch() {
        return flag("watch");
    }

    Representation representation() {
        return Representation.of(headers.getOrDefault("accept", ""));
    }

    /// The media type of the body, without parameters; empty where none is given.
    String contentType() {
        String type = headers.getOrDefault("content-type", "");
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    /// True if the request is to be checked and answered, but not done (K26).
    boolean isDryRun() {
        String value = query("dryRun");
        if (!value.isEmpty() && !value.equals("All")) {
            throw ApiException.invalidOption("Options", Problem.notSupported("dryRun", value, "\"All\""));
        }
        return !value.isEmpty();
    }

    /// The revision that a parameter names; zero where it is absent.
    Revision revision(String name) {
        String text = query(name);
        if (text.isEmpty()) {
            return Revision.ZERO;
        }
        try {
            return new Revision(Long.parseLong(text));
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("%s: Invalid value: \"%s\": must be a whole number".formatted(name, text));
        }
    }

    /// The object in the body, without the fields that are null: they mean the same as absent ones.
    ObjectNode object() {
        return object(body.get());
    }

    /// The body of a request that may come without one, such as a DELETE.
    ObjectNode objectOrEmpty() {
        byte[] bytes = body.get();
        return bytes.length == 0 ? Json.object() : object(bytes);
    }

    /// The body as it stands; a patch may be a list, and its nulls mean something.
    JsonNode parse() {
        return parse(body.get());
    }

    private ObjectNode object(byte[] bytes) {
        if (parse(bytes) instanceof ObjectNode object) {
            dropNulls(object);
            return object;
        }
        throw ApiException.badRequest("the body must be one object");
    }

    private JsonNode parse(byte[] bytes) {
        try {
            if (isYaml()) {
                return single(Yaml.parseAll(new String(bytes, StandardCharsets.UTF_8)));
            }
            return Json.parse(bytes);
        } catch (ParseException e) {
            throw ApiException.badRequest("the body cannot be read: " + e.getMessage());
        }
    }

    private boolean isYaml() {
        String type = contentType();
        if (type.equals("application/yaml") || type.equals("application/apply-patch+yaml")) {
            return true;
        }
        if (JSON_BODY.contains(type) || type.endsWith("+json")) {
            return false;
        }
        throw unsupportedMediaType("application/json, application/yaml");
    }

    ApiException unsupportedMediaType(String supported) {
        return ApiException.of(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format: '%s'; accepted media types are: %s"
                        .formatted(contentType(), supported));
    }

    private static JsonNode single(List<JsonNode> documents) {
        if (documents.size() != 1) {
            throw ApiException.badRequest(
                    "the body must be one object, but holds %d documents".formatted(documents.size()));
        }
        return documents.getFirst();
    }

    static void dropNulls(JsonNode node) {
        switch (node) {
            case ObjectNode object -> {
                object.removeIf(JsonNode::isNull);
                object.forEach(ApiRequest::dropNulls);
            }
            case ArrayNode array -> array.forEach(ApiRequest::dropNulls);
            default -> {}
        }
    }
}
