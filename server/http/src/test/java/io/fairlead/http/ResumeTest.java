package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Revision;
import io.fairlead.store.SqliteStore;
import io.fairlead.store.Store;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A client watches, the server starts anew, and the client goes on where it was.
@Timeout(60)
final class ResumeTest {
    private static final String SERVICES = "/api/v1/namespaces/default/services";
    private static final String PORTS = "\"ports\":[{\"port\":80}]";

    @TempDir
    private Path dir;

    private Store store() {
        return SqliteStore.open(dir.resolve("state.db"));
    }

    private static TestServer start(Store store) throws InterruptedException {
        return TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT), store);
    }

    @Test
    void a_watch_from_before_the_start_gets_every_change_since_and_then_the_new_ones() throws Exception {
        String known;
        try (TestServer server = start(store())) {
            server.post(SERVICES, Bodies.service("one", PORTS));
            known = server.post(SERVICES, Bodies.service("two", PORTS)).version();
            server.merge(SERVICES + "/one", "{\"metadata\":{\"labels\":{\"app\":\"web\"}}}");
            server.post(SERVICES, Bodies.service("three", PORTS));
            server.delete(SERVICES + "/two");
        }
        try (TestServer server = start(store());
                WatchReader all = server.watch(SERVICES + "?resourceVersion=" + known);
                WatchReader web = server.watch(SERVICES + "?labelSelector=app%3Dweb&resourceVersion=" + known)) {
            assertThat(all.next(3)).containsExactly("MODIFIED one", "ADDED three", "DELETED two");
            assertThat(web.next(1)).containsExactly("ADDED one");
            server.post(SERVICES, Bodies.service("four", PORTS));
            assertThat(all.next(1)).containsExactly("ADDED four");
        }
    }

    @Test
    void a_watch_from_before_what_the_store_has_forgotten_is_told_so() throws Exception {
        String known;
        try (Store store = store();
                TestServer server = start(store)) {
            known = server.post(SERVICES, Bodies.service("one", PORTS)).version();
            String last = server.post(SERVICES, Bodies.service("two", PORTS)).version();
            store.compact(new Revision(Long.parseLong(last)));
        }
        try (TestServer server = start(store());
                WatchReader watch = server.watch(SERVICES + "?resourceVersion=" + known)) {
            WatchReader.Event event = watch.next().orElseThrow();
            assertThat(event.type()).isEqualTo("ERROR");
            assertThat(Json.number(event.object(), 0, "code")).isEqualTo(410);
        }
    }
}
