package io.fairlead.forwarding;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What leads from one Program to another: nothing that is in both. Its lists have no order
/// that means anything: to sort the first patch of a large cluster takes as long as to find it.
public record Patch<E extends Entry>(List<E> added, List<Change<E>> changed, List<E> removed) {

    /// The same key, another content.
    public record Change<E>(E before, E after) {}

    public Patch {
        added = List.copyOf(added);
        changed = List.copyOf(changed);
        removed = List.copyOf(removed);
    }

    public static <E extends Entry> Patch<E> between(Program<E> from, Program<E> to) {
        if (from.size() == 0) {
            List<E> all = new ArrayList<>(to.size());
            to.forEach(all::add);
            return new Patch<>(all, List.of(), List.of());
        }
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
        return new Patch<>(added, changed, removed);
    }

    /// The same, each list sorted by the text of its keys: for who writes it down in an order.
    public Patch<E> sorted() {
        return new Patch<>(
                KeyOrder.sorted(added, Entry::key),
                KeyOrder.sorted(changed, change -> change.after().key()),
                KeyOrder.sorted(removed, Entry::key));
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    public int size() {
        return added.size() + changed.size() + removed.size();
    }
}
