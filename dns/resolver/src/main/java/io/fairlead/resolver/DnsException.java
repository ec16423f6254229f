package io.fairlead.resolver;

/// The world refused something to the server of names; says what was tried.
public final class DnsException extends RuntimeException {
    DnsException(String message, Throwable cause) {
        super(message, cause);
    }

    DnsException(String message) {
        super(message);
    }
}
