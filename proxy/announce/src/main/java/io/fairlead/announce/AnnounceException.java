package io.fairlead.announce;

/// The world failed an announcer.
public final class AnnounceException extends RuntimeException {
    public AnnounceException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
