package io.fairlead.forwarding;

import java.util.Optional;

/// What a backend can do besides programming the kernel. What it cannot do is absent.
///
/// @param drift tells that another program changed our entries
/// @param counters tell how many connections went where
/// @param wake asks to be called again when time has passed
/// @param effect looks whether what is programmed has its effect where the pods are
public record Abilities(
        Lifetime lifetime,
        Optional<DriftWatch> drift,
        Optional<ConnectionCounters> counters,
        Optional<Wake> wake,
        Optional<EffectCheck> effect) {

    /// A backend that programs the kernel and does nothing else.
    public static final Abilities DURABLE =
            new Abilities(Lifetime.DURABLE, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /// A backend that leads connections itself and does nothing else.
    public static final Abilities PROCESS_BOUND = new Abilities(
            Lifetime.PROCESS_BOUND, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public Abilities withDrift(DriftWatch drift) {
        return new Abilities(lifetime, Optional.of(drift), counters, wake, effect);
    }

    public Abilities withCounters(ConnectionCounters counters) {
        return new Abilities(lifetime, drift, Optional.of(counters), wake, effect);
    }

    public Abilities withWake(Wake wake) {
        return new Abilities(lifetime, drift, counters, Optional.of(wake), effect);
    }

    public Abilities withEffect(EffectCheck effect) {
        return new Abilities(lifetime, drift, counters, wake, Optional.of(effect));
    }
}
