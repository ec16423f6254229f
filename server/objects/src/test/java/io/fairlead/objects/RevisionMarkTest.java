package io.fairlead.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Revision;
import io.fairlead.runtime.TaskGroup;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class RevisionMarkTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final RevisionMark mark = new RevisionMark();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    private void wait(TaskGroup tasks, long wanted, Duration patience) {
        tasks.run("waiter", () -> told.add(wanted + " " + mark.await(new Revision(wanted), patience)));
    }

    @Test
    void who_waits_is_told_when_it_is_there_and_not_before() throws Exception {
        try (TaskGroup tasks = new TaskGroup("test")) {
            wait(tasks, 2, LONG);
            wait(tasks, 5, LONG);
            mark.advance(new Revision(3));
            assertThat(told.take()).isEqualTo("2 true");
            mark.endLongWaits();
            mark.advance(new Revision(7));
            assertThat(told.take()).isEqualTo("5 true");
        }
        assertThat(told).isEmpty();
    }

    @Test
    void who_has_no_patience_left_is_told_so_and_others_wait_on() throws Exception {
        try (TaskGroup tasks = new TaskGroup("test")) {
            wait(tasks, 8, LONG);
            wait(tasks, 9, Duration.ofMillis(1));
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                mark.endLongWaits();
                return !told.isEmpty();
            });
            assertThat(told).containsExactly("9 false");
            mark.advance(new Revision(8));
            await().atMost(Duration.ofSeconds(30)).until(() -> told.size() == 2);
            assertThat(told).containsExactly("9 false", "8 true");
        }
    }

    @Test
    void what_is_there_is_not_waited_for() throws Exception {
        mark.advance(new Revision(4));

        assertThat(mark.await(new Revision(4), LONG)).isTrue();
    }
}
