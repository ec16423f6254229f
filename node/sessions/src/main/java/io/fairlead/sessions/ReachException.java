package io.fairlead.sessions;

/// A visit that cannot be served: the status and the sentence that the client sees.
final class ReachException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String sentence;

    ReachException(int status, String sentence) {
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

    static ReachException notFound(String message) {
        return new ReachException(404, message);
    }

    static ReachException badRequest(String message) {
        return new ReachException(400, message);
    }
}
