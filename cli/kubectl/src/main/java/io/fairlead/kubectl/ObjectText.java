package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.yaml.Yaml;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// Whole objects as text, for `-o yaml`, `-o json` and `-o name`.
final class ObjectText {
    private ObjectText() {}

    /// An object with its kind in front; those of a list come without.
    static ObjectNode typed(Kind kind, ObjectNode object) {
        ObjectNode typed = Json.object().put("apiVersion", kind.apiVersion()).put("kind", kind.name());
        typed.setAll(object);
        return typed;
    }

    /// One object alone, several as a List.
    static String of(OutputFormat format, boolean alone, List<ObjectNode> objects) {
        return switch (format) {
            case NAME -> names(objects);
            case JSON -> Json.pretty(whole(alone, objects)) + "\n";
            case YAML -> Yaml.format(whole(alone, objects));
            case TABLE, WIDE -> throw new IllegalArgumentException("a table is the server's to print");
        };
    }

    private static ObjectNode whole(boolean alone, List<ObjectNode> objects) {
        if (alone) {
            return objects.getFirst();
        }
        ObjectNode list = Json.object().put("apiVersion", "v1");
        list.putArray("items").addAll(objects);
        list.put("kind", "List");
        return list;
    }

    private static String names(List<ObjectNode> objects) {
        StringBuilder text = new StringBuilder();
        for (ObjectNode object : objects) {
            text.append(reference(object)).append('\n');
        }
        return text.toString();
    }

    private static String reference(ObjectNode object) {
        String name = Json.text(object, "metadata", "name");
        return Kind.find(Json.text(object, "apiVersion"), Json.text(object, "kind"))
                .map(kind -> ResourceArguments.reference(kind, name))
                .orElse(name);
    }
}
