package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SubresourcesTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";

    @AutoClose
    private static final TestServer server = TestServer.running();

    @Test
    void an_evicted_pod_goes_like_a_deleted_one() throws Exception {
        server.post(PODS, VerbsTest.pod("evicted"));
        String eviction = "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"evicted\"},"
                + "\"deleteOptions\":{\"preconditions\":{\"uid\":\"%s\"}}}";

        var other = server.post(PODS + "/evicted/eviction", eviction.formatted("somebody-else"));
        var evicted = server.post(
                PODS + "/evicted/eviction",
                eviction.formatted(server.get(PODS + "/evicted").text("metadata", "uid")));

        assertThat(other.code()).isEqualTo(409);
        assertThat(evicted.code()).isEqualTo(201);
        assertThat(evicted.text("status")).isEqualTo("Success");
        assertThat(server.get(PODS + "/evicted").code()).isEqualTo(404);
    }

    @Test
    void a_namespace_goes_when_the_last_of_its_own_finalizers_is_gone() throws Exception {
        server.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"held\"}}");
        var held = server.put(
                "/api/v1/namespaces/held/finalize",
                "{\"metadata\":{\"name\":\"held\"},\"spec\":{\"finalizers\":[\"kubernetes\",\"example.com/wait\"]}}");
        server.delete("/api/v1/namespaces/held");

        assertThat(held.body().path("spec").path("finalizers")).hasSize(2);
        var terminating = server.post("/api/v1/namespaces/held/configmaps", "{\"metadata\":{\"name\":\"late\"}}");
        assertThat(terminating.code()).isEqualTo(403);
        assertThat(terminating.body().path("details").path("causes").toString()).contains("NamespaceTerminating");
        await().until(() -> server.get("/api/v1/namespaces/held")
                        .body()
                        .path("spec")
                        .path("finalizers")
                        .size()
                == 1);
        server.put(
                "/api/v1/namespaces/held/finalize", "{\"metadata\":{\"name\":\"held\"},\"spec\":{\"finalizers\":[]}}");
        assertThat(server.get("/api/v1/namespaces/held").code()).isEqualTo(404);
    }

    @Test
    void every_namespace_has_its_service_account_and_gets_it_back() throws Exception {
        server.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"side\"}}");
        String account = "/api/v1/namespaces/side/serviceaccounts/default";

        await().until(() -> server.get(account).code() == 200);
        String first = server.get(account).text("metadata", "uid");
        server.delete(account);
        await().until(() -> server.get(account).code() == 200);
        assertThat(server.get(account).text("metadata", "uid")).isNotEqualTo(first);
    }
}
