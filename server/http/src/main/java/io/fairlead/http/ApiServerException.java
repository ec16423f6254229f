package io.fairlead.http;

/// The server itself cannot go on: it could not listen, start or stop.
public final class ApiServerException extends RuntimeException {
    ApiServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
