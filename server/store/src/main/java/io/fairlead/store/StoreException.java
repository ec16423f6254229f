package io.fairlead.store;

/// The store could not do what was asked: its sentence says what was tried and why it failed.
public final class StoreException extends RuntimeException {
    /// What a caller may conclude.
    public enum Kind {
        /// Nothing was written; it may work later.
        UNAVAILABLE,
        /// The write was sent, and no answer said what became of it: it may have been made or not.
        UNCERTAIN,
        /// Nothing was written, and it never will be: the value is larger than the store takes.
        TOO_LARGE
    }

    private final Kind kind;

    public StoreException(String message) {
        super(message);
        this.kind = Kind.UNAVAILABLE;
    }

    public StoreException(String message, Throwable cause) {
        this(Kind.UNAVAILABLE, message, cause);
    }

    public StoreException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
