package io.fairlead.store;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Change;
import java.util.List;
import java.util.Optional;

/// The changes that are not compacted yet, to be read in pages.
interface History {
    /// The next changes after `after` and up to `upTo`, in order: one at least, as many as make a good page; nothing if
    /// a part of what was asked for is gone, or the store is closed.
    Optional<List<Change>> page(Revision after, Revision upTo);
}
