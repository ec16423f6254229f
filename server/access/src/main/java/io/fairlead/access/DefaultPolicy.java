package io.fairlead.access;

import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/// The roles and bindings that every cluster begins with: `default-policy.yaml`.
public final class DefaultPolicy {
    private DefaultPolicy() {}

    /// Whole objects, with kind and name; those that are there already are left as they are.
    public static List<JsonNode> objects() {
        try (InputStream in = DefaultPolicy.class.getResourceAsStream("default-policy.yaml")) {
            byte[] text = Objects.requireNonNull(in, "default-policy.yaml").readAllBytes();
            return Yaml.parseAll(new String(text, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
