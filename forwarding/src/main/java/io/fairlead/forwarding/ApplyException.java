package io.fairlead.forwarding;

/// The kernel did not take a change; the message says what was tried.
public final class ApplyException extends RuntimeException {
    public ApplyException(String message, Throwable cause) {
        super(message, cause);
    }
}
