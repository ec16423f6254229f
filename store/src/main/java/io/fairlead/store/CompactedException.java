package io.fairlead.store;

import io.fairlead.api.Revision;

/// The history that was asked for is gone; list again and watch from there.
public final class CompactedException extends RuntimeException {
    public CompactedException(Revision asked, Revision compacted) {
        super("revision %s is gone: the history starts after %s".formatted(asked, compacted));
    }
}
