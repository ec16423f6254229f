package io.fairlead.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// JSON text to trees and back, and the few questions that views ask of a tree.
///
/// A path that leads nowhere gives the empty answer: an absent field and an empty one mean the same in the API.
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final JsonMapper TRUSTING = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    /// The tree that the text spells; a [ParseException] says where it breaks.
    public static JsonNode parse(byte[] text) {
        try {
            return MAPPER.readTree(text);
        } catch (JacksonException e) {
            throw new ParseException("not JSON: " + e.getOriginalMessage(), e);
        }
    }

    public static JsonNode parse(String text) {
        return parse(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    /// Like [#parse], for what an API server wrote: it does not name a field twice, so this does not look for that,
    /// which takes about as long as all else.
    public static JsonNode parseTrusted(byte[] text) {
        try {
            return TRUSTING.readTree(text);
        } catch (JacksonException e) {
            throw new ParseException("not JSON: " + e.getOriginalMessage(), e);
        }
    }

    public static byte[] bytes(JsonNode tree) {
        return MAPPER.writeValueAsBytes(tree);
    }

    public static String pretty(JsonNode tree) {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree);
    }

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /// The text at the path, or the empty text.
    public static String text(JsonNode tree, String... path) {
        JsonNode node = at(tree, path);
        return node.isString() ? node.stringValue() : "";
    }

    /// The whole number at the path, or `otherwise`.
    public static int number(JsonNode tree, int otherwise, String... path) {
        JsonNode node = at(tree, path);
        return node.isIntegralNumber() && node.canConvertToInt() ? node.intValue() : otherwise;
    }

    /// The truth at the path, or `otherwise`.
    public static boolean flag(JsonNode tree, boolean otherwise, String... path) {
        JsonNode node = at(tree, path);
        return node.isBoolean() ? node.booleanValue() : otherwise;
    }

    /// What each item of the list at the path gives.
    public static <T> List<T> list(JsonNode tree, Function<JsonNode, T> item, String... path) {
        JsonNode nodes = at(tree, path);
        List<T> items = new ArrayList<>(nodes.size());
        nodes.forEach(node -> items.add(item.apply(node)));
        return Collections.unmodifiableList(items);
    }

    /// The texts of the list at the path.
    public static List<String> texts(JsonNode tree, String... path) {
        return list(tree, node -> node.isString() ? node.stringValue() : "", path);
    }

    /// The addresses of the list at the path; what is none is left out.
    public static List<Ip> ips(JsonNode tree, String... path) {
        List<Ip> ips = new ArrayList<>();
        texts(tree, path).forEach(text -> Ip.find(text).ifPresent(ips::add));
        return Collections.unmodifiableList(ips);
    }

    /// The map of text to text at the path, in its order.
    public static Map<String, String> map(JsonNode tree, String... path) {
        Map<String, String> map = new LinkedHashMap<>();
        at(tree, path)
                .propertyStream()
                .forEach(entry -> map.put(entry.getKey(), entry.getValue().asString("")));
        return Collections.unmodifiableMap(map);
    }

    public static JsonNode at(JsonNode tree, String... path) {
        JsonNode node = tree;
        for (String field : path) {
            node = node.path(field);
        }
        return node;
    }
}
