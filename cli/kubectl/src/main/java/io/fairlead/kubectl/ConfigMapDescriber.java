package io.fairlead.kubectl;

import io.fairlead.api.Json;
import java.util.Base64;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// A ConfigMap with all that is in it: pure.
final class ConfigMapDescriber {
    private ConfigMapDescriber() {}

    static void describe(JsonNode map, Description to) {
        to.heading(map);
        to.line("\nData\n====");
        new TreeMap<>(Json.map(map, "data")).forEach((key, text) -> to.line(key + ":\n----\n" + text + "\n"));
        to.line("\nBinaryData\n====");
        new TreeMap<>(Json.map(map, "binaryData"))
                .forEach(
                        (key, bytes) -> to.line(key + ": " + Base64.getDecoder().decode(bytes).length + " bytes"));
        to.line("");
    }
}
