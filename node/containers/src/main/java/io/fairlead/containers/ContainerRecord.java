package io.fairlead.containers;

import java.time.Duration;
import java.time.Instant;

/// What became of one container: its state now, the one it had before its last start, and how often it was started.
///
/// `crashes` counts the ends in a row after a short life: they decide how long the next start waits.
public record ContainerRecord(String name, int restarts, int crashes, State now, State before) {
    private static final Duration LONG_LIFE = Duration.ofMinutes(10);
    private static final Duration FIRST_DELAY = Duration.ofSeconds(10);
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(5);

    public sealed interface State {
        /// It never ran.
        record New() implements State {}

        /// It cannot run as things are; it is tried again, later each time.
        record Refused(String reason, String message, int tries, Instant retryAt) implements State {}

        record Running(ProcessId process, Instant startedAt) implements State {}

        record Exited(int exitCode, String reason, String message, Instant startedAt, Instant finishedAt)
                implements State {
            Exited(int exitCode, String reason, Instant startedAt, Instant finishedAt) {
                this(exitCode, reason, "", startedAt, finishedAt);
            }
        }
    }

    public static ContainerRecord of(String name) {
        return new ContainerRecord(name, 0, 0, new State.New(), new State.New());
    }

    public ContainerRecord refused(String reason, String message, Instant at) {
        int tries = now instanceof State.Refused before ? before.tries() + 1 : 1;
        State refused = new State.Refused(reason, message, tries, at.plus(delay(tries)));
        return new ContainerRecord(name, restarts, crashes, refused, before);
    }

    /// The image is not there: a first time, or still.
    public ContainerRecord withoutImage(String reason, String message, Instant at) {
        boolean pulls = reason.equals("ErrImagePull");
        boolean again = pulls && now instanceof State.Refused;
        return refused(again ? "ImagePullBackOff" : reason, again ? "Back-off pulling image: " + message : message, at);
    }

    /// Its program could not even be started; the words and the number are those of Kubernetes.
    public ContainerRecord unstartable(String message, Instant at) {
        State.Exited exited = new State.Exited(128, "StartError", message, at, at);
        State last = now instanceof State.Exited ? now : before;
        return new ContainerRecord(name, nextRestarts(), crashes + 1, exited, last);
    }

    public ContainerRecord started(ProcessId process, Instant at) {
        State last = now instanceof State.Exited ? now : before;
        return new ContainerRecord(name, nextRestarts(), crashes, new State.Running(process, at), last);
    }

    /// How often it will have been started again after the next start.
    public int nextRestarts() {
        return now instanceof State.Exited ? restarts + 1 : restarts;
    }

    /// The container after the end of the process that `running` describes.
    public ContainerRecord exited(State.Running running, Ending ending, Instant at) {
        return exited(running, ending, "", at);
    }

    /// With the last words that it left.
    public ContainerRecord exited(State.Running running, Ending ending, String message, Instant at) {
        boolean lived = Duration.between(running.startedAt(), at).compareTo(LONG_LIFE) >= 0;
        State.Exited exited = new State.Exited(ending.exitCode(), ending.reason(), message, running.startedAt(), at);
        return new ContainerRecord(name, restarts, lived ? 1 : crashes + 1, exited, before);
    }

    /// One that ended, with the last words that its log has.
    public ContainerRecord withLastWords(String message) {
        return now instanceof State.Exited e
                ? new ContainerRecord(
                        name,
                        restarts,
                        crashes,
                        new State.Exited(e.exitCode(), e.reason(), message, e.startedAt(), e.finishedAt()),
                        before)
                : this;
    }

    public boolean isRunning() {
        return now instanceof State.Running;
    }

    /// The first end in a row is made good at once; then 10 s, 20 s, … up to 5 minutes.
    public Duration restartDelay() {
        if (crashes <= 1) {
            return Duration.ZERO;
        }
        return delay(crashes - 1);
    }

    /// 10 s, 20 s, … up to 5 minutes.
    private static Duration delay(int times) {
        Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(times - 1, 10));
        return delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY;
    }
}
