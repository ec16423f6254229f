package io.fairlead.api;

import java.util.stream.Stream;

/// Objects in groups, so that a group is found at the cost of its size; an empty group is none. Immutable.
record Groups<K, V>(PersistentMap<K, PersistentMap<NamespacedName, V>> byKey) {

    static <K, V> Groups<K, V> empty() {
        return new Groups<>(PersistentMap.empty());
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
