package io.fairlead.client;

import org.jspecify.annotations.Nullable;

/// The API server said no, or nothing: the HTTP code (0 where no answer came), the reason as the API spells it, and
/// a sentence.
public final class ApiException extends RuntimeException {
    private final int code;
    private final String reason;

    public ApiException(int code, String reason, String message) {
        super(message);
        this.code = code;
        this.reason = reason;
    }

    ApiException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = 0;
        this.reason = "NoAnswer";
    }

    public int code() {
        return code;
    }

    /// `NotFound`, `AlreadyExists`, `Conflict`, `Expired`, `Invalid`, …
    public String reason() {
        return reason;
    }

    public boolean isNotFound() {
        return code == 404;
    }

    /// Another client wrote first, or the name is taken.
    public boolean isConflict() {
        return code == 409;
    }

    /// The revision we asked for is no longer kept: list again.
    public boolean isGone() {
        return code == 410;
    }

    /// No answer came: whether the request was carried out is not known.
    public boolean isUnanswered() {
        return code == 0;
    }
}
