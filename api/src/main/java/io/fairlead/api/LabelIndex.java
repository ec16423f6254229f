package io.fairlead.api;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Objects by the labels they are found under, so that a match costs as much as it finds; immutable.
record LabelIndex<V>(Groups<Label, V> byLabel) {

    record Label(String namespace, String key, String value) {}

    static <V> LabelIndex<V> empty() {
        return new LabelIndex<>(Groups.empty());
    }

    LabelIndex<V> with(NamespacedName name, Map<String, String> labels, V value) {
        Groups<Label, V> groups = byLabel;
        for (Label label : labels(name.namespace(), labels)) {
            groups = groups.with(label, name, value);
        }
        return new LabelIndex<>(groups);
    }

    LabelIndex<V> without(NamespacedName name, Map<String, String> labels) {
        Groups<Label, V> groups = byLabel;
        for (Label label : labels(name.namespace(), labels)) {
            groups = groups.without(label, name);
        }
        return new LabelIndex<>(groups);
    }

    /// Those under one of the labels.
    Stream<V> under(String namespace, String key, String value) {
        return byLabel.values(new Label(namespace, key, value));
    }

    /// Those that have all of `wanted`, and perhaps more that do not: the shortest list that any of its labels has.
    Stream<V> candidates(String namespace, Map<String, String> wanted) {
        return labels(namespace, wanted).stream()
                .map(byLabel::of)
                .min(Comparator.comparingInt(PersistentMap::size))
                .stream()
                .flatMap(PersistentMap::values);
    }

    /// One label of a selector, always the same one: enough to find the selector by.
    static Map<String, String> oneOf(Map<String, String> selector) {
        Optional<String> first = selector.keySet().stream().min(Comparator.naturalOrder());
        return first.map(key -> Map.of(key, selector.getOrDefault(key, ""))).orElse(Map.of());
    }

    private static List<Label> labels(String namespace, Map<String, String> labels) {
        return labels.entrySet().stream()
                .map(entry -> new Label(namespace, entry.getKey(), entry.getValue()))
                .toList();
    }
}
