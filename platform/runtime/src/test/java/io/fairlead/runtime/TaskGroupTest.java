package io.fairlead.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TaskGroupTest {
    private static void sleepForEver() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    @Test
    void closing_interrupts_every_task_and_waits_until_it_has_ended() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        TaskGroup.Task slowEnd = () -> {
            try {
                sleepForEver();
            } finally {
                ended.incrementAndGet();
            }
        };
        try (var tasks = new TaskGroup("test")) {
            tasks.run("virtual", slowEnd);
            tasks.runOnPlatformThread("platform", slowEnd);
        }
        assertThat(ended).hasValue(2);
    }

    @Test
    void tasks_run_on_the_kind_of_thread_that_was_asked_for_and_are_named() throws Exception {
        List<String> threads = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch both = new CountDownLatch(2);
        TaskGroup.Task tell = () -> {
            Thread me = Thread.currentThread();
            threads.add(me.getName() + (me.isVirtual() ? " virtual" : " platform"));
            both.countDown();
        };
        try (var tasks = new TaskGroup("test")) {
            tasks.run("one", tell);
            tasks.runOnPlatformThread("two", tell);
            assertThat(both.await(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(threads).containsExactlyInAnyOrder("test/one virtual", "test/two platform");
    }

    @Test
    void the_first_failure_is_what_the_group_throws() {
        IllegalArgumentException failure = new IllegalArgumentException("broken");
        try (var tasks = new TaskGroup("test")) {
            tasks.run("sleeps", TaskGroupTest::sleepForEver);
            tasks.run("fails", () -> {
                throw failure;
            });
            assertThatIllegalStateException()
                    .isThrownBy(tasks::await)
                    .withMessage("a task of test failed")
                    .withCause(failure);
        }
    }

    @Test
    void of_two_failures_the_first_is_told() throws Exception {
        IllegalArgumentException first = new IllegalArgumentException("first");
        TaskGroup tasks = new TaskGroup("test");
        tasks.run("fails", () -> {
            throw first;
        });
        assertThatIllegalStateException().isThrownBy(tasks::await).withCause(first);
        CountDownLatch second = new CountDownLatch(1);
        tasks.run("fails-later", () -> {
            second.countDown();
            throw new IllegalArgumentException("second");
        });
        second.await();
        tasks.close();
        assertThatIllegalStateException().isThrownBy(tasks::await).withCause(first);
    }

    @Test
    void what_a_task_throws_because_of_the_close_is_no_failure() throws Exception {
        TaskGroup tasks = new TaskGroup("test");
        tasks.run("wraps", () -> {
            try {
                sleepForEver();
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted in the middle", e);
            }
        });
        tasks.close();
        tasks.await();
    }

    @Test
    void tasks_that_tasks_start_while_the_group_closes_are_waited_for() throws Exception {
        for (int round = 0; round < 50; round++) {
            AtomicInteger running = new AtomicInteger();
            try (var tasks = new TaskGroup("test")) {
                tasks.run("starter", () -> {
                    while (true) {
                        running.incrementAndGet();
                        tasks.run("short", () -> {
                            try {
                                Thread.sleep(1);
                            } finally {
                                running.decrementAndGet();
                            }
                        });
                        Thread.sleep(0, 100_000);
                    }
                });
            }
            assertThat(running).hasValue(0);
        }
    }

    @Test
    void an_interrupted_task_is_no_failure() throws Exception {
        TaskGroup tasks = new TaskGroup("test");
        tasks.run("sleeps", TaskGroupTest::sleepForEver);
        tasks.close();
        tasks.await(); // returns: the group ended in good order
    }

    @Test
    void a_task_may_close_its_own_group() throws Exception {
        TaskGroup tasks = new TaskGroup("test");
        AtomicBoolean interrupted = new AtomicBoolean();
        tasks.run("other", () -> {
            try {
                sleepForEver();
            } catch (InterruptedException e) {
                interrupted.set(true);
            }
        });
        tasks.run("closer", tasks::close);
        tasks.await();
        tasks.close();
        assertThat(interrupted).isTrue();
    }

    @Test
    void a_task_started_after_the_close_does_not_outlive_it() throws Exception {
        TaskGroup tasks = new TaskGroup("test");
        tasks.close();
        CountDownLatch ended = new CountDownLatch(1);
        tasks.run("late", () -> {
            try {
                sleepForEver();
            } finally {
                ended.countDown();
            }
        });
        assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void an_interrupt_of_the_closer_is_kept_for_it() {
        TaskGroup tasks = new TaskGroup("test");
        tasks.run("sleeps", TaskGroupTest::sleepForEver);
        Thread.currentThread().interrupt();
        tasks.close();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_task_that_runs_alone_ends_alone() throws Exception {
        try (TaskGroup group = new TaskGroup("test")) {
            CountDownLatch done = new CountDownLatch(1);
            group.runAlone("bad", () -> {
                throw new IllegalStateException("one bad connection");
            });
            group.join();
            group.run("other", done::countDown);
            assertThat(done.await(5, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void an_error_in_a_task_that_runs_alone_ends_the_group() {
        try (TaskGroup group = new TaskGroup("test")) {
            group.runAlone("bad", () -> {
                throw new OutOfMemoryError("for the test");
            });
            assertThatIllegalStateException()
                    .isThrownBy(group::await)
                    .havingRootCause()
                    .isInstanceOf(OutOfMemoryError.class);
        }
    }

    @Test
    void a_kept_task_begins_again_and_is_told_of() throws Exception {
        try (TaskGroup tasks = new TaskGroup("program")) {
            AtomicInteger runs = new AtomicInteger();
            CountDownLatch third = new CountDownLatch(1);
            tasks.keep("loop/one", () -> {
                if (runs.incrementAndGet() < 3) {
                    throw new IllegalStateException("broken");
                }
                third.countDown();
                Thread.sleep(Duration.ofMinutes(10));
            });
            assertThat(third.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(tasks.faults().counts()).containsExactly(Map.entry("loop", 2L));
            assertThat(tasks.faults().failing())
                    .as("it began again only just now")
                    .containsExactly("loop");
        }
    }

    @Test
    void a_kept_task_that_comes_to_its_end_is_over() throws Exception {
        try (TaskGroup tasks = new TaskGroup("program")) {
            AtomicInteger runs = new AtomicInteger();
            tasks.keep("once", runs::incrementAndGet);
            tasks.join();
            assertThat(runs).hasValue(1);
            assertThat(tasks.faults().counts()).isEmpty();
        }
    }

    @Test
    void what_runs_too_deep_ends_alone_and_counts_for_the_program() throws Exception {
        try (TaskGroup program = new TaskGroup("program");
                TaskGroup pod = new TaskGroup("pod", program)) {
            pod.runAlone("visit/7", () -> {
                throw new StackOverflowError();
            });
            pod.join();
            assertThat(program.faults().counts()).containsExactly(Map.entry("visit", 1L));
            assertThat(program.faults().failing()).isEmpty();
        }
    }

    @Test
    void lack_of_memory_ends_the_group_also_where_a_task_is_kept() {
        try (TaskGroup tasks = new TaskGroup("program")) {
            tasks.keep("loop", () -> {
                throw new OutOfMemoryError("as a test has it");
            });
            assertThatIllegalStateException().isThrownBy(tasks::await).withCauseInstanceOf(OutOfMemoryError.class);
        }
    }
}
