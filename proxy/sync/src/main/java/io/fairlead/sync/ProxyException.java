package io.fairlead.sync;

/// The proxy cannot run as it was asked to; the message says why, for the one who started it.
public final class ProxyException extends RuntimeException {
    public ProxyException(String message) {
        super(message);
    }

    public ProxyException(String message, Throwable cause) {
        super(message, cause);
    }
}
