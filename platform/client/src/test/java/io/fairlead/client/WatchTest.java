package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Revision;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class WatchTest {
    private static final Interest SERVICES = new Interest(Kind.SERVICE, "a=b", "");
    private static final Timeouts SHORT =
            new Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(0), Duration.ofMillis(200));

    private static String event(String type, int revision) {
        return "{\"type\":\"%s\",\"object\":{\"metadata\":{\"resourceVersion\":\"%d\"}}}\n".formatted(type, revision);
    }

    private static ObjectNode object(int revision) {
        return (ObjectNode) Json.parse("{\"metadata\":{\"resourceVersion\":\"%d\"}}".formatted(revision));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void events_come_in_order_however_the_bytes_are_cut() throws Exception {
        String stream = event("ADDED", 1) + "\n" + event("MODIFIED", 2) + event("DELETED", 3) + event("BOOKMARK", 9);
        try (var server = new HttpTestServer((_, reply) -> {
                    reply.startStream();
                    for (int i = 0; i < stream.length(); i += 7) {
                        reply.chunk(stream.substring(i, Math.min(i + 7, stream.length())));
                    }
                    reply.endStream();
                });
                var client = new ApiClient(ClusterAccess.of(server.uri()));
                var watch = client.watch(SERVICES, "", Revision.ZERO)) {
            List<WatchEvent<ObjectNode>> events = new ArrayList<>();
            for (var e = watch.next(); e.isPresent(); e = watch.next()) {
                events.add(e.get());
            }
            assertThat(events)
                    .containsExactly(
                            new WatchEvent.Added<>(object(1)),
                            new WatchEvent.Modified<>(object(2)),
                            new WatchEvent.Deleted<>(object(3)),
                            new WatchEvent.Bookmark<>(new Revision(9)));
            assertThat(watch.next()).isEmpty();
        }
    }

    @Test
    void a_watch_asks_for_bookmarks_an_end_and_its_selection() throws Exception {
        AtomicReference<Map<String, String>> query = new AtomicReference<>();
        try (var server = new HttpTestServer((request, reply) -> {
                    query.set(request.query());
                    reply.startStream();
                    reply.endStream();
                });
                var client = new ApiClient(ClusterAccess.of(server.uri()));
                var watch = client.watch(SERVICES, "", new Revision(42))) {
            assertThat(watch.next()).isEmpty();
        }
        assertThat(query.get())
                .containsOnly(
                        Map.entry("watch", "true"),
                        Map.entry("allowWatchBookmarks", "true"),
                        Map.entry("resourceVersion", "42"),
                        Map.entry("timeoutSeconds", "180"),
                        Map.entry("labelSelector", "a=b"));
    }

    @Test
    void an_error_event_is_the_exception_it_describes() throws Exception {
        assertFailure(
                "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"message\":\"old\"}}\n", "old");
    }

    @Test
    void a_broken_stream_is_an_exception() throws Exception {
        assertFailure("{\"type\":\"ADDED\",", "watch: the answer ended within a line");
        assertFailure("{\"type\":\"ADDED\"}\n", "watch: an event without an object");
        assertFailure("{\"type\":\"OTHER\",\"object\":{}}\n", "watch: an event of the unknown type \"OTHER\"");
    }

    private static void assertFailure(String stream, String message) throws Exception {
        try (var server = new HttpTestServer((_, reply) -> {
                    reply.startStream();
                    reply.chunk(stream);
                    reply.endStream();
                });
                var client = new ApiClient(ClusterAccess.of(server.uri()));
                var watch = client.watch(SERVICES, "", Revision.ZERO)) {
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(watch::next)
                    .withMessage(message);
        }
    }

    @Test
    void a_connection_that_breaks_between_two_events_is_an_exception() throws Exception {
        try (var server = new HttpTestServer((_, reply) -> {
                    reply.startStream();
                    reply.chunk(event("ADDED", 1));
                    reply.drop();
                });
                var client = new ApiClient(ClusterAccess.of(server.uri()));
                var watch = client.watch(SERVICES, "", Revision.ZERO)) {
            assertThat(watch.next()).contains(new WatchEvent.Added<>(object(1)));
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(watch::next)
                    .matches(ApiException::isUnanswered);
        }
    }

    @Test
    void a_silent_watch_is_cut_after_its_time() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (var server = new HttpTestServer((_, reply) -> {
                    reply.startStream();
                    never.await();
                });
                var client = new ApiClient(ClusterAccess.of(server.uri()), SHORT);
                var watch = client.watch(SERVICES, "", Revision.ZERO)) {
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(watch::next)
                    .withMessageStartingWith("watch: nothing came for");
        }
    }

    @Test
    void closing_a_watch_hangs_up() throws Exception {
        CountDownLatch hungUp = new CountDownLatch(1);
        try (var server = new HttpTestServer((_, reply) -> {
                    reply.startStream();
                    try {
                        while (true) {
                            reply.chunk(event("BOOKMARK", 1));
                        }
                    } finally {
                        hungUp.countDown();
                    }
                });
                var client = new ApiClient(ClusterAccess.of(server.uri()))) {
            Watch watch = client.watch(SERVICES, "", Revision.ZERO);
            assertThat(watch.next()).contains(new WatchEvent.Bookmark<>(new Revision(1)));
            watch.close();
            assertThat(hungUp.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_refused_watch_tells_why() {
        try (var server = new HttpTestServer(
                        (_, reply) -> reply.json(410, "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}"));
                var client = new ApiClient(ClusterAccess.of(server.uri()))) {
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(() -> client.watch(SERVICES, "", Revision.ZERO))
                    .matches(ApiException::isGone);
        }
    }

    @Test
    void a_line_may_not_grow_without_end() throws Exception {
        BodyPieces pieces = new BodyPieces();
        pieces.onNext(List.of(bytes("12345\n1234567890")));
        LineReader lines = new LineReader(pieces, 9);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> lines.next(Duration.ZERO))
                .withMessage("a line is longer than 9 bytes");
    }

    @Test
    void half_a_line_is_not_ready() throws Exception {
        BodyPieces pieces = new BodyPieces();
        LineReader lines = new LineReader(pieces, 100);
        pieces.onNext(List.of(bytes("one\ntw")));
        assertThat(lines.isReady()).isTrue();
        assertThat(lines.next(Duration.ZERO).map(WatchTest::text)).contains("one");
        assertThat(lines.isReady()).isFalse();
        pieces.onNext(List.of(bytes("o\n")));
        pieces.onComplete();
        assertThat(lines.isReady()).isTrue();
        assertThat(lines.next(Duration.ZERO).map(WatchTest::text)).contains("two");
        assertThat(lines.isReady()).isFalse();
        assertThat(lines.next(Duration.ZERO)).isEqualTo(Optional.empty());
    }
}
