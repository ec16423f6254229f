package io.fairlead.forwarding;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// All that a backend owns in the kernel, wanted or observed; immutable.
///
/// It is a union: several Services may claim the same entry (the hairpin pair of a pod), which stays until the last
/// claim is gone. If two claim one key with different content, the one that sorts first by its text wins.
public final class Program<E extends Entry> {
    private final PersistentMap<Object, List<E>> claims;
    private final PersistentMap<NamespacedName, List<E>> byService;
    private final ForwardingTable table;

    private Program(
            PersistentMap<Object, List<E>> claims,
            PersistentMap<NamespacedName, List<E>> byService,
            ForwardingTable table) {
        this.claims = claims;
        this.byService = byService;
        this.table = table;
    }

    /// A Program of these entries and no Service: a foundation, or what was observed.
    public static <E extends Entry> Program<E> of(Collection<E> entries) {
        PersistentMap<Object, List<E>> claims = PersistentMap.empty();
        for (E entry : entries) {
            claims = claimed(claims, entry);
        }
        return new Program<>(claims, PersistentMap.empty(), ForwardingTable.empty());
    }

    /// The whole Program of a table.
    public static <E extends Entry> Program<E> of(Backend<E> backend, ForwardingTable table) {
        return of(backend.foundation()).at(table, backend);
    }

    /// This Program brought to `newer`: only the Services whose rows differ are compiled.
    public Program<E> at(ForwardingTable newer, Backend<E> backend) {
        Set<NamespacedName> changed = new HashSet<>();
        newer.rows().changedSince(table.rows(), changed::add);
        PersistentMap<Object, List<E>> claims = this.claims;
        PersistentMap<NamespacedName, List<E>> byService = this.byService;
        for (NamespacedName service : changed) {
            for (E entry : byService.find(service).orElse(List.of())) {
                claims = released(claims, entry);
            }
            List<E> entries = newer.rows().find(service).map(backend::compile).orElse(List.of());
            for (E entry : entries) {
                claims = claimed(claims, entry);
            }
            byService = entries.isEmpty() ? byService.without(service) : byService.with(service, entries);
        }
        return new Program<>(claims, byService, newer);
    }

    public Optional<E> find(Object key) {
        return claims.find(key).map(List::getFirst);
    }

    /// The entries, sorted by key.
    public Stream<E> entries() {
        return claims.values()
                .map(List::getFirst)
                .sorted(Comparator.comparing(entry -> entry.key().toString()));
    }

    public int size() {
        return claims.size();
    }

    /// Names each key whose claims differ from those in `older`.
    void changedSince(Program<E> older, Consumer<Object> changed) {
        claims.changedSince(older.claims, changed);
    }

    /// One entry a line: what dumps and golden files show.
    public String text() {
        return entries().map(entry -> entry + "\n").collect(Collectors.joining());
    }

    /// Equal if they hold the same entries, whoever claims them.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Program<?> program
                && program.size() == size()
                && entries().toList().equals(program.entries().toList());
    }

    @Override
    public int hashCode() {
        return entries().toList().hashCode();
    }

    @Override
    public String toString() {
        return "Program of %d entries".formatted(size());
    }

    private static <E extends Entry> PersistentMap<Object, List<E>> claimed(
            PersistentMap<Object, List<E>> claims, E entry) {
        List<E> before = claims.find(entry.key()).orElse(List.of());
        List<E> after = new ArrayList<>(before);
        after.add(entry);
        after.sort(Comparator.comparing(Object::toString));
        return claims.with(entry.key(), List.copyOf(after));
    }

    private static <E extends Entry> PersistentMap<Object, List<E>> released(
            PersistentMap<Object, List<E>> claims, E entry) {
        List<E> after = new ArrayList<>(claims.find(entry.key()).orElse(List.of()));
        after.remove(entry);
        return after.isEmpty() ? claims.without(entry.key()) : claims.with(entry.key(), List.copyOf(after));
    }
}
