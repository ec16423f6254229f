package io.fairlead.containers;

import io.fairlead.api.Probe;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Asks one question of a container again and again, and remembers what the answers come to.
final class Prober {
    /// A container that is not ready yet is asked more often, so that it does not wait a whole period for its first
    /// yes.
    private static final Duration IMPATIENCE = Duration.ofMillis(500);

    private final Probe probe;
    private volatile Readiness readiness;
    private volatile boolean saidYes;

    Prober(Probe probe, boolean ready) {
        this.probe = probe;
        this.readiness = Readiness.of(ready);
    }

    Probe probe() {
        return probe;
    }

    boolean isReady() {
        return readiness.ready();
    }

    /// True once an answer was a yes.
    boolean saidYes() {
        return saidYes;
    }

    /// Asks while `wanted`; rings `changed` whenever what the answers come to becomes another.
    void run(ProbeQuestion question, BooleanSupplier wanted, Runnable changed) throws InterruptedException {
        Thread.sleep(Duration.ofSeconds(probe.initialDelaySeconds()));
        while (wanted.getAsBoolean()) {
            boolean before = isReady();
            boolean firstYes = take(question.ask(probe));
            if (firstYes || isReady() != before) {
                changed.run();
            }
            Thread.sleep(pause());
        }
    }

    private boolean take(boolean yes) {
        readiness = readiness.after(yes, probe);
        boolean first = yes && !saidYes;
        saidYes |= yes;
        return first;
    }

    private Duration pause() {
        Duration period = Duration.ofSeconds(probe.periodSeconds());
        return isReady() || period.compareTo(IMPATIENCE) < 0 ? period : IMPATIENCE;
    }
}
