package io.fairlead.store;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Batch;
import java.util.Optional;

/// The changes that are not compacted yet, to be read in pages.
interface History {
    /// The next changes after `after` and up to `upTo`: as many as make a good page; nothing if a part of what
    /// was asked for is gone, or the store is closed.
    Optional<Batch> page(Revision after, Revision upTo) throws InterruptedException;
}
