package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Objects that are served in more than one group and version.
@Timeout(60)
final class FacesTest {
    private static final String CORE = "/api/v1/namespaces/default/events";
    private static final String NEW = "/apis/events.k8s.io/v1/namespaces/default/events";
    private static final String NEW_EVENT = """
        {"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"e"},"eventTime":"2026-01-01T00:00:00.000000Z",
         "regarding":{"kind":"Pod","namespace":"default","name":"web"},"note":"it runs","type":"Normal",
         "reason":"Started","action":"Start","reportingController":"kubelet","reportingInstance":"n1"}\
        """;

    @AutoClose
    private final TestServer server = TestServer.running();

    @Test
    void an_event_of_the_new_group_is_one_of_the_old_group_too() throws Exception {
        var created = server.post(NEW, NEW_EVENT);
        assertThat(created.code()).describedAs(created.message()).isEqualTo(201);
        assertThat(created.text("apiVersion")).isEqualTo("events.k8s.io/v1");
        assertThat(created.text("regarding", "name")).isEqualTo("web");

        var old = server.get(CORE + "/e");
        assertThat(old.text("apiVersion")).isEqualTo("v1");
        assertThat(old.text("involvedObject", "name")).isEqualTo("web");
        assertThat(old.text("message")).isEqualTo("it runs");
        assertThat(old.text("reportingComponent")).isEqualTo("kubelet");
        assertThat(old.body().has("note")).isFalse();
    }

    @Test
    void an_event_of_the_old_group_is_listed_and_watched_in_the_new_one() throws Exception {
        server.post(CORE, """
            {"metadata":{"name":"e"},"involvedObject":{"kind":"Pod","namespace":"default","name":"web"},
             "message":"it runs","source":{"component":"kubelet"},"count":3}\
            """);

        var list = server.get(NEW + "?fieldSelector=regarding.name%3Dweb");
        assertThat(list.text("apiVersion")).isEqualTo("events.k8s.io/v1");
        assertThat(list.text("kind")).isEqualTo("EventList");
        assertThat(list.names()).containsExactly("e");
        assertThat(Json.text(list.body().path("items").get(0), "deprecatedSource", "component"))
                .isEqualTo("kubelet");
        assertThat(server.get(NEW + "?fieldSelector=regarding.name%21%3Dweb").names())
                .isEmpty();
        try (WatchReader watch = server.watch(NEW)) {
            var event = watch.next().orElseThrow();
            assertThat(Json.text(event.object(), "note")).isEqualTo("it runs");
            assertThat(Json.number(event.object(), 0, "deprecatedCount")).isEqualTo(3);
        }
    }

    @Test
    void an_event_is_patched_in_the_words_of_the_group_it_is_patched_in() throws Exception {
        server.post(NEW, NEW_EVENT);
        server.merge(NEW + "/e", "{\"note\":\"again\"}");
        assertThat(server.get(CORE + "/e").text("message")).isEqualTo("again");
        String operations = "[{\"op\":\"replace\",\"path\":\"/regarding/name\",\"value\":\"db\"}]";
        var patched = server.send("PATCH", NEW + "/e", "application/json-patch+json", operations);
        assertThat(patched.text("regarding", "name")).isEqualTo("db");
    }

    @Test
    void a_deployment_of_an_old_group_is_kept_as_one_of_today() throws Exception {
        for (String version : new String[] {"apps/v1beta1", "apps/v1beta2", "extensions/v1beta1"}) {
            String name = version.replace('/', '-');
            String manifest = """
                {"apiVersion":"%s","kind":"Deployment","metadata":{"name":"%s"},
                 "spec":{"template":{"metadata":{"labels":{"app":"a"}},
                                     "spec":{"containers":[{"name":"c","image":"i"}]}}}}\
                """.formatted(version, name);
            var created = server.post("/apis/" + version + "/namespaces/default/deployments", manifest);
            assertThat(created.code()).describedAs(created.message()).isEqualTo(201);
            assertThat(created.text("apiVersion")).isEqualTo(version);
            assertThat(created.warnings()).anyMatch(warning -> warning.contains("use apps/v1 Deployment"));
            var today = server.get("/apis/apps/v1/namespaces/default/deployments/" + name);
            assertThat(today.text("apiVersion")).isEqualTo("apps/v1");
            assertThat(today.text("spec", "selector", "matchLabels", "app")).isEqualTo("a");
        }
    }

    @Test
    void the_old_prefix_is_a_watch_too() throws Exception {
        server.post(CORE, "{\"metadata\":{\"name\":\"e\"},\"involvedObject\":{\"namespace\":\"default\"}}");
        for (String path : new String[] {"/api/v1/watch/events", "/api/v1/watch/namespaces/default/events/e"}) {
            try (WatchReader watch = server.watch(path)) {
                assertThat(watch.next(1)).describedAs(path).containsExactly("ADDED e");
            }
        }
        assertThat(server.raw("GET", "/api/v1/watch").statusCode()).isEqualTo(404);
    }
}
