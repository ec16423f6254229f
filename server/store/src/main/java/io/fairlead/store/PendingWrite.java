package io.fairlead.store;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Outcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Writes that a thread waits for, all of them together.
final class PendingWrite<W extends StoreWrite> {
    private final List<W> writes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition answered = lock.newCondition();
    private @Nullable Answer answer;

    private sealed interface Answer {
        record Decided(List<Outcome> outcomes) implements Answer {}

        record Failed(String sentence, Throwable cause) implements Answer {}
    }

    PendingWrite(List<? extends W> writes) {
        this.writes = List.copyOf(writes);
    }

    List<W> writes() {
        return writes;
    }

    /// An outcome for each, in their order.
    void answer(List<Outcome> outcomes) {
        finish(new Answer.Decided(outcomes));
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

    /// The revisions at which keys are known to be by the answer; of a key that may not be there it says nothing.
    Map<String, Revision> reached() {
        Map<String, Revision> reached = new HashMap<>();
        lock.lock();
        try {
            if (answer instanceof Answer.Decided(var outcomes)) {
                for (int i = 0; i < outcomes.size(); i++) {
                    note(writes.get(i), outcomes.get(i), reached);
                }
            }
            return reached;
        } finally {
            lock.unlock();
        }
    }

    private static void note(StoreWrite write, Outcome outcome, Map<String, Revision> reached) {
        switch (outcome) {
            case Outcome.Done(var revision) when write instanceof Store.Put put -> reached.put(put.key(), revision);
            case Outcome.Done _ -> {}
            case Outcome.Conflict(var actual)
            when write instanceof StoreWrite.OfKey one -> reached.put(one.key(), actual);
            case Outcome.Conflict _ -> {}
        }
    }

    List<Outcome> await() {
        return switch (awaitAnswer()) {
            case Answer.Decided(var outcomes) -> outcomes;
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
