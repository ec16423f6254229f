package io.fairlead.api;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Objects by the labels they are found under, so that a match costs as much as it finds; immutable.
record LabelIndex<V>(PersistentMap<Label, PersistentMap<NamespacedName, V>> byLabel) {

    record Label(String namespace, String key, String value) {}

    static <V> LabelIndex<V> empty() {
        return new LabelIndex<>(PersistentMap.empty());
    }

    LabelIndex<V> with(NamespacedName name, Map<String, String> labels, V value) {
        PersistentMap<Label, PersistentMap<NamespacedName, V>> map = byLabel;
        for (Label label : labels(name, labels)) {
            map = map.with(label, map.find(label).orElse(PersistentMap.empty()).with(name, value));
        }
        return new LabelIndex<>(map);
    }

    LabelIndex<V> without(NamespacedName name, Map<String, String> labels) {
        PersistentMap<Label, PersistentMap<NamespacedName, V>> map = byLabel;
        for (Label label : labels(name, labels)) {
            PersistentMap<NamespacedName, V> rest =
                    map.find(label).orElse(PersistentMap.empty()).without(name);
            map = rest.isEmpty() ? map.without(label) : map.with(label, rest);
        }
        return new LabelIndex<>(map);
    }

    /// Those under one of the labels.
    Stream<V> under(String namespace, String key, String value) {
        return byLabel.find(new Label(namespace, key, value)).stream().flatMap(PersistentMap::values);
    }

    /// Those that have all of `wanted`, and perhaps more that do not: the shortest list that any of its labels has.
    Stream<V> candidates(String namespace, Map<String, String> wanted) {
        return wanted.entrySet().stream()
                .map(entry -> byLabel.find(new Label(namespace, entry.getKey(), entry.getValue())))
                .min(Comparator.comparingInt(
                        found -> found.map(PersistentMap::size).orElse(0)))
                .flatMap(found -> found)
                .stream()
                .flatMap(PersistentMap::values);
    }

    /// One label of a selector, always the same one: enough to find the selector by.
    static Map<String, String> oneOf(Map<String, String> selector) {
        Optional<String> first = selector.keySet().stream().min(Comparator.naturalOrder());
        return first.map(key -> Map.of(key, selector.getOrDefault(key, ""))).orElse(Map.of());
    }

    private static Iterable<Label> labels(NamespacedName name, Map<String, String> labels) {
        return labels.entrySet().stream()
                .map(entry -> new Label(name.namespace(), entry.getKey(), entry.getValue()))
                .toList();
    }
}
