package io.fairlead.forwarding;

import java.time.Duration;

/// Whether a client comes back to the target it had before.
public sealed interface Affinity {
    record None() implements Affinity {}

    /// A client address keeps its target until it made no new connection for `timeout`.
    ///
    /// It is remembered by [ServicePortName], so all frontends of a port lead a client to the same target. What is
    /// remembered ends with the target.
    record ClientIp(Duration timeout) implements Affinity {
        public ClientIp {
            if (timeout.toSeconds() < 1) {
                throw new IllegalArgumentException("an affinity lasts a second at least, not " + timeout);
            }
        }
    }
}
