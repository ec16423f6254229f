package io.fairlead.http;

import java.time.Duration;

/// How much an API server takes on at the same time: connections, and requests that read or write.
///
/// Administrators and the cluster's own programs share as many places as all other clients together. A request that
/// finds none waits for one, no longer than `patience`. A watch counts as a connection only: it waits more than it
/// works.
public record Limits(int connections, int reads, int writes, Duration patience) {
    public static final Limits DEFAULT = new Limits(20_000, 400, 200, Duration.ofSeconds(5));

    public Limits {
        if (connections < 1 || reads < 1 || writes < 1) {
            throw new IllegalArgumentException("limits must be 1 or more, but are %d connections, %d reads, %d writes"
                    .formatted(connections, reads, writes));
        }
    }

    public Limits(int connections, int reads, int writes) {
        this(connections, reads, writes, Duration.ofSeconds(5));
    }
}
