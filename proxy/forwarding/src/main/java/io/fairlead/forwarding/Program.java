package io.fairlead.forwarding;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentMap;
import io.fairlead.api.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// All that a backend owns in the kernel, wanted or observed; immutable.
///
/// It is a union: several Services may claim the same entry (the hairpin pair of a pod), which stays until the
/// last claim is gone. If two claim one key with different content, the one that sorts first by its text wins.
public final class Program<E extends Entry> {
    private final EntryClaims<E> claims;
    private final List<E> foundation;
    private final PersistentMap<NamespacedName, List<E>> byService;
    private final ForwardingTable table;
    private final int targets; // of the table; counted only where the compiler asks
    private final PersistentMap<NamespacedName, List<Note>> notes; // of the Services that have any
    private final List<E> first; // what was claimed, Service by Service, where all of it was at once; else nothing

    private Program(
            EntryClaims<E> claims,
            List<E> foundation,
            PersistentMap<NamespacedName, List<E>> byService,
            ForwardingTable table,
            int targets,
            PersistentMap<NamespacedName, List<Note>> notes,
            List<E> first) {
        this.claims = claims;
        this.foundation = foundation;
        this.byService = byService;
        this.table = table;
        this.targets = targets;
        this.notes = notes;
        this.first = first;
    }

    /// A Program of these entries and no Service: what was observed.
    public static <E extends Entry> Program<E> of(Collection<E> entries) {
        return new Program<>(
                EntryClaims.<E>none().plus(entries),
                List.of(),
                PersistentMap.empty(),
                ForwardingTable.empty(),
                0,
                PersistentMap.empty(),
                List.of());
    }

    /// The whole Program of a table.
    public static <E extends Entry> Program<E> of(Compiler<E> compiler, ForwardingTable table) {
        ForwardingTable noServices = ForwardingTable.of(Snapshot.EMPTY, table.node());
        return new Program<>(
                        EntryClaims.<E>none(),
                        List.of(),
                        PersistentMap.empty(),
                        noServices,
                        0,
                        PersistentMap.empty(),
                        List.of())
                .at(table, compiler, foundation(compiler, table));
    }

    /// This Program brought to `newer`: only the Services whose rows differ are compiled, and the foundation
    /// only for a node that differs. All are where the compiler's [Detail] changes.
    public Program<E> at(ForwardingTable newer, Compiler<E> compiler) {
        return at(newer, compiler, newer.node().equals(table.node()) ? foundation : foundation(compiler, newer));
    }

    private Program<E> at(ForwardingTable newer, Compiler<E> compiler, List<E> foundation) {
        Set<NamespacedName> changed = new HashSet<>();
        newer.rows().changedSince(table.rows(), changed::add);
        int targets = compiler.mostInFull().isPresent() ? this.targets + growth(changed, newer) : 0;
        Detail detail = detail(compiler, targets);
        if (detail != detail(compiler, this.targets)) {
            newer.rows().keys().forEach(changed::add);
        }
        PersistentMap<NamespacedName, List<E>> byService = this.byService;
        PersistentMap<NamespacedName, List<Note>> notes = this.notes;
        Map<NamespacedName, List<E>> compiled = new HashMap<>();
        List<E> more = new ArrayList<>(without(foundation, this.foundation));
        List<E> less = new ArrayList<>(without(this.foundation, foundation));
        for (OfService<E> now : Many.of(claims.size() == 0 ? inOrder(changed) : changed)
                .map(name -> compile(name, newer, compiler, detail))
                .toList()) {
            List<E> before = byService.find(now.name).orElse(List.of());
            more.addAll(without(now.entries, before));
            less.addAll(without(before, now.entries));
            if (now.entries.isEmpty()) {
                byService = byService.without(now.name);
            } else {
                compiled.put(now.name, now.entries);
            }
            notes = now.notes.isEmpty() ? notes.without(now.name) : notes.with(now.name, now.notes);
        }
        return new Program<>(
                claims.minus(less).plus(more),
                foundation,
                byService.withAll(compiled),
                newer,
                targets,
                notes,
                claims.size() == 0 ? more : List.of());
    }

    private static List<NamespacedName> inOrder(Set<NamespacedName> names) {
        List<NamespacedName> sorted = new ArrayList<>(names);
        Collections.sort(sorted);
        return sorted;
    }

    private static Detail detail(Compiler<?> compiler, int targets) {
        return targets > compiler.mostInFull().orElse(Integer.MAX_VALUE) ? Detail.TERSE : Detail.FULL;
    }

    /// How many targets more there are in `newer`, where only these Services differ.
    private int growth(Set<NamespacedName> changed, ForwardingTable newer) {
        return changed.stream()
                .mapToInt(name -> targets(name, newer) - targets(name, table))
                .sum();
    }

    private static int targets(NamespacedName name, ForwardingTable table) {
        return table.rows().find(name).map(Forwarding::targets).orElse(0);
    }

    /// What one Service claims.
    private record OfService<E>(NamespacedName name, List<E> entries, List<Note> notes) {}

    private static <E extends Entry> OfService<E> compile(
            NamespacedName name, ForwardingTable table, Compiler<E> compiler, Detail detail) {
        return table.rows()
                .find(name)
                .map(rows -> compiler.compile(rows, detail))
                .map(compiled -> new OfService<>(name, distinct(compiled.entries()), compiled.notes()))
                .orElseGet(() -> new OfService<>(name, List.of(), List.of()));
    }

    /// What could not be done as asked, by Service.
    public PersistentMap<NamespacedName, List<Note>> notes() {
        return notes;
    }

    public Optional<E> find(Object key) {
        return claims.find(key);
    }

    /// The entries, sorted by key.
    public Stream<E> entries() {
        return KeyOrder.sorted(claims.entries().toList(), Entry::key).stream();
    }

    /// Each entry. Where all were claimed at once, those that one Service has to itself follow one another as it
    /// claimed them, and the Services are in the order of their names.
    void forEach(Consumer<E> action) {
        if (first.isEmpty()) {
            claims.forEach(action);
            return;
        }
        for (E entry : first) {
            if (!claims.isShared(entry.key())) {
                action.accept(entry);
            }
        }
        claims.forEachShared(action);
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

    /// Equal if they hold the same entries, whichever Services claim them.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Program<?> program
                && program.size() == size()
                && claims.entries()
                        .allMatch(entry ->
                                program.find(entry.key()).filter(entry::equals).isPresent());
    }

    @Override
    public int hashCode() {
        return claims.entries().mapToInt(Object::hashCode).sum();
    }

    @Override
    public String toString() {
        return "Program of %d entries".formatted(size());
    }

    private static <E extends Entry> List<E> foundation(Compiler<E> compiler, ForwardingTable table) {
        return distinct(compiler.foundation(table.node()));
    }

    /// A Service claims an entry once, however many of its rows need it.
    private static <E> List<E> distinct(List<E> entries) {
        return List.copyOf(new LinkedHashSet<>(entries));
    }

    @SuppressWarnings("ReferenceEquality") // the foundation is the very same nearly always, and slow to compare
    private static <E> List<E> without(List<E> entries, List<E> others) {
        if (entries == others) {
            return List.of();
        }
        if (others.isEmpty()) {
            return entries;
        }
        Set<E> known = new HashSet<>(others);
        return entries.stream().filter(entry -> !known.contains(entry)).toList();
    }
}
