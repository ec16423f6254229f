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

/// The writes of one group, decided one after the other: each sees what those before it wrote. Nobody else sees any of
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

    Outcome decide(Write write) {
        return switch (write) {
            case Write.Put(var key, var value, var expected) -> put(key, value, expected);
            case Write.Delete(var key, var expected) -> delete(key, expected);
            case Write.Compact(var upTo) -> compact(upTo);
        };
    }

    private Outcome put(String key, byte[] value, Revision expected) {
        Optional<Stored> current = find(key);
        Revision actual = revisionOf(current);
        if (!actual.equals(expected)) {
            return new Outcome.Conflict(actual);
        }
        return add(new Change.Put(new Stored(key, value, next()), current));
    }

    private Outcome delete(String key, Revision expected) {
        Optional<Stored> current = find(key);
        Revision actual = revisionOf(current);
        if (current.isEmpty() || !actual.equals(expected)) {
            return new Outcome.Conflict(actual);
        }
        return add(new Change.Delete(key, next(), current));
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

    private static Revision revisionOf(Optional<Stored> stored) {
        return stored.map(Stored::revision).orElse(Revision.ZERO);
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
