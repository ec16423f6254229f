package io.fairlead.access;

/// Keys, certificates or tokens that cannot be read, made or kept.
public final class AccessException extends RuntimeException {
    AccessException(String message) {
        super(message);
    }

    AccessException(String message, Throwable cause) {
        super(message, cause);
    }
}
