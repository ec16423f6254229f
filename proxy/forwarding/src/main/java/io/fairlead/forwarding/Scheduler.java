package io.fairlead.forwarding;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// How a connection finds its target among several: the names are those of the kernel's IPVS.
public enum Scheduler {
    /// What the node was configured with: at random in most modes.
    NODE_DEFAULT,
    /// Round robin.
    RR,
    /// Round robin by weight.
    WRR,
    /// Least connection.
    LC,
    /// Least connection by weight.
    WLC,
    /// By a hash of the destination.
    DH,
    /// By a hash of the source.
    SH,
    /// Shortest expected delay.
    SED,
    /// Never queue.
    NQ,
    /// By Maglev's hash of the source.
    MH;

    /// The scheduler of this name, as the kernel writes it: `wrr`.
    public static Optional<Scheduler> find(String name) {
        return Arrays.stream(values())
                .filter(scheduler ->
                        scheduler != NODE_DEFAULT && scheduler.toString().equals(name))
                .findFirst();
    }

    /// Whether the weights of the targets count.
    public boolean isWeighted() {
        return this == WRR || this == WLC || this == SED || this == NQ;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
