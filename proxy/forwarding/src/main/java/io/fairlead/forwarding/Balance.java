package io.fairlead.forwarding;

/// How a connection finds its target: the one its client had before, or else one that the scheduler chooses.
public record Balance(Affinity affinity, Scheduler scheduler) {
    /// Any target, each time anew.
    public static final Balance ANY = new Balance(new Affinity.None(), Scheduler.NODE_DEFAULT);
}
