package io.fairlead.http;

/// How much an API server takes on at the same time: connections, and requests that read or write.
///
/// A watch counts as a connection only: it waits more than it works.
public record Limits(int connections, int reads, int writes) {
    public static final Limits DEFAULT = new Limits(20_000, 400, 200);

    public Limits {
        if (connections < 1 || reads < 1 || writes < 1) {
            throw new IllegalArgumentException("limits must be 1 or more, but are %d connections, %d reads, %d writes"
                    .formatted(connections, reads, writes));
        }
    }
}
