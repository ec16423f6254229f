package io.fairlead.api;

/// A text is not what it should be; the message says where and why, for the one who wrote it.
public final class ParseException extends RuntimeException {
    public ParseException(String message) {
        super(message);
    }

    public ParseException(String message, Throwable cause) {
        super(message, cause);
    }
}
