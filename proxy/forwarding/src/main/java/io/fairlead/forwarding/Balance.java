package io.fairlead.forwarding;

import java.time.Duration;
import java.util.Optional;

/// How a connection finds its target: the one its client had before, or else one that the scheduler chooses; and how
/// long connections may go on whose target was removed.
///
/// @param drain nothing where the node decides
public record Balance(Affinity affinity, Scheduler scheduler, Optional<Duration> drain) {
    /// Any target, each time anew.
    public static final Balance ANY = new Balance(new Affinity.None(), Scheduler.NODE_DEFAULT);

    public Balance(Affinity affinity, Scheduler scheduler) {
        this(affinity, scheduler, Optional.empty());
    }

    public Balance withAffinity(Affinity affinity) {
        return new Balance(affinity, scheduler, drain);
    }

    public Balance withDrain(Duration drain) {
        return new Balance(affinity, scheduler, Optional.of(drain));
    }
}
