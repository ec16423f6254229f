package io.fairlead.forwarding;

import io.fairlead.api.PersistentMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Which entries are wanted, and how often; immutable.
///
/// The same entry may be claimed by many (a chain for three targets, by every Service that has three): that is one
/// number, so a claim costs the same however many there are.
record Claims<E extends Entry>(PersistentMap<Object, List<Claim<E>>> byKey) {

    /// One content under a key, and how many claim it.
    record Claim<E>(E entry, int count) {}

    static <E extends Entry> Claims<E> none() {
        return new Claims<>(PersistentMap.empty());
    }

    Claims<E> plus(Collection<E> entries) {
        PersistentMap<Object, List<Claim<E>>> map = byKey;
        for (E entry : entries) {
            map = counted(map, entry, 1);
        }
        return new Claims<>(map);
    }

    /// Without one claim for each of `entries`, which are there.
    Claims<E> minus(Collection<E> entries) {
        PersistentMap<Object, List<Claim<E>>> map = byKey;
        for (E entry : entries) {
            map = counted(map, entry, -1);
        }
        return new Claims<>(map);
    }

    /// The content that counts for a key: where there are several, the one whose text sorts first.
    Optional<E> find(Object key) {
        return byKey.find(key).map(claims -> claims.getFirst().entry());
    }

    Stream<E> entries() {
        return byKey.values().map(claims -> claims.getFirst().entry());
    }

    int size() {
        return byKey.size();
    }

    /// Names each key that is claimed otherwise than in `older`.
    void changedSince(Claims<E> older, Consumer<Object> changed) {
        byKey.changedSince(older.byKey, changed);
    }

    private static <E extends Entry> PersistentMap<Object, List<Claim<E>>> counted(
            PersistentMap<Object, List<Claim<E>>> map, E entry, int step) {
        List<Claim<E>> after = counted(map.find(entry.key()).orElse(List.of()), entry, step);
        return after.isEmpty() ? map.without(entry.key()) : map.with(entry.key(), after);
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
        return List.copyOf(after);
    }
}
