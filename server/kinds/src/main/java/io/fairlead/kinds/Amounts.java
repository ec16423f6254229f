package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import io.fairlead.api.Quantity;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Amounts of resources as objects write them, read leniently: what is no amount counts as none.
public final class Amounts {
    private Amounts() {}

    public static Quantity of(String text) {
        try {
            return Quantity.parse(text);
        } catch (ParseException e) {
            return Quantity.NONE;
        }
    }

    /// The amounts under a path, by the names of their resources.
    public static Map<String, Quantity> at(JsonNode object, String... path) {
        Map<String, Quantity> amounts = new LinkedHashMap<>();
        Json.at(object, path)
                .propertyStream()
                .forEach(
                        entry -> amounts.put(entry.getKey(), of(entry.getValue().asString(""))));
        return amounts;
    }
}
