package io.fairlead.forwarding;

import io.fairlead.api.PersistentMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Which entries are wanted, and how often; immutable.
///
/// The same entry may be claimed by many (a chain for three targets, by every Service that has three): that is one
/// number, so a claim costs the same however many there are.
record Claims<E extends Entry>(PersistentMap<Object, Held<E>> byKey) {

    /// What is claimed under one key. Nearly all of a large cluster is claimed once, so that is its own, smallest form.
    sealed interface Held<E> {
        record Once<E>(E entry) implements Held<E> {}

        /// Several contents, or one that several claim; the content that counts comes first.
        record Several<E>(List<Claim<E>> claims) implements Held<E> {}

        default E entry() {
            return switch (this) {
                case Once<E>(E entry) -> entry;
                case Several<E>(List<Claim<E>> claims) -> claims.getFirst().entry();
            };
        }

        default List<Claim<E>> claims() {
            return switch (this) {
                case Once<E>(E entry) -> List.of(new Claim<>(entry, 1));
                case Several<E>(List<Claim<E>> claims) -> claims;
            };
        }
    }

    /// One content under a key, and how many claim it.
    record Claim<E>(E entry, int count) {}

    static <E extends Entry> Claims<E> none() {
        return new Claims<>(PersistentMap.empty());
    }

    Claims<E> plus(Collection<E> entries) {
        if (byKey.isEmpty()) {
            return first(entries);
        }
        PersistentMap<Object, Held<E>> map = byKey;
        for (E entry : entries) {
            map = counted(map, entry, 1);
        }
        return new Claims<>(map);
    }

    /// The first of a large cluster: counted in place, and made a map at once.
    private static <E extends Entry> Claims<E> first(Collection<E> entries) {
        Map<Object, Held<E>> map = HashMap.newHashMap(entries.size());
        for (E entry : entries) {
            map.merge(entry.key(), new Held.Once<>(entry), (known, _) -> held(counted(known.claims(), entry, 1)));
        }
        return new Claims<>(PersistentMap.<Object, Held<E>>empty().withAll(map));
    }

    /// Without one claim for each of `entries`, which are there.
    Claims<E> minus(Collection<E> entries) {
        PersistentMap<Object, Held<E>> map = byKey;
        for (E entry : entries) {
            map = counted(map, entry, -1);
        }
        return new Claims<>(map);
    }

    /// The content that counts for a key: where there are several, the one whose text sorts first.
    Optional<E> find(Object key) {
        return byKey.find(key).map(Held::entry);
    }

    Stream<E> entries() {
        return byKey.values().map(Held::entry);
    }

    int size() {
        return byKey.size();
    }

    /// Names each key that is claimed otherwise than in `older`.
    void changedSince(Claims<E> older, Consumer<Object> changed) {
        byKey.changedSince(older.byKey, changed);
    }

    private static <E extends Entry> PersistentMap<Object, Held<E>> counted(
            PersistentMap<Object, Held<E>> map, E entry, int step) {
        Object key = entry.key();
        List<Claim<E>> before = map.find(key).map(Held::claims).orElse(List.of());
        List<Claim<E>> after = counted(before, entry, step);
        return after.isEmpty() ? map.without(key) : map.with(key, held(after));
    }

    private static <E> Held<E> held(List<Claim<E>> claims) {
        Claim<E> first = claims.getFirst();
        return claims.size() == 1 && first.count() == 1
                ? new Held.Once<>(first.entry())
                : new Held.Several<>(List.copyOf(claims));
    }

    private static <E extends Entry> List<Claim<E>> counted(List<Claim<E>> claims, E entry, int step) {
        List<Claim<E>> after = new ArrayList<>(claims.size() + 1);
        int count = step;
        for (Claim<E> claim : claims) {
            if (claim.entry().equals(entry)) {
                count += claim.count();
            } else {
                after.add(claim);
            }
        }
        if (count > 0) {
            after.add(new Claim<>(entry, count));
        }
        if (after.size() > 1) {
            after.sort(Comparator.comparing(claim -> claim.entry().toString()));
        }
        return after;
    }
}
