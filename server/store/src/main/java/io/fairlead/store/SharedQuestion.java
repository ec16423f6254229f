package io.fairlead.store;

import io.fairlead.api.Revision;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// How far the cluster is, asked once for all readers that want to know at the same time.
///
/// A reader that comes while a question is on its way waits for the next one: the answer of the first may be older
/// than what the reader knew before. So each answer is as new as the moment of the call, and however many readers there
/// are, no more than one question is on its way.
final class SharedQuestion {
    private final Supplier<Revision> question;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition answered = lock.newCondition();
    private long begun;
    private long ended;
    private Revision answer = Revision.ZERO;
    private @Nullable StoreException failure;

    SharedQuestion(Supplier<Revision> question) {
        this.question = question;
    }

    /// The answer to a question that began after this call did. An interrupt does not end the wait.
    Revision ask() {
        lock.lock();
        try {
            long next = begun + 1;
            while (ended < next) {
                if (begun > ended) {
                    answered.awaitUninterruptibly();
                } else {
                    askForAll();
                }
            }
            if (failure != null) {
                throw new StoreException(failure.kind(), String.valueOf(failure.getMessage()), failure);
            }
            return answer;
        } finally {
            lock.unlock();
        }
    }

    /// Under the lock, but for the time that the answer takes.
    private void askForAll() {
        begun++;
        lock.unlock();
        @Nullable StoreException failed = null;
        Revision told = Revision.ZERO;
        try {
            told = question.get();
        } catch (StoreException e) {
            failed = e;
        } finally {
            lock.lock();
            ended = begun;
            answer = told;
            failure = failed;
            answered.signalAll();
        }
    }
}
