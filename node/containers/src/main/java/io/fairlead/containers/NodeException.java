package io.fairlead.containers;

/// The node could not do what a pod or the cluster asks of it; says what was tried and why it failed.
public final class NodeException extends RuntimeException {
    public NodeException(String message) {
        super(message);
    }

    public NodeException(String message, Throwable cause) {
        super(message, cause);
    }
}
