package io.fairlead.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatestTest {
    private final Latest<Integer> box = new Latest<>();

    @Test
    void an_empty_box_gives_nothing() throws Exception {
        assertThat(box.peek()).isEmpty();
        assertThat(box.take(Duration.ZERO)).isEmpty();
        assertThat(box.take(Duration.ofMillis(1))).isEmpty();
    }

    @Test
    void only_the_newest_value_counts_and_is_taken_once() throws Exception {
        box.offer(1);
        box.offer(2);
        assertThat(box.take()).isEqualTo(2);
        assertThat(box.take(Duration.ZERO)).isEmpty();
        assertThat(box.peek()).contains(2);
    }

    @Test
    void peeking_does_not_take() throws Exception {
        box.offer(1);
        assertThat(box.peek()).contains(1);
        assertThat(box.take(Duration.ZERO)).contains(1);
    }

    @Test
    void the_same_value_offered_again_is_news() throws Exception {
        box.offer(1);
        box.take();
        box.offer(1);
        assertThat(box.take(Duration.ZERO)).contains(1);
    }

    @Test
    void a_taker_waits_for_an_offer() throws Exception {
        try (var tasks = new TaskGroup("test")) {
            CountDownLatch waiting = new CountDownLatch(1);
            tasks.run("offer", () -> {
                waiting.await();
                box.offer(7);
            });
            waiting.countDown();
            assertThat(box.take(Duration.ofSeconds(20))).contains(7);
        }
    }

    @Test
    void a_slow_taker_sees_values_in_order_and_the_last_one_always() throws Exception {
        int last = 20_000;
        List<Integer> seen = new ArrayList<>();
        try (var tasks = new TaskGroup("test")) {
            tasks.run("offer", () -> {
                for (int i = 1; i <= last; i++) {
                    box.offer(i);
                }
            });
            while (seen.isEmpty() || seen.getLast() < last) {
                seen.add(box.take());
            }
        }
        assertThat(seen).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void an_interrupt_ends_the_wait() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(2);
        try (var tasks = new TaskGroup("test")) {
            tasks.run("take", () -> {
                try {
                    box.take();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
            });
            tasks.run("take-with-patience", () -> {
                try {
                    box.take(Duration.ofDays(365));
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
            });
        }
        assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
    }
}
