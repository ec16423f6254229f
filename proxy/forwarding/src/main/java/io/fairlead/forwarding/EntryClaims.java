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
/// number, so a claim costs the same however many there are. But nearly all of a large cluster is claimed `once`; what
/// lies there under a key needs no number, and is not among the `others`.
record EntryClaims<E extends Entry>(PersistentMap<Object, E> once, PersistentMap<Object, List<Claim<E>>> others) {

    /// One content under a key, and how many claim it. Where there are several, the one that counts comes first.
    record Claim<E>(E entry, int count) {}

    static <E extends Entry> EntryClaims<E> none() {
        return new EntryClaims<>(PersistentMap.empty(), PersistentMap.empty());
    }

    EntryClaims<E> plus(Collection<E> entries) {
        if (size() == 0) {
            return first(entries);
        }
        EntryClaims<E> claims = this;
        for (E entry : entries) {
            claims = claims.counted(entry, 1);
        }
        return claims;
    }

    /// The first of a large cluster: counted in place, and made maps at once.
    private static <E extends Entry> EntryClaims<E> first(Collection<E> entries) {
        List<E> doubles = new ArrayList<>();
        PersistentMap<Object, E> once = PersistentMap.of(entries, Entry::key, doubles::add);
        Map<Object, List<Claim<E>>> others = new HashMap<>();
        for (E entry : doubles) {
            Object key = entry.key();
            List<Claim<E>> before = others.get(key);
            if (before == null) {
                before = once.find(key)
                        .map(known -> List.of(new Claim<>(known, 1)))
                        .orElseThrow();
                once = once.without(key);
            }
            others.put(key, List.copyOf(counted(before, entry, 1)));
        }
        return new EntryClaims<>(
                once, PersistentMap.<Object, List<Claim<E>>>empty().withAll(others));
    }

    /// Without one claim for each of `entries`, which are there.
    EntryClaims<E> minus(Collection<E> entries) {
        EntryClaims<E> claims = this;
        for (E entry : entries) {
            claims = claims.counted(entry, -1);
        }
        return claims;
    }

    /// The content that counts for a key: where there are several, the one whose text sorts first.
    Optional<E> find(Object key) {
        Optional<E> entry = once.find(key);
        return entry.isPresent()
                ? entry
                : others.find(key).map(claims -> claims.getFirst().entry());
    }

    void forEach(Consumer<E> action) {
        once.forEach((_, entry) -> action.accept(entry));
        forEachShared(action);
    }

    /// Each that counts for a key which has more than one claim.
    void forEachShared(Consumer<E> action) {
        others.forEach((_, claims) -> action.accept(claims.getFirst().entry()));
    }

    boolean isShared(Object key) {
        return others.contains(key);
    }

    Stream<E> entries() {
        return Stream.concat(
                once.values(), others.values().map(claims -> claims.getFirst().entry()));
    }

    int size() {
        return once.size() + others.size();
    }

    /// Names each key that is claimed otherwise than in `older`; once each.
    void changedSince(EntryClaims<E> older, Consumer<Object> changed) {
        once.changedSince(older.once, changed);
        others.changedSince(older.others, key -> {
            if (!once.contains(key) && !older.once.contains(key)) { // else it was just named
                changed.accept(key);
            }
        });
    }

    private EntryClaims<E> counted(E entry, int step) {
        Object key = entry.key();
        Optional<E> single = once.find(key);
        List<Claim<E>> before = single.map(known -> List.of(new Claim<>(known, 1)))
                .orElseGet(() -> others.find(key).orElse(List.of()));
        List<Claim<E>> after = counted(before, entry, step);
        if (after.size() == 1 && after.getFirst().count() == 1) {
            return new EntryClaims<>(once.with(key, after.getFirst().entry()), others.without(key));
        }
        return new EntryClaims<>(
                once.without(key), after.isEmpty() ? others.without(key) : others.with(key, List.copyOf(after)));
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
