package io.fairlead.forwarding;

/// The kernel did not take a change, or did not say what it holds; the message says what was tried.
public final class ApplyException extends RuntimeException {
    public ApplyException(String message) {
        super(message);
    }

    public ApplyException(String message, Throwable cause) {
        super(message, cause);
    }
}
