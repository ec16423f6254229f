package io.fairlead.node;

import java.time.Duration;
import java.time.Instant;

/// What became of one container: its state now, the one it had before its last start, and how often it was started.
///
/// `crashes` counts the ends in a row after a short life: they decide how long the next start waits.
record ContainerRecord(String name, int restarts, int crashes, State now, State before) {
    private static final Duration LONG_LIFE = Duration.ofMinutes(10);
    private static final Duration FIRST_DELAY = Duration.ofSeconds(10);
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(5);

    sealed interface State {
        /// It never ran.
        record New() implements State {}

        /// It cannot run, and trying again would not help.
        record Refused(String reason, String message) implements State {}

        record Running(ProcessId process, Instant startedAt) implements State {}

        record Exited(int exitCode, String reason, Instant startedAt, Instant finishedAt) implements State {}
    }

    static ContainerRecord of(String name) {
        return new ContainerRecord(name, 0, 0, new State.New(), new State.New());
    }

    ContainerRecord refused(String reason, String message) {
        return new ContainerRecord(name, restarts, crashes, new State.Refused(reason, message), before);
    }

    ContainerRecord started(ProcessId process, Instant at) {
        State last = now instanceof State.Exited ? now : before;
        return new ContainerRecord(name, nextRestarts(), crashes, new State.Running(process, at), last);
    }

    /// How often it will have been started again after the next start.
    int nextRestarts() {
        return now instanceof State.Exited ? restarts + 1 : restarts;
    }

    /// The container after the end of the process that `running` describes.
    ContainerRecord exited(State.Running running, Ending ending, Instant at) {
        boolean lived = Duration.between(running.startedAt(), at).compareTo(LONG_LIFE) >= 0;
        State.Exited exited = new State.Exited(ending.exitCode(), ending.reason(), running.startedAt(), at);
        return new ContainerRecord(name, restarts, lived ? 1 : crashes + 1, exited, before);
    }

    boolean isRunning() {
        return now instanceof State.Running;
    }

    /// The first end in a row is made good at once; then 10 s, 20 s, … up to 5 minutes.
    Duration restartDelay() {
        if (crashes <= 1) {
            return Duration.ZERO;
        }
        Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(crashes - 2, 10));
        return delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY;
    }
}
