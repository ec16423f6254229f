package io.fairlead.store;

import io.fairlead.api.Revision;

/// The history that was asked for is gone; list again and watch from there.
public final class CompactedException extends RuntimeException {
    private final transient Revision asked;
    private final transient Revision compacted;

    public CompactedException(Revision asked, Revision compacted) {
        super("revision %s is gone: the history starts after %s".formatted(asked, compacted));
        this.asked = asked;
        this.compacted = compacted;
    }

    public Revision asked() {
        return asked;
    }

    /// What came after this is still there.
    public Revision compacted() {
        return compacted;
    }
}
