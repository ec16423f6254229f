package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Json;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class NamespaceTest {
    private static final String NAMESPACES = "/api/v1/namespaces";

    @AutoClose
    private static final TestServer server = TestServer.running();

    @Test
    void every_cluster_has_four_namespaces() throws Exception {
        assertThat(server.get(NAMESPACES).names()).contains("default", "kube-node-lease", "kube-public", "kube-system");
        assertThat(server.get(NAMESPACES + "/default").text("status", "phase")).isEqualTo("Active");
    }

    @Test
    void a_deleted_namespace_takes_all_that_is_in_it_along() throws Exception {
        server.post(NAMESPACES, "{\"metadata\":{\"name\":\"doomed\"}}");
        String services = NAMESPACES + "/doomed/services";
        String spec = "\"clusterIP\":\"10.96.0.44\",\"ports\":[{\"port\":80}]";
        server.post(services, Bodies.service("s", spec));
        server.post(NAMESPACES + "/doomed/pods", VerbsTest.pod("p"));

        var deleted = server.delete(NAMESPACES + "/doomed");

        assertThat(deleted.text("status", "phase")).isEqualTo("Terminating");
        await().until(() -> server.get(NAMESPACES + "/doomed").code() == 404);
        assertThat(server.get(services + "/s").code()).isEqualTo(404);
        assertThat(server.store().list("ipaddresses").items().stream().map(item -> item.key()))
                .noneMatch(key -> key.endsWith("10.96.0.44"));
    }

    @Test
    void a_namespace_waits_for_its_pods_and_takes_nothing_new_meanwhile() throws Exception {
        server.post(NAMESPACES, "{\"metadata\":{\"name\":\"waiting\"}}");
        String pods = NAMESPACES + "/waiting/pods";
        server.post(pods, VerbsTest.pod("p"));
        server.merge(pods + "/p", "{\"spec\":{\"nodeName\":\"n1\"}}");
        server.delete(NAMESPACES + "/waiting");
        await().until(() ->
                !server.get(pods + "/p").text("metadata", "deletionTimestamp").isEmpty());

        var late = server.post(pods, VerbsTest.pod("late"));
        assertThat(late.code()).isEqualTo(403);
        assertThat(late.body()
                        .path("details")
                        .path("causes")
                        .path(0)
                        .path("reason")
                        .stringValue())
                .isEqualTo("NamespaceTerminating");
        assertThat(server.get(NAMESPACES + "/waiting").code()).isEqualTo(200);

        server.delete(pods + "/p?gracePeriodSeconds=0");
        await().until(() -> server.get(NAMESPACES + "/waiting").code() == 404);
    }

    @Test
    void a_namespace_that_cannot_be_emptied_says_what_holds_it_up() throws Exception {
        server.post(NAMESPACES, "{\"metadata\":{\"name\":\"stuck\"}}");
        String maps = NAMESPACES + "/stuck/configmaps";
        server.post(maps, "{\"metadata\":{\"name\":\"held\",\"finalizers\":[\"example.com/hold\"]}}");
        server.delete(NAMESPACES + "/stuck");

        await().until(() -> condition("stuck", "NamespaceFinalizersRemaining").contains("SomeFinalizersRemain"));
        assertThat(condition("stuck", "NamespaceFinalizersRemaining")).contains("True", "example.com/hold in 1");
        assertThat(condition("stuck", "NamespaceContentRemaining")).contains("True", "configmaps");
        assertThat(condition("stuck", "NamespaceDeletionContentFailure")).contains("False");
        server.merge(maps + "/held", "{\"metadata\":{\"finalizers\":null}}");
        await().until(() -> server.get(NAMESPACES + "/stuck").code() == 404);
    }

    private static String condition(String namespace, String type) throws Exception {
        return Json.at(server.get(NAMESPACES + "/" + namespace).body(), "status", "conditions")
                .valueStream()
                .filter(condition -> Json.text(condition, "type").equals(type))
                .map(Object::toString)
                .findFirst()
                .orElse("");
    }

    @Test
    void the_namespaces_that_every_cluster_needs_stay() throws Exception {
        var refused = server.delete(NAMESPACES + "/default");

        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message()).contains("this namespace may not be deleted");
    }

    @Test
    void a_client_cannot_take_away_what_keeps_a_namespace() throws Exception {
        server.post(NAMESPACES, "{\"metadata\":{\"name\":\"kept\"}}");

        var patched = server.merge(NAMESPACES + "/kept", "{\"spec\":{\"finalizers\":null}}");

        assertThat(Json.texts(patched.body(), "spec", "finalizers")).containsExactly("kubernetes");
    }
}
