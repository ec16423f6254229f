package io.fairlead.merge;

import io.fairlead.api.Json;
import io.fairlead.schema.Field;
import io.fairlead.schema.FieldType;
import io.fairlead.schema.FieldType.ListSemantics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// One list of an object under a strategic merge patch: the merge key of the field tells items apart, plain
/// values differ by themselves.
///
/// Two items may have the same merge key (a Service with port 53 for UDP and for TCP). Then a change is for the
/// one that agrees with it in the fields that server-side apply tells items apart by, and no item is changed
/// twice.
final class StrategicList {
    private final StrategicPatch objects;
    private final String name;
    private final Optional<Field> field;
    private final String mergeKey;

    StrategicList(StrategicPatch objects, String name, Optional<Field> field) {
        this.objects = objects;
        this.name = name;
        this.field = field;
        this.mergeKey = field.map(known -> known.patching().mergeKey()).orElse("");
    }

    /// An item of the list that comes out; `place` is where it stood before, negative if it is new.
    private static final class Entry {
        private final JsonNode key;
        private final int place;
        private JsonNode item;
        private boolean gone;

        Entry(JsonNode key, JsonNode item, int place) {
            this.key = key;
            this.item = item;
            this.place = place;
        }

        boolean stoodBefore(Entry other) {
            return place >= 0 && other.place >= 0 && place < other.place;
        }
    }

    void apply(ObjectNode target, ObjectNode patch) {
        if (patch.path(name).isNull()) {
            target.remove(name);
            return;
        }
        List<JsonNode> changes = items(patch.path(name));
        if (patch.has(name) && field.filter(known -> known.patching().merge()).isEmpty()) {
            target.set(name, list(changes.stream()));
            return;
        }
        List<Entry> merged = merged(items(target.path(name)), changes);
        Set<JsonNode> deleted = new HashSet<>(items(patch.path(StrategicPatch.DELETE_FROM + name)));
        merged.removeIf(entry -> deleted.contains(entry.key));
        ArrayNode result = list(ordered(merged, order(patch, changes)).stream().map(entry -> entry.item));
        if (target.has(name) || !result.isEmpty()) {
            target.set(name, result);
        }
    }

    private static List<JsonNode> items(JsonNode list) {
        if (!list.isArray() && !list.isMissingNode() && !list.isNull()) {
            throw MergeException.malformed("a list is expected in the place of " + list);
        }
        return list.valueStream().toList();
    }

    private static ArrayNode list(Stream<JsonNode> items) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        items.forEach(item -> list.add(StrategicPatch.withoutDirectives(item)));
        return list;
    }

    private List<Entry> merged(List<JsonNode> before, List<JsonNode> changes) {
        List<Entry> merged = new ArrayList<>();
        boolean replaces = changes.stream().anyMatch(item -> directive(item).equals("replace"));
        if (!replaces) {
            before.forEach(item -> merged.add(new Entry(key(item), item, merged.size())));
        }
        // Found by their keys: a patch may have a hundred thousand items, and so may the list.
        Map<JsonNode, List<Entry>> unchanged = new HashMap<>();
        merged.forEach(entry ->
                unchanged.computeIfAbsent(entry.key, _ -> new ArrayList<>()).add(entry));
        Map<JsonNode, List<Entry>> changed = new HashMap<>();
        for (JsonNode change : changes) {
            switch (directive(change)) {
                case "" -> {
                    Entry entry = take(unchanged, change).orElseGet(() -> add(merged, key(change)));
                    entry.item = mergedItem(entry.item, change);
                    changed.computeIfAbsent(entry.key, _ -> new ArrayList<>()).add(entry);
                }
                case "delete" -> {
                    gone(unchanged.remove(key(change)));
                    gone(changed.remove(key(change)));
                }
                case "replace" -> {}
                default -> throw MergeException.malformed("unknown patch type in " + change);
            }
        }
        merged.removeIf(entry -> entry.gone);
        return merged;
    }

    private static void gone(@Nullable List<Entry> entries) {
        if (entries != null) {
            entries.forEach(entry -> entry.gone = true);
        }
    }

    /// The item that a change is for, which no other change is for then.
    private Optional<Entry> take(Map<JsonNode, List<Entry>> unchanged, JsonNode change) {
        List<Entry> candidates = unchanged.getOrDefault(key(change), List.of());
        Optional<Entry> found = candidates.stream()
                .filter(candidate -> agrees(candidate.item, change))
                .findFirst()
                .or(() -> candidates.stream().findFirst());
        found.ifPresent(candidates::remove);
        return found;
    }

    private static Entry add(List<Entry> merged, JsonNode key) {
        Entry entry = new Entry(key, Json.object(), -1);
        merged.add(entry);
        return entry;
    }

    private boolean agrees(JsonNode item, JsonNode change) {
        return field.map(Field::type).stream()
                .flatMap(type -> type instanceof FieldType.ListOf(var _, ListSemantics.Keyed(List<String> keys))
                        ? keys.stream()
                        : Stream.of())
                .allMatch(name -> !change.has(name) || change.path(name).equals(item.path(name)));
    }

    private JsonNode mergedItem(JsonNode before, JsonNode change) {
        return before instanceof ObjectNode object && change instanceof ObjectNode changes
                ? objects.merge(field.flatMap(known -> objects.struct(known.type())), object.deepCopy(), changes)
                : change;
    }

    private static String directive(JsonNode item) {
        return Json.text(item, StrategicPatch.PATCH);
    }

    private JsonNode key(JsonNode item) {
        if (mergeKey.isEmpty()) {
            return item;
        }
        JsonNode key = item.path(mergeKey);
        if (key.isMissingNode()) {
            throw MergeException.malformed("map: %s does not contain declared merge key: %s".formatted(item, mergeKey));
        }
        return key;
    }

    /// The keys that the patch names, in the order that it wants.
    private List<JsonNode> order(ObjectNode patch, List<JsonNode> changes) {
        List<JsonNode> changed = changes.stream()
                .filter(item -> directive(item).isEmpty())
                .map(this::key)
                .distinct()
                .toList();
        JsonNode order = patch.path(StrategicPatch.SET_ORDER + name);
        if (order.isMissingNode()) {
            return changed;
        }
        List<JsonNode> wanted = items(order).stream().map(this::key).distinct().toList();
        if (!new HashSet<>(wanted).containsAll(changed)) {
            throw MergeException.malformed(
                    "%s%s must name every item of the patch".formatted(StrategicPatch.SET_ORDER, name));
        }
        return wanted;
    }

    /// Items that the patch names stand in its order, the others in the order in which they stood. Where the two meet,
    /// those that stood before each other still do, and else the named one comes first.
    private static List<Entry> ordered(List<Entry> merged, List<JsonNode> wanted) {
        Map<JsonNode, List<Entry>> byKey = new HashMap<>();
        merged.forEach(entry ->
                byKey.computeIfAbsent(entry.key, _ -> new ArrayList<>()).add(entry));
        List<Entry> named = wanted.stream()
                .flatMap(key -> byKey.getOrDefault(key, List.of()).stream())
                .toList();
        Set<JsonNode> names = new HashSet<>(wanted);
        List<Entry> others =
                merged.stream().filter(entry -> !names.contains(entry.key)).toList();
        List<Entry> ordered = new ArrayList<>();
        int next = 0;
        for (Entry entry : named) {
            while (next < others.size() && others.get(next).stoodBefore(entry)) {
                ordered.add(others.get(next++));
            }
            ordered.add(entry);
        }
        ordered.addAll(others.subList(next, others.size()));
        return ordered;
    }
}
