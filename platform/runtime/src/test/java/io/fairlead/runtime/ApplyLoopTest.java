package io.fairlead.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.runtime.ApplyLoop.Reason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ApplyLoopTest {
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;

        Refusal(String message) {
            super(message);
        }
    }

    /// Refuses as often as it is asked to, and writes down what happens.
    private static final class FakeWork implements ApplyLoop.Work<String> {
        final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        final Queue<RuntimeException> failures = new ArrayDeque<>();
        final Queue<Optional<Reason>> looks = new ArrayDeque<>();

        @Override
        public void apply(String value, Reason reason) {
            seen.add(value + " " + reason);
            if (!failures.isEmpty()) {
                throw failures.remove();
            }
        }

        @Override
        public Duration patience() {
            return looks.isEmpty() ? Latest.FOR_EVER : Duration.ZERO;
        }

        @Override
        public Optional<Reason> look() {
            return looks.remove();
        }

        @Override
        public boolean isRefusal(RuntimeException failure) {
            return failure instanceof Refusal;
        }

        @Override
        public void refused(RuntimeException refusal, Duration pause) {
            seen.add("refused " + refusal.getMessage());
        }

        String next() throws InterruptedException {
            String next = seen.poll(30, TimeUnit.SECONDS);
            return next == null ? "nothing" : next;
        }
    }

    private final Latest<String> values = new Latest<>();
    private final FakeWork work = new FakeWork();
    private final TaskGroup tasks = new TaskGroup("test");

    @AfterEach
    void stop() {
        tasks.close();
    }

    @Test
    void each_newer_value_begins_a_round() throws InterruptedException {
        start(Duration.ofMillis(1));
        values.offer("a");
        assertThat(work.next()).isEqualTo("a NEWER_VALUE");
        values.offer("b");
        assertThat(work.next()).isEqualTo("b NEWER_VALUE");
    }

    @Test
    void what_the_world_refuses_is_reported_and_tried_again() throws InterruptedException {
        work.failures.add(new Refusal("one"));
        work.failures.add(new Refusal("two"));
        start(Duration.ofMillis(1));
        values.offer("a");
        assertThat(List.of(work.next(), work.next(), work.next(), work.next(), work.next()))
                .containsExactly("a NEWER_VALUE", "refused one", "a RETRY", "refused two", "a RETRY");
    }

    @Test
    void a_newer_value_ends_the_pause_after_a_refusal() throws InterruptedException {
        work.failures.add(new Refusal("busy"));
        start(Duration.ofHours(1));
        values.offer("a");
        assertThat(List.of(work.next(), work.next())).containsExactly("a NEWER_VALUE", "refused busy");
        values.offer("b");
        assertThat(work.next()).isEqualTo("b NEWER_VALUE");
    }

    @Test
    void a_look_begins_a_round_with_the_same_value_and_its_reason() throws InterruptedException {
        work.looks.add(Optional.of(Reason.DRIFT));
        work.looks.add(Optional.empty());
        work.looks.add(Optional.of(Reason.TIME));
        start(Duration.ofMillis(1));
        values.offer("a");
        assertThat(List.of(work.next(), work.next(), work.next()))
                .containsExactly("a NEWER_VALUE", "a DRIFT", "a TIME");
        assertThat(work.looks).isEmpty();
    }

    @Test
    void a_bug_ends_the_loop() {
        work.failures.add(new IllegalStateException("a bug"));
        values.offer("a");
        assertThatThrownBy(() -> loop(Duration.ofMillis(1)).run()).hasMessage("a bug");
        assertThat(work.seen).containsExactly("a NEWER_VALUE");
    }

    private void start(Duration pause) {
        tasks.run("loop", loop(pause)::run);
    }

    private ApplyLoop<String> loop(Duration pause) {
        return new ApplyLoop<>(values, work, new Backoff(pause, pause, new Random(1)));
    }
}
