package io.fairlead.lab;

/// A cluster cannot be built or kept up on this machine; the message is a sentence for its user.
public final class LabException extends RuntimeException {
    public LabException(String message) {
        super(message);
    }

    public LabException(String message, Throwable cause) {
        super(message, cause);
    }
}
