package io.fairlead.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ByteQueueTest {
    @Test
    void many_times_its_size_goes_through_it_unchanged() throws IOException {
        byte[] sent = new byte[10 * ByteQueue.SIZE + 17];
        new Random(1).nextBytes(sent);
        ByteQueue pipe = new ByteQueue();
        try (var tasks = new TaskGroup("test")) {
            tasks.run("write", () -> {
                for (int at = 0; at < sent.length; at += 1000) {
                    pipe.output().write(sent, at, Math.min(1000, sent.length - at));
                }
                pipe.end();
            });

            assertThat(pipe.input().readAllBytes()).isEqualTo(sent);
        }
    }

    @Test
    void what_was_written_before_the_end_can_be_read() throws IOException {
        ByteQueue pipe = new ByteQueue();
        pipe.output().write(7);
        pipe.output().close();

        assertThat(pipe.input().read()).isEqualTo(7);
        assertThat(pipe.input().read()).isEqualTo(-1);
    }

    @Test
    void a_writer_does_not_wait_for_a_reader_that_left() throws IOException {
        ByteQueue pipe = new ByteQueue();
        pipe.input().close();

        pipe.output().write(new byte[3 * ByteQueue.SIZE]);

        assertThat(pipe.input().read()).isEqualTo(-1);
    }

    @Test
    void queues_of_one_connection_take_no_more_memory_than_they_may_together() throws IOException {
        ByteQueue.Budget budget = new ByteQueue.Budget(ByteQueue.SIZE - ByteQueue.SMALLEST);
        ByteQueue first = new ByteQueue(budget);
        first.output().write(new byte[ByteQueue.SIZE]);
        ByteQueue second = new ByteQueue(budget);
        try (var tasks = new TaskGroup("test")) {
            tasks.run("write", () -> second.output().write(new byte[3 * ByteQueue.SMALLEST]));
            while (second.input().available() < ByteQueue.SMALLEST) {
                Thread.onSpinWait();
            }
            assertThat(second.input().readNBytes(3 * ByteQueue.SMALLEST)).hasSize(3 * ByteQueue.SMALLEST);
            first.input().close();
            second.output().write(new byte[ByteQueue.SIZE]);
            assertThat(second.input().available())
                    .as("what the first gave back")
                    .isEqualTo(ByteQueue.SIZE);
        }
    }
}
