package io.fairlead.http;

import io.fairlead.api.ParseException;
import io.fairlead.objects.StatusException;
import io.fairlead.schema.LenientJson;
import io.fairlead.schema.Protobuf;
import io.fairlead.schema.ProtobufException;
import io.fairlead.yaml.Yaml;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The body of a request as a tree, in whatever form it came (K7).
///
/// `duplicates` tells the fields that were there twice; the last of each is in the tree.
record RequestBody(JsonNode tree, List<String> duplicates) {
    private static final Set<String> JSON = Set.of("", "application/json", "*/*");
    private static final Set<String> YAML =
            Set.of("application/yaml", "application/x-yaml", "application/apply-patch+yaml");
    private static final String ACCEPTED = "application/json, application/yaml, " + Protobuf.MEDIA_TYPE;

    RequestBody {
        duplicates = List.copyOf(duplicates);
    }

    static RequestBody of(ApiRequest request) {
        byte[] bytes = request.body().get();
        String type = request.contentType();
        try {
            if (YAML.contains(type)) {
                return yaml(bytes);
            }
            if (JSON.contains(type) || type.endsWith("+json")) {
                LenientJson.Parsed parsed = LenientJson.parse(bytes);
                return new RequestBody(parsed.tree(), parsed.duplicates());
            }
            if (type.equals(Protobuf.MEDIA_TYPE)) {
                return new RequestBody(Protobuf.decode(bytes), List.of());
            }
        } catch (ParseException | ProtobufException e) {
            throw StatusException.badRequest("the body cannot be read: " + e.getMessage());
        }
        throw request.unsupportedMediaType(ACCEPTED);
    }

    /// The body as an object, without the fields that are null: they mean the same as absent ones.
    ObjectNode object() {
        if (tree instanceof ObjectNode object) {
            dropNulls(object);
            return object;
        }
        throw StatusException.badRequest("the body must be one object");
    }

    private static RequestBody yaml(byte[] bytes) {
        List<String> duplicates = new ArrayList<>();
        List<JsonNode> documents = Yaml.parseAll(
                new String(bytes, StandardCharsets.UTF_8),
                path -> duplicates.add("duplicate field \"%s\"".formatted(path)));
        if (documents.size() != 1) {
            throw StatusException.badRequest(
                    "the body must be one object, but holds %d documents".formatted(documents.size()));
        }
        return new RequestBody(documents.getFirst(), duplicates);
    }

    static void dropNulls(JsonNode node) {
        switch (node) {
            case ObjectNode object -> {
                object.removeIf(JsonNode::isNull);
                object.forEach(RequestBody::dropNulls);
            }
            case ArrayNode array -> array.forEach(RequestBody::dropNulls);
            default -> {}
        }
    }
}
