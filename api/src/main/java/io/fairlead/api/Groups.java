package io.fairlead.api;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/// Objects in groups, so that a group is found at the cost of its size; an empty group is none. Immutable.
record Groups<K, V>(PersistentMap<K, PersistentMap<NamespacedName, V>> byKey) {

    static <K, V> Groups<K, V> empty() {
        return new Groups<>(PersistentMap.empty());
    }

    /// All of them, made at once.
    static <K, V extends KubernetesObject> Groups<K, V> of(List<V> objects, Function<V, K> keyOf) {
        Map<K, PersistentMap<NamespacedName, V>> groups = new HashMap<>();
        for (V object : objects) {
            K key = keyOf.apply(object);
            PersistentMap<NamespacedName, V> group = groups.getOrDefault(key, PersistentMap.empty());
            groups.put(key, group.with(object.key(), object));
        }
        return new Groups<>(
                PersistentMap.<K, PersistentMap<NamespacedName, V>>empty().withAll(groups));
    }

    Groups<K, V> with(K key, NamespacedName name, V value) {
        return new Groups<>(byKey.with(key, of(key).with(name, value)));
    }

    Groups<K, V> without(K key, NamespacedName name) {
        PersistentMap<NamespacedName, V> rest = of(key).without(name);
        return new Groups<>(rest.isEmpty() ? byKey.without(key) : byKey.with(key, rest));
    }

    PersistentMap<NamespacedName, V> of(K key) {
        return byKey.find(key).orElse(PersistentMap.empty());
    }

    Stream<V> values(K key) {
        return of(key).values();
    }
}
