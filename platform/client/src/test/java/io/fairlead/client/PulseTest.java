package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.Kind;
import io.fairlead.api.Revision;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A server that falls silent: its connections stay open, and nothing comes by them.
@Timeout(30)
class PulseTest {
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofMinutes(1);

    private volatile boolean silent;
    private final Semaphore unanswered = new Semaphore(0);
    private final CountDownLatch never = new CountDownLatch(1);
    private final HttpTestServer server = new HttpTestServer(this::answer);
    private final ApiClient client = new ApiClient(ClusterAccess.of(server.uri()));
    private final Pulse pulse = new Pulse(client, SHORT, SHORT);
    private final TaskGroup tasks = new TaskGroup("test");

    @AfterEach
    void close() {
        tasks.close();
        client.close();
        server.close();
    }

    private void answer(HttpTestServer.Request request, HttpTestServer.Reply reply)
            throws IOException, InterruptedException {
        if (request.query().containsKey("watch")) {
            reply.startStream();
            never.await();
        }
        if (silent) {
            unanswered.release();
            never.await();
        }
        reply.json(404, "{}"); // whatever it says, it is there
    }

    private Watch watch() throws InterruptedException {
        return client.watch(Interest.all(Kind.SERVICE), "", new Revision(1));
    }

    @Test
    void what_hung_is_cut_when_the_server_answers_again() throws InterruptedException {
        try (Watch watch = watch()) {
            silent = true;
            tasks.run("pulse", pulse::run);
            unanswered.acquire(2);
            silent = false;
            assertThatExceptionOfType(ApiException.class).isThrownBy(watch::next);
        }
        try (Watch watch = watch()) {
            assertThat(watch.isReady()).isFalse();
        }
    }

    @Test
    void who_waits_for_the_next_try_goes_on_when_the_server_answers_again() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        tasks.run("waiting", () -> {
            pulse.pause(LONG);
            over.countDown();
        });
        silent = true;
        tasks.run("pulse", pulse::run);
        unanswered.acquire(2);
        assertThat(over.getCount()).isEqualTo(1);
        silent = false;
        assertThat(over.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_watch_of_a_server_that_answers_goes_on() throws InterruptedException {
        try (Watch watch = watch()) {
            tasks.run("pulse", pulse::run);
            pulse.pause(SHORT.multipliedBy(5));
            assertThat(watch.isReady()).isFalse(); // neither an event nor an end
        }
    }
}
