package io.fairlead.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Revision;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SharedQuestionTest {
    @Test
    void no_answer_is_older_than_its_call_and_many_share_a_question() throws Exception {
        AtomicLong newest = new AtomicLong();
        AtomicInteger asked = new AtomicInteger();
        SharedQuestion question = new SharedQuestion(() -> {
            asked.incrementAndGet();
            long seen = newest.get();
            LockSupport.parkNanos(10_000); // what is written now is not in the answer
            return new Revision(seen);
        });
        Callable<Integer> reader = () -> {
            int stale = 0;
            for (int i = 0; i < 500; i++) {
                Revision written = new Revision(newest.incrementAndGet());
                stale += written.isAfter(question.ask()) ? 1 : 0;
            }
            return stale;
        };
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                all.add(executor.submit(reader));
            }
            for (Future<Integer> one : all) {
                assertThat(one.get()).isZero();
            }
        }
        assertThat(asked.get()).isLessThan(32 * 500);
    }

    @Test
    void who_comes_while_a_question_is_on_its_way_gets_the_answer_of_the_next() throws Exception {
        CountDownLatch onItsWay = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        SharedQuestion question = new SharedQuestion(() -> {
            int number = asked.incrementAndGet();
            if (number == 1) {
                onItsWay.countDown();
                await(goOn);
            }
            return new Revision(number);
        });
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Revision> first = executor.submit(question::ask);
            onItsWay.await();
            List<Future<Revision>> late = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                late.add(executor.submit(() -> {
                    synchronized (threads) {
                        threads.add(Thread.currentThread());
                    }
                    return question.ask();
                }));
            }
            awaitWaiting(threads);
            goOn.countDown();
            assertThat(first.get()).isEqualTo(new Revision(1));
            for (Future<Revision> one : late) {
                assertThat(one.get()).isEqualTo(new Revision(2));
            }
        }
        assertThat(asked).hasValue(2);
    }

    @Test
    void a_question_that_fails_fails_for_all_who_waited_and_the_next_is_asked_anew() {
        AtomicInteger asked = new AtomicInteger();
        SharedQuestion question = new SharedQuestion(() -> {
            if (asked.incrementAndGet() == 1) {
                throw new StoreException("away");
            }
            return new Revision(7);
        });
        assertThatThrownBy(question::ask).isInstanceOf(StoreException.class).hasMessage("away");
        assertThat(question.ask()).isEqualTo(new Revision(7));
    }

    private static void awaitWaiting(List<Thread> threads) {
        while (true) {
            synchronized (threads) {
                if (threads.size() == 10 && threads.stream().allMatch(t -> t.getState() == Thread.State.WAITING)) {
                    return;
                }
            }
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
