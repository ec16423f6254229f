package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

@Timeout(60)
final class DiscoveryTest {
    @AutoClose
    private static final TestServer server = TestServer.running();

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
    void clients_that_ask_for_aggregated_discovery_get_all_in_two_documents() throws Exception {
        for (String version : List.of("v2", "v2beta1")) {
            String type = "application/json;g=apidiscovery.k8s.io;v=" + version + ";as=APIGroupDiscoveryList";
            var reply = server.get("/apis", type + ",application/json");
            JsonNode body = Json.parse(reply.body());

            assertThat(reply.headers().firstValue("Content-Type")).hasValue(type);
            assertThat(Json.text(body, "apiVersion")).isEqualTo("apidiscovery.k8s.io/" + version);
            JsonNode apps = find(body.path("items"), "apps", "metadata", "name");
            assertThat(Json.list(apps, v -> Json.text(v, "version"), "versions"))
                    .containsExactly("v1", "v1beta2", "v1beta1");
            JsonNode deployments = find(apps.path("versions").get(0).path("resources"), "deployments", "resource");
            assertThat(Json.text(deployments, "scope")).isEqualTo("Namespaced");
            assertThat(Json.text(deployments, "responseKind", "kind")).isEqualTo("Deployment");
            JsonNode scale = find(deployments.path("subresources"), "scale", "subresource");
            assertThat(Json.text(scale, "responseKind", "group")).isEqualTo("autoscaling");
        }
        var core = server.get("/api", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
        JsonNode versions = Json.parse(core.body()).path("items").get(0).path("versions");
        assertThat(Json.text(find(versions.get(0).path("resources"), "services", "resource"), "singularResource"))
                .isEqualTo("service");
    }

    @Test
    void a_client_that_would_rather_have_the_plain_lists_gets_them() throws Exception {
        String aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
        for (String accept : List.of("application/json", "*/*", "application/json," + aggregated)) {
            var reply = server.get("/apis", accept);

            assertThat(reply.headers().firstValue("Content-Type")).hasValue("application/json");
            assertThat(Json.text(Json.parse(reply.body()), "kind")).isEqualTo("APIGroupList");
        }
        var future = server.get("/apis", aggregated.replace("v=v2", "v=v9") + ",application/json");
        assertThat(Json.text(Json.parse(future.body()), "kind")).isEqualTo("APIGroupList");
    }

    @Test
    void a_client_that_has_a_page_already_is_not_sent_it_again() throws Exception {
        var first = server.raw("GET", "/apis");
        String tag = first.headers().firstValue("ETag").orElseThrow();

        var again = server.raw("GET", "/apis", "If-None-Match", tag);
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(server.raw("GET", "/apis", "If-None-Match", "\"other\"").statusCode())
                .isEqualTo(200);
    }

    @Test
    void kinds_of_all_are_told_under_one_group_only() throws Exception {
        assertThat(categories("/apis/apps/v1", "deployments")).containsExactly("all");
        assertThat(categories("/apis/apps/v1beta1", "deployments")).isEmpty();
        assertThat(categories("/apis/extensions/v1beta1", "deployments")).isEmpty();
        assertThat(categories("/api/v1", "services")).containsExactly("all");
    }

    private List<String> categories(String path, String plural) throws Exception {
        return Json.texts(find(server.get(path).body().path("resources"), plural, "name"), "categories");
    }

    private static JsonNode find(JsonNode list, String value, String... path) {
        return list.valueStream()
                .filter(item -> Json.text(item, path).equals(value))
                .findFirst()
                .orElseThrow();
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
