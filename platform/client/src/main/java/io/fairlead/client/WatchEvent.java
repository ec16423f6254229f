package io.fairlead.client;

import io.fairlead.api.Revision;

/// One step of a watch.
public sealed interface WatchEvent<T> {
    record Added<T>(T object) implements WatchEvent<T> {}

    record Modified<T>(T object) implements WatchEvent<T> {}

    /// `object` is the last state, at the revision of the deletion.
    record Deleted<T>(T object) implements WatchEvent<T> {}

    /// All that happened up to `revision` has been sent.
    record Bookmark<T>(Revision revision) implements WatchEvent<T> {}
}
