package io.fairlead.containers;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/// The values of ConfigMaps and Secrets, read when they are wanted: a node may see those of its own pods alone, so it
/// cannot watch them all.
record ConfigValues(ApiClient api, String namespace) {

    /// By key; nothing if there is no such object.
    Optional<Map<String, byte[]>> find(Kind kind, String name) throws InterruptedException {
        return api.find(kind, new NamespacedName(namespace, name)).map(object -> values(kind, object));
    }

    /// What must be there: a [NodeException] says what is missing.
    Map<String, byte[]> require(Kind kind, String name, boolean optional) throws InterruptedException {
        Optional<Map<String, byte[]>> found = find(kind, name);
        if (found.isEmpty() && !optional) {
            throw new NodeException("%s \"%s\" not found".formatted(kind.singular(), name));
        }
        return found.orElse(Map.of());
    }

    private static Map<String, byte[]> values(Kind kind, ObjectNode object) {
        Map<String, byte[]> values = new TreeMap<>();
        boolean secret = kind.equals(Kind.SECRET);
        Json.map(object, "data").forEach((key, text) -> values.put(key, secret ? decoded(text) : bytes(text)));
        Json.map(object, "binaryData").forEach((key, text) -> values.put(key, decoded(text)));
        return values;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] decoded(String text) {
        return Base64.getDecoder().decode(text);
    }
}
