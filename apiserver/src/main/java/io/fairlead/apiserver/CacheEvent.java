package io.fairlead.apiserver;

import io.fairlead.api.Revision;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One change of one object: what it was and what it is, at the revision of the change.
///
/// All watchers share it, so what has to be serialised for one of them is serialised for all.
final class CacheEvent {
    private final Revision revision;
    private final @Nullable ApiObject previous;
    private final @Nullable ApiObject current;
    private volatile @Nullable ApiObject gone;

    private CacheEvent(Revision revision, @Nullable ApiObject previous, @Nullable ApiObject current) {
        this.revision = revision;
        this.previous = previous;
        this.current = current;
    }

    static CacheEvent put(@Nullable ApiObject previous, ApiObject current) {
        return new CacheEvent(current.revision(), previous, current);
    }

    static CacheEvent delete(ApiObject previous, Revision revision) {
        return new CacheEvent(revision, previous, null);
    }

    Revision revision() {
        return revision;
    }

    /// How the change looks to somebody who sees only objects that match: an object that begins or ceases to match
    /// is added or deleted for them, though it was only modified (K12).
    Optional<Seen> seenBy(Predicate<ApiObject> selection) {
        ApiObject before = previous != null && selection.test(previous) ? previous : null;
        if (current != null && selection.test(current)) {
            return Optional.of(new Seen(before == null ? Type.ADDED : Type.MODIFIED, current));
        }
        return before == null ? Optional.empty() : Optional.of(new Seen(Type.DELETED, gone(before)));
    }

    private ApiObject gone(ApiObject last) {
        ApiObject made = gone;
        if (made == null) {
            made = last.at(revision);
            gone = made;
        }
        return made;
    }

    /// The types of events that tell of an object.
    enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }

    /// A change as one watcher sees it.
    record Seen(Type type, ApiObject object) {}
}
