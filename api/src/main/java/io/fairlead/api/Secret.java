package io.fairlead.api;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// What few may read, by name; `encoded` has the values in base64, as the API has them.
public record Secret(ObjectMeta metadata, String type, Map<String, String> encoded) implements KubernetesObject {
    public static Secret of(JsonNode json) {
        return new Secret(ObjectMeta.of(json), Json.text(json, "type"), Json.map(json, "data"));
    }

    /// The text under `name`; nothing where there is none, or no base64.
    public Optional<String> find(String name) {
        return Optional.ofNullable(encoded.get(name)).flatMap(Secret::decoded);
    }

    /// Every text, by name; what is no base64 is left out.
    public SortedMap<String, String> texts() {
        SortedMap<String, String> texts = new TreeMap<>();
        encoded.keySet().forEach(name -> find(name).ifPresent(text -> texts.put(name, text)));
        return texts;
    }

    private static Optional<String> decoded(String text) {
        try {
            return Optional.of(new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// Names alone: what is in it goes into no log.
    @Override
    public String toString() {
        return "Secret[%s %s]".formatted(key(), encoded.keySet());
    }

    @Override
    public Kind kind() {
        return Kind.SECRET;
    }
}
