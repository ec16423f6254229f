package io.fairlead.runtime;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// Keeps something at the newest value of a box: newest value → work (compile, diff, apply) → report; what the world
/// refuses is tried again with back-off, or with a newer value if one comes first.
///
/// It does nothing before the first value. One loop is one thread, which alone calls its [Work].
public final class ApplyLoop<T> {
    /// Why a round begins.
    public enum Reason {
        /// The box holds a value that no round has seen.
        NEWER_VALUE,
        /// Another program changed what an earlier round made.
        DRIFT,
        /// Time has brought something to do.
        TIME,
        /// An earlier try failed, and its pause is over.
        RETRY
    }

    /// What a loop does with its values.
    public interface Work<T> {
        /// Brings the world to `value`. It may be called again with the same value, whatever came of the last call.
        void apply(T value, Reason reason) throws InterruptedException;

        /// How long nothing but a newer value can begin a round; asked after each round and each look.
        default Duration patience() {
            return Latest.FOR_EVER;
        }

        /// Looks whether a round is needed without a newer value; called when the patience is over.
        default Optional<Reason> look() throws InterruptedException {
            return Optional.empty();
        }

        /// Whether `failure` is the world's refusal, which the loop reports and outlives. All else is a bug, and
        /// ends the loop.
        default boolean isRefusal(RuntimeException failure) {
            return false;
        }

        /// Reports a refusal; the next try is made after `pause`.
        default void refused(RuntimeException refusal, Duration pause) {}
    }

    private record Round<T>(T value, Reason reason) {}

    private final Latest<T> values;
    private final Work<T> work;
    private final Backoff backoff;

    /// Its pauses after refusals grow from 100 ms to 30 s.
    public ApplyLoop(Latest<T> values, Work<T> work) {
        this(values, work, new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30), RandomGenerator.getDefault()));
    }

    public ApplyLoop(Latest<T> values, Work<T> work, Backoff backoff) {
        this.values = values;
        this.work = work;
        this.backoff = backoff;
    }

    /// Runs until it is interrupted, or until its work throws what is no refusal.
    public void run() throws InterruptedException {
        Round<T> round = new Round<>(values.take(), Reason.NEWER_VALUE);
        while (true) {
            round = afterTry(round);
        }
    }

    /// Carries out a round and waits for what begins the next one.
    private Round<T> afterTry(Round<T> round) throws InterruptedException {
        try {
            work.apply(round.value, round.reason);
            backoff.reset();
            return next(round.value);
        } catch (RuntimeException e) {
            if (!work.isRefusal(e)) {
                throw e;
            }
            Duration pause = backoff.next();
            work.refused(e, pause);
            return newer(pause).orElse(new Round<>(round.value, Reason.RETRY));
        }
    }

    private Round<T> next(T current) throws InterruptedException {
        while (true) {
            Optional<Round<T>> newer = newer(work.patience());
            if (newer.isPresent()) {
                return newer.get();
            }
            Optional<Reason> reason = work.look();
            if (reason.isPresent()) {
                return new Round<>(current, reason.get());
            }
        }
    }

    private Optional<Round<T>> newer(Duration patience) throws InterruptedException {
        return values.take(patience).map(value -> new Round<>(value, Reason.NEWER_VALUE));
    }
}
