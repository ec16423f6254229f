package io.fairlead.store;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Outcome;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A write that somebody waits for.
final class PendingWrite<W extends Write> {
    private final W write;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition answered = lock.newCondition();
    private @Nullable Answer answer;

    private sealed interface Answer {
        record Decided(Outcome outcome) implements Answer {}

        record Failed(String sentence, Throwable cause) implements Answer {}
    }

    PendingWrite(W write) {
        this.write = write;
    }

    W write() {
        return write;
    }

    void answer(Outcome outcome) {
        finish(new Answer.Decided(outcome));
    }

    void fail(StoreException failure) {
        fail(String.valueOf(failure.getMessage()), failure);
    }

    void fail(String sentence, Throwable cause) {
        finish(new Answer.Failed(sentence, cause));
    }

    private void finish(Answer given) {
        lock.lock();
        try {
            answer = given;
            answered.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The revision at which its key is known to be by the answer; nothing if the key may not be there.
    Optional<Revision> reached() {
        lock.lock();
        try {
            return switch (answer) {
                case Answer.Decided(Outcome.Done(var revision))
                when write instanceof Write.Put -> Optional.of(revision);
                case Answer.Decided(Outcome.Conflict(var actual)) -> Optional.of(actual);
                case null, default -> Optional.empty();
            };
        } finally {
            lock.unlock();
        }
    }

    Outcome await() {
        return switch (awaitAnswer()) {
            case Answer.Decided(var outcome) -> outcome;
            case Answer.Failed(var sentence, var cause) -> throw new StoreException(kind(cause), sentence, cause);
        };
    }

    private static StoreException.Kind kind(Throwable cause) {
        return cause instanceof StoreException failure ? failure.kind() : StoreException.Kind.UNAVAILABLE;
    }

    /// An interrupt does not end the wait, it only stays set: the write may be on its way to the disk, and a caller who
    /// left now would not know what became of it.
    private Answer awaitAnswer() {
        lock.lock();
        try {
            while (answer == null) {
                answered.awaitUninterruptibly();
            }
            return answer;
        } finally {
            lock.unlock();
        }
    }
}
