package io.fairlead.http;

import io.fairlead.yaml.Yaml;
import tools.jackson.databind.node.ObjectNode;

/// What tests send.
final class Bodies {
    private Bodies() {}

    /// A Service with these fields in its spec.
    static String service(String name, String spec) {
        return "{\"metadata\":{\"name\":\"%s\"},\"spec\":{%s}}".formatted(name, spec);
    }

    /// The object that a text in YAML is.
    static ObjectNode yaml(String text) {
        return (ObjectNode) Yaml.parseAll(text).getFirst();
    }
}
