package io.fairlead.kernel;

/// The kernel refused a call; says which call, on what, and why.
public final class KernelException extends RuntimeException {
    private final String call;
    private final int errno;

    public KernelException(String call, int errno, String subject) {
        super("%s %s: %s".formatted(call, subject, Errno.text(errno)));
        this.call = call;
        this.errno = errno;
    }

    public String call() {
        return call;
    }

    public int errno() {
        return errno;
    }

    public boolean is(int errno) {
        return this.errno == errno;
    }
}
