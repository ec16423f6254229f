package io.fairlead.kubectl;

import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Any object, field by field, with names made of the fields' names: `clusterIP` is `Cluster IP`. Pure.
final class FieldsDescriber {
    private static final Set<String> IN_THE_HEADING = Set.of(
            ".metadata.name",
            ".metadata.namespace",
            ".metadata.labels",
            ".metadata.annotations",
            ".metadata.managedFields");

    private final Description to;

    private FieldsDescriber(Description to) {
        this.to = to;
    }

    static void describe(JsonNode object, Description to) {
        to.heading(object);
        new FieldsDescriber(to).fields(object, 0, "");
    }

    private void fields(JsonNode object, int level, String path) {
        TreeMap<String, JsonNode> sorted = new TreeMap<>();
        object.propertyStream().forEach(field -> sorted.put(field.getKey(), field.getValue()));
        sorted.forEach((name, value) -> {
            if (!IN_THE_HEADING.contains(path + "." + name)) {
                field(name, value, level, path + "." + name);
            }
        });
    }

    private void field(String name, JsonNode value, int level, String path) {
        String indent = "  ".repeat(level);
        if (value.isObject()) {
            to.line("%s%s:".formatted(indent, title(name)));
            fields(value, level + 1, path);
        } else if (value.isArray()) {
            to.line("%s%s:".formatted(indent, title(name)));
            value.forEach(item -> item(item, level + 1, path));
        } else {
            to.line("%s%s:\t%s".formatted(indent, title(name), value.isNull() ? "<nil>" : value.asString()));
        }
    }

    private void item(JsonNode item, int level, String path) {
        if (item.isObject()) {
            fields(item, level, path);
        } else {
            to.line("%s%s".formatted("  ".repeat(level), item.asString()));
        }
    }

    /// `creationTimestamp` is `Creation Timestamp`, `apiVersion` is `API Version`, `app.io/x` stays.
    static String title(String field) {
        if (!field.matches("[A-Za-z]+")) {
            return field;
        }
        String[] words = field.split("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");
        return Stream.of(words)
                .map(word -> Set.of("api", "uid", "uri", "url", "ip", "dns", "http", "https")
                                .contains(word)
                        ? word.toUpperCase(java.util.Locale.ROOT)
                        : Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .collect(Collectors.joining(" "));
    }
}
