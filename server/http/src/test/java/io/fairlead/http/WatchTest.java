package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Revision;
import io.fairlead.objects.KindCache;
import io.fairlead.objects.StoreKey;
import io.fairlead.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class WatchTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";

    @AutoClose
    private final TestServer server = TestServer.running();

    private String create(String name) throws Exception {
        return server.post(PODS, VerbsTest.pod(name)).version();
    }

    private String label(String name, String value) throws Exception {
        return server.merge(PODS + "/" + name, "{\"metadata\":{\"labels\":{\"app\":\"" + value + "\"}}}")
                .version();
    }

    @Test
    void a_watch_begins_with_what_is_there_and_goes_on_with_what_happens() throws Exception {
        create("old");
        try (WatchReader watch = server.watch(PODS)) {
            assertThat(watch.next(1)).containsExactly("ADDED old");
            create("new");
            label("old", "changed");
            server.delete(PODS + "/new");
            assertThat(watch.next(3)).containsExactly("ADDED new", "MODIFIED old", "DELETED new");
        }
    }

    @Test
    void a_deleted_event_shows_the_last_state_at_the_revision_of_the_deletion() throws Exception {
        String created = create("short");
        try (WatchReader watch = server.watch(PODS + "?resourceVersion=" + created)) {
            var deleted = server.delete(PODS + "/short");
            WatchReader.Event event = watch.next().orElseThrow();

            assertThat(event.toString()).isEqualTo("DELETED short");
            assertThat(event.version()).isEqualTo(deleted.version()).isNotEqualTo(created);
            assertThat(Json.text(event.object(), "metadata", "labels", "app")).isEqualTo("short");
        }
    }

    @Test
    void a_watch_that_is_taken_up_again_misses_nothing_and_tells_nothing_twice() throws Exception {
        String from = server.get(PODS).version();
        List<String> written = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            written.add(create("pod-" + i));
        }
        List<String> read = new ArrayList<>();
        while (read.size() < written.size()) {
            try (WatchReader watch = server.watch(PODS + "?resourceVersion=" + from)) {
                for (int i = 0; i < 7 && read.size() < written.size(); i++) {
                    from = watch.next().orElseThrow().version();
                    read.add(from);
                }
            }
        }
        assertThat(read).isEqualTo(written);
    }

    @Test
    void the_revision_of_a_list_is_where_a_watch_can_begin() throws Exception {
        create("before");
        var list = server.get(PODS);
        create("after");

        try (WatchReader watch = server.watch(PODS + "?resourceVersion=" + list.version())) {
            assertThat(watch.next(1)).containsExactly("ADDED after");
        }
    }

    @Test
    void a_selector_turns_changes_into_additions_and_deletions() throws Exception {
        create("web");
        create("other");
        try (WatchReader watch = server.watch(PODS + "?labelSelector=app%3Dweb")) {
            assertThat(watch.next(1)).containsExactly("ADDED web");
            label("other", "web");
            String left = label("web", "gone");
            label("other", "web2");

            assertThat(watch.next(1)).containsExactly("ADDED other");
            WatchReader.Event deleted = watch.next().orElseThrow();
            assertThat(deleted.toString()).isEqualTo("DELETED web");
            assertThat(deleted.version()).isEqualTo(left);
            // What the watcher saw last, not what no longer is its business.
            assertThat(Json.text(deleted.object(), "metadata", "labels", "app")).isEqualTo("web");
            assertThat(watch.next(1)).containsExactly("DELETED other");
        }
    }

    @Test
    void one_object_can_be_watched_by_its_path_or_by_its_name() throws Exception {
        create("mine");
        create("theirs");
        for (String path : List.of(PODS + "/mine", PODS + "?fieldSelector=metadata.name%3Dmine")) {
            try (WatchReader watch = server.watch(path)) {
                assertThat(watch.next(1)).containsExactly("ADDED mine");
                label("theirs", path.length() + "");
                label("mine", path.length() + "");
                assertThat(watch.next(1)).containsExactly("MODIFIED mine");
            }
        }
    }

    @Test
    void a_watch_ends_cleanly_at_its_timeout_with_a_last_bookmark() throws Exception {
        create("one");
        try (WatchReader watch = server.watch(PODS + "?timeoutSeconds=1&allowWatchBookmarks=true")) {
            List<WatchReader.Event> events = watch.rest();

            assertThat(events).extracting(WatchReader.Event::type).containsExactly("ADDED", "BOOKMARK");
            assertThat(events.getLast().version()).isEqualTo(server.get(PODS).version());
            assertThat(Json.text(events.getLast().object(), "kind")).isEqualTo("Pod");
            assertThat(events.getLast().object().path("spec").isMissingNode()).isTrue();
        }
    }

    @Test
    void without_leave_there_are_no_bookmarks() throws Exception {
        try (WatchReader watch = server.watch(PODS + "?timeoutSeconds=1")) {
            assertThat(watch.rest()).isEmpty();
        }
    }

    @Test
    void a_bookmark_can_be_ahead_of_the_last_event_and_is_a_place_to_go_on_from() throws Exception {
        create("one");
        server.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"elsewhere\"}}");
        String bookmark;
        try (WatchReader watch = server.watch(PODS + "?timeoutSeconds=1&allowWatchBookmarks=true")) {
            bookmark = watch.rest().getLast().version();
        }
        create("two");
        try (WatchReader watch = server.watch(PODS + "?resourceVersion=" + bookmark)) {
            assertThat(watch.next(1)).containsExactly("ADDED two");
        }
    }

    @Test
    void initial_events_end_with_a_bookmark_that_says_so() throws Exception {
        create("a");
        create("b");
        String query = "?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
        try (WatchReader watch = server.watch(PODS + query)) {
            assertThat(watch.next(2)).containsExactly("ADDED a", "ADDED b");
            WatchReader.Event end = watch.next().orElseThrow();
            assertThat(end.type()).isEqualTo("BOOKMARK");
            assertThat(Json.text(end.object(), "metadata", "annotations", "k8s.io/initial-events-end"))
                    .isEqualTo("true");
            create("c");
            assertThat(watch.next(1)).containsExactly("ADDED c");
        }
    }

    @Test
    void initial_events_need_the_match_that_goes_with_them() throws Exception {
        for (String query : List.of(
                "?sendInitialEvents=true",
                "?sendInitialEvents=true&resourceVersionMatch=Exact",
                "?resourceVersionMatch=NotOlderThan")) {
            try (WatchReader watch = server.watch(PODS + query)) {
                assertThat(watch.code()).as(query).isEqualTo(422);
            }
        }
        assertThat(server.get(PODS + "?sendInitialEvents=true").code()).isEqualTo(422);
    }

    @Test
    void initial_events_of_a_state_to_come_are_refused_and_a_plain_watch_waits_for_it() throws Exception {
        String ahead = "?resourceVersion=" + (Long.parseLong(server.get(PODS).version()) + 1000);
        try (WatchReader refused =
                server.watch(PODS + ahead + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan")) {
            assertThat(refused.code()).isEqualTo(504);
        }
        try (WatchReader waits = server.watch(PODS + ahead + "&timeoutSeconds=1")) {
            assertThat(waits.code()).isEqualTo(200);
            assertThat(waits.rest()).isEmpty();
        }
    }

    @Test
    void a_revision_that_is_forgotten_is_gone() throws Exception {
        String old = create("first");
        for (int i = 0; i <= KindCache.RECENT; i++) {
            write("burst", i, "");
        }
        create("last");

        try (WatchReader watch = server.watch(PODS + "?resourceVersion=" + old)) {
            WatchReader.Event event = watch.next().orElseThrow();
            assertThat(event.type()).isEqualTo("ERROR");
            assertThat(Json.number(event.object(), 0, "code")).isEqualTo(410);
            assertThat(Json.text(event.object(), "reason")).isEqualTo("Expired");
            assertThat(Json.text(event.object(), "kind")).isEqualTo("Status");
            assertThat(watch.next()).isEmpty();
        }
    }

    @Test
    void a_slow_watcher_is_sent_away_and_never_skips_an_event() throws Exception {
        String from = create("first");
        // More than the buffers of two sockets hold, and more changes than are remembered.
        String filler = "x".repeat(20_000);
        try (WatchReader watch = server.watch(PODS + "?resourceVersion=" + from)) {
            for (int i = 0; i < 2 * KindCache.RECENT; i++) {
                write("burst", i, filler);
            }
            create("last");
            int expected = 0;
            Optional<WatchReader.Event> event = watch.next();
            while (event.isPresent() && !event.get().type().equals("ERROR")) {
                assertThat(Json.number(event.get().object(), -1, "spec", "round"))
                        .isEqualTo(expected);
                expected++;
                event = watch.next();
            }
            assertThat(event).isPresent();
            assertThat(Json.number(event.get().object(), 0, "code")).isEqualTo(410);
            assertThat(Json.text(event.get().object(), "reason")).isEqualTo("Expired");
            assertThat(watch.next()).isEmpty();
        }
    }

    @Test
    void closing_the_server_ends_its_watches_cleanly() throws Exception {
        create("one");
        try (WatchReader watch = server.watch(PODS)) {
            watch.next(1);
            server.closeServer();
            assertThat(watch.rest()).isEmpty();
        }
    }

    @Test
    void a_watcher_that_does_not_read_cannot_keep_the_server_from_closing() throws Exception {
        String from = create("first");
        try (WatchReader _ = server.watch(PODS + "?resourceVersion=" + from)) {
            for (int i = 0; i < KindCache.RECENT; i++) {
                write("burst", i, "x".repeat(20_000));
            }
            create("last");
            server.closeServer();
            assertThat(server.store().list("pods/").items()).hasSize(3);
        }
    }

    @Test
    void a_watch_can_be_told_in_rows() throws Exception {
        create("row");
        var table = server.get(
                PODS + "?watch=true&timeoutSeconds=1", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json");

        var event = Json.parse(table.body());
        assertThat(Json.text(event, "type")).isEqualTo("ADDED");
        assertThat(Json.text(event, "object", "kind")).isEqualTo("Table");
        assertThat(event.path("object")
                        .path("rows")
                        .path(0)
                        .path("cells")
                        .path(0)
                        .asString())
                .isEqualTo("row");
    }

    /// Writes past the server, which is much quicker, and shows that it follows the store, not its own writes.
    private void write(String name, int round, String filler) {
        String key = StoreKey.of(Kind.POD, new NamespacedName("default", name));
        String json = "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"default\"},\"spec\":{\"round\":%d,\"x\":\"%s\"}}"
                .formatted(name, round, filler);
        Revision expected = server.store().find(key).map(Store.Stored::revision).orElse(Revision.ZERO);
        server.store().put(key, json.getBytes(StandardCharsets.UTF_8), expected);
    }
}
