package io.fairlead.store;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Change;
import io.fairlead.store.Store.Outcome;
import io.fairlead.store.Store.Stored;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The writes of one group, decided one after the other: each sees what those before it wrote. No reader sees any of
/// it until it is durable and published.
final class Draft {
    private final Newest newest;
    private final Map<String, Change> lastOfKey = new HashMap<>();
    private final List<Change> changes = new ArrayList<>();
    private Revision revision;
    private Revision compactTo = Revision.ZERO;

    Draft(Newest newest) {
        this.newest = newest;
        this.revision = newest.revision();
    }

    /// Writes all of them, or none.
    List<Outcome> decide(List<? extends StoreWrite> writes) {
        boolean fits = writes.stream().allMatch(this::fits);
        return writes.stream()
                .map(write -> fits ? write(write) : new Outcome.Conflict(actual(write)))
                .toList();
    }

    private boolean fits(StoreWrite write) {
        return switch (write) {
            case Store.Put put -> actual(put).equals(put.expected());
            case StoreWrite.Delete delete ->
                actual(delete).equals(delete.expected()) && find(delete.key()).isPresent();
            case StoreWrite.Compact _ -> true;
        };
    }

    private Revision actual(StoreWrite write) {
        return write instanceof StoreWrite.OfKey one
                ? find(one.key()).map(Stored::revision).orElse(Revision.ZERO)
                : revision;
    }

    private Outcome write(StoreWrite write) {
        return switch (write) {
            case Store.Put(var key, var value, var _) -> add(new Change.Put(new Stored(key, value, next()), find(key)));
            case StoreWrite.Delete(var key, var _) -> add(new Change.Delete(key, next(), find(key)));
            case StoreWrite.Compact(var upTo) -> compact(upTo);
        };
    }

    private Outcome compact(Revision upTo) {
        compactTo = upTo.isAfter(compactTo) ? upTo : compactTo;
        return new Outcome.Done(upTo);
    }

    private Outcome add(Change change) {
        revision = change.revision();
        changes.add(change);
        lastOfKey.put(change.key(), change);
        return new Outcome.Done(revision);
    }

    private Optional<Stored> find(String key) {
        return switch (lastOfKey.get(key)) {
            case null -> newest.find(key);
            case Change.Put(var stored, var _) -> Optional.of(stored);
            case Change.Delete _ -> Optional.empty();
        };
    }

    private Revision next() {
        return new Revision(revision.value() + 1);
    }

    /// What the group changes, in order, without a gap after the newest revision.
    List<Change> changes() {
        return Collections.unmodifiableList(changes);
    }

    /// How far the group wants the history forgotten; zero if it does not ask for it.
    Revision compactTo() {
        return compactTo;
    }

    /// Whether there is nothing to make durable.
    boolean isEmpty() {
        return changes.isEmpty() && compactTo.equals(Revision.ZERO);
    }
}
