package io.fairlead.forwarding;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What leads from one Program to another; each list sorted by key.
public record Patch<E extends Entry>(List<E> added, List<Change<E>> changed, List<E> removed) {

    /// The same key, another content.
    public record Change<E>(E before, E after) {}

    public static <E extends Entry> Patch<E> between(Program<E> from, Program<E> to) {
        List<E> added = new ArrayList<>();
        List<Change<E>> changed = new ArrayList<>();
        List<E> removed = new ArrayList<>();
        to.changedSince(from, key -> {
            Optional<E> before = from.find(key);
            Optional<E> after = to.find(key);
            if (before.isEmpty()) {
                after.ifPresent(added::add);
            } else if (after.isEmpty()) {
                removed.add(before.get());
            } else if (!before.get().equals(after.get())) {
                changed.add(new Change<>(before.get(), after.get()));
            }
        });
        Comparator<E> byKey = Comparator.comparing(entry -> entry.key().toString());
        added.sort(byKey);
        changed.sort(Comparator.comparing(change -> change.after().key().toString()));
        removed.sort(byKey);
        return new Patch<>(List.copyOf(added), List.copyOf(changed), List.copyOf(removed));
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    public int size() {
        return added.size() + changed.size() + removed.size();
    }
}
