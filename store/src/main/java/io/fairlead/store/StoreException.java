package io.fairlead.store;

/// The store could not do what was asked: its sentence says what was tried and why it failed.
public final class StoreException extends RuntimeException {
    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
