package io.fairlead.routes;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentMap;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/// Which Ingresses use a thing, by thing; immutable.
record Users<K>(PersistentMap<K, Set<NamespacedName>> byKey) {
    static <K> Users<K> none() {
        return new Users<>(PersistentMap.empty());
    }

    Set<NamespacedName> of(K key) {
        return byKey.find(key).orElse(Set.of());
    }

    Users<K> with(Collection<K> keys, NamespacedName user) {
        PersistentMap<K, Set<NamespacedName>> map = byKey;
        for (K key : keys) {
            Set<NamespacedName> users = new TreeSet<>(map.find(key).orElse(Set.of()));
            users.add(user);
            map = map.with(key, users);
        }
        return new Users<>(map);
    }

    Users<K> without(Collection<K> keys, NamespacedName user) {
        PersistentMap<K, Set<NamespacedName>> map = byKey;
        for (K key : keys) {
            Set<NamespacedName> users = new TreeSet<>(map.find(key).orElse(Set.of()));
            users.remove(user);
            map = users.isEmpty() ? map.without(key) : map.with(key, users);
        }
        return new Users<>(map);
    }
}
