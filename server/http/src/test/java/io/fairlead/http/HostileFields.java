package io.fairlead.http;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.schema.Field;
import io.fairlead.schema.FieldType;
import io.fairlead.schema.Schemas;
import io.fairlead.schema.StructType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Every field of every kind, from the schema, and values for it that no honest client sends.
final class HostileFields {
    private static final int DEEPEST = 12;
    /// Stands in a path for the first item of a list, or for a key of a map.
    private static final String ITEM = "*";

    static final List<JsonNode> VALUES = Stream.concat(
                    Stream.of(
                                    "1e308",
                                    "99999999999999999999999999",
                                    "-9223372036854775808",
                                    "2147483648",
                                    "-1",
                                    "0.5",
                                    "true",
                                    "null",
                                    "[]",
                                    "{}",
                                    "[[[]]]",
                                    "[null]")
                            .map(Json::parse),
                    Stream.of(
                                    "",
                                    "\u0000",
                                    "a\nb: c\r\n",
                                    "../../../../etc/passwd",
                                    "/a:rw,exec",
                                    "\"'`$(id);|&%00",
                                    "x".repeat(70_000),
                                    "9".repeat(400),
                                    "1e999999999Mi",
                                    "-99999999999999999999y",
                                    "9999-99-99T99:99:99Z",
                                    "+999999999-12-31T23:59:59.999999999Z",
                                    "999999999999h",
                                    "\ud800",
                                    "::ffff:1.2.3.4/999",
                                    "256.1.1.1",
                                    "(((((((((a|a)*)*)*)*)*)*)*)*",
                                    "{{.}}%n%s%d")
                            .map(text -> Json.object().put("v", text).path("v")))
            .toList();

    private HostileFields() {}

    /// The paths of all fields of a kind, those of structs and lists too.
    static List<List<String>> paths(Kind kind) {
        List<List<String>> paths = new ArrayList<>();
        StructType root = Schemas.builtIn()
                .find(kind.apiVersion(), kind.name())
                .orElseThrow(() -> new AssertionError("no schema of " + kind));
        walk(root, List.of(), new TreeSet<>(), paths);
        return paths;
    }

    private static void walk(StructType struct, List<String> at, Set<String> within, List<List<String>> paths) {
        if (at.size() > DEEPEST || !within.add(struct.name())) {
            return;
        }
        for (Field field : struct.fields().values()) {
            walk(field.type(), with(at, field.name()), within, paths);
        }
        within.remove(struct.name());
    }

    private static void walk(FieldType type, List<String> at, Set<String> within, List<List<String>> paths) {
        paths.add(at);
        switch (type) {
            case FieldType.Struct struct -> walk(Schemas.builtIn().struct(struct), at, within, paths);
            case FieldType.ListOf list -> walk(list.element(), with(at, ITEM), within, paths);
            case FieldType.MapOf map -> walk(map.value(), with(at, ITEM), within, paths);
            case FieldType.Scalar _ -> {}
        }
    }

    private static List<String> with(List<String> path, String name) {
        return Stream.concat(path.stream(), Stream.of(name)).toList();
    }

    /// A copy of `right` with `value` at the path; what stands on the way there is made, if it is not there.
    static ObjectNode mutant(JsonNode right, Kind kind, List<String> path, JsonNode value) {
        ObjectNode copy = (ObjectNode) right.deepCopy();
        StructType root = Schemas.builtIn().find(kind.apiVersion(), kind.name()).orElseThrow();
        put(copy, new FieldType.Struct(root.name()), path, value);
        return copy;
    }

    private static void put(JsonNode node, FieldType type, List<String> path, JsonNode value) {
        String name = path.getFirst();
        List<String> rest = path.subList(1, path.size());
        if (node instanceof ArrayNode list) {
            if (rest.isEmpty()) {
                list.insert(0, value);
            } else {
                FieldType element = ((FieldType.ListOf) type).element();
                JsonNode first = isShape(list.path(0), element) ? list.path(0) : shape(element);
                if (list.isEmpty()) {
                    list.add(first);
                } else {
                    list.set(0, first);
                }
                put(first, element, rest, value);
            }
            return;
        }
        String key = name.equals(ITEM) ? "key" : name;
        FieldType next = type instanceof FieldType.MapOf map
                ? map.value()
                : Schemas.builtIn()
                        .struct((FieldType.Struct) type)
                        .find(name)
                        .orElseThrow()
                        .type();
        if (rest.isEmpty()) {
            ((ObjectNode) node).set(key, value);
            return;
        }
        JsonNode child = node.path(key);
        if (!isShape(child, next)) {
            child = shape(next);
            ((ObjectNode) node).set(key, child);
        }
        put(child, next, rest, value);
    }

    private static boolean isShape(JsonNode node, FieldType type) {
        return type instanceof FieldType.ListOf ? node.isArray() : node.isObject();
    }

    private static JsonNode shape(FieldType type) {
        return type instanceof FieldType.ListOf ? Json.object().putArray("list") : Json.object();
    }
}
