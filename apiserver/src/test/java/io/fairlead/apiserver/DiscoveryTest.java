package io.fairlead.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

@Timeout(60)
final class DiscoveryTest {
    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void the_groups_and_their_versions_are_told() throws Exception {
        assertThat(Json.texts(server.get("/api").body(), "versions")).containsExactly("v1");
        var groups = server.get("/apis");
        assertThat(groups.text("kind")).isEqualTo("APIGroupList");
        assertThat(Json.list(groups.body(), group -> Json.text(group, "name"), "groups"))
                .contains("apps", "discovery.k8s.io");
        assertThat(server.get("/apis/apps").text("preferredVersion", "groupVersion"))
                .isEqualTo("apps/v1");
    }

    @Test
    void every_kind_is_listed_in_its_group_with_verbs_and_short_names() throws Exception {
        for (Kind kind : Kind.ALL) {
            String path = kind.group().isEmpty() ? "/api/v1" : "/apis/" + kind.apiVersion();
            JsonNode resource = server.get(path)
                    .body()
                    .path("resources")
                    .valueStream()
                    .filter(r -> Json.text(r, "name").equals(kind.plural()))
                    .findFirst()
                    .orElseThrow();
            assertThat(Json.text(resource, "kind")).isEqualTo(kind.name());
            assertThat(Json.flag(resource, false, "namespaced")).isEqualTo(kind.namespaced());
            assertThat(Json.texts(resource, "verbs"))
                    .contains("get", "list", "watch", "create", "update", "patch", "delete");
            assertThat(Json.texts(resource, "shortNames")).isEqualTo(kind.shortNames());
        }
    }

    @Test
    void subresources_are_entries_of_their_own() throws Exception {
        assertThat(Json.list(server.get("/apis/apps/v1").body(), r -> Json.text(r, "name"), "resources"))
                .contains("deployments/scale", "deployments/status");
        assertThat(Json.list(server.get("/api/v1").body(), r -> Json.text(r, "name"), "resources"))
                .contains("pods/binding", "services/status");
    }

    @Test
    void clients_that_ask_for_aggregated_discovery_get_the_plain_one() throws Exception {
        var reply = server.get(
                "/apis", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json");

        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(reply.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(Json.text(Json.parse(reply.body()), "kind")).isEqualTo("APIGroupList");
    }

    @Test
    void the_version_is_one_that_clients_can_read() throws Exception {
        var version = server.get("/version");

        assertThat(version.text("major")).isEqualTo("1");
        assertThat(version.text("gitVersion")).startsWith("v1.36.");
    }

    @Test
    void health_is_told_in_one_word_or_in_detail() throws Exception {
        for (String path : List.of("/healthz", "/livez", "/readyz")) {
            assertThat(server.get(path, "*/*").body()).isEqualTo("ok");
        }
        assertThat(server.get("/readyz?verbose", "*/*").body())
                .contains("[+]cache ok")
                .contains("readyz check passed");
    }

    @Test
    void requests_are_counted() throws Exception {
        server.get("/api/v1/namespaces/default/services/missing");

        assertThat(server.get("/metrics", "*/*").body())
                .contains("apiserver_request_total{code=\"404\",resource=\"services\",verb=\"GET\"} 1.0")
                .contains("apiserver_registered_watchers 0.0");
    }
}
