package io.fairlead.containers;

import io.fairlead.api.Probe;

/// What a row of probe answers says: `streak` is how many of the last answers were against `ready`.
record Readiness(boolean ready, int streak) {

    static Readiness of(boolean ready) {
        return new Readiness(ready, 0);
    }

    /// It changes its mind after as many answers in a row as the probe asks for.
    Readiness after(boolean success, Probe probe) {
        if (success == ready) {
            return of(ready);
        }
        int threshold = success ? probe.successThreshold() : probe.failureThreshold();
        return streak + 1 >= threshold ? of(success) : new Readiness(ready, streak + 1);
    }
}
