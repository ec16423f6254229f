package io.fairlead.merge;

/// A patch that cannot be applied, and the sentence that tells its sender why.
public final class MergeException extends RuntimeException {
    /// Whose fault it is: the patch is no patch at all, or it does not fit the object that it meets.
    public enum Fault {
        MALFORMED,
        DOES_NOT_FIT
    }

    private final Fault fault;

    private MergeException(Fault fault, String message) {
        // An answer to a client: it does not show the stack.
        super(message, null, false, false);
        this.fault = fault;
    }

    static MergeException malformed(String message) {
        return new MergeException(Fault.MALFORMED, message);
    }

    static MergeException doesNotFit(String message) {
        return new MergeException(Fault.DOES_NOT_FIT, message);
    }

    public Fault fault() {
        return fault;
    }
}
