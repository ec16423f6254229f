package io.fairlead.sessions;

/// A request that cannot be served: the status and the sentence that the client sees.
final class SessionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String sentence;

    SessionException(int status, String sentence) {
        super(sentence);
        this.status = status;
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }

    int status() {
        return status;
    }

    static SessionException notFound(String message) {
        return new SessionException(404, message);
    }

    static SessionException badRequest(String message) {
        return new SessionException(400, message);
    }
}
