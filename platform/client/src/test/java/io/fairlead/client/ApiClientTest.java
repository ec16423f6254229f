package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ApiClientTest {
    private static final NamespacedName HELLO = new NamespacedName("default", "hello");
    private static final String OBJECT = "{\"metadata\":{\"name\":\"hello\",\"namespace\":\"default\"}}";
    private static final Timeouts SHORT =
            new Timeouts(Duration.ofSeconds(5), Duration.ofMillis(300), Duration.ofSeconds(1), Duration.ofMillis(100));

    private final List<HttpTestServer.Request> requests = Collections.synchronizedList(new ArrayList<>());

    private HttpTestServer answering(int code, String body) {
        return new HttpTestServer((request, reply) -> {
            requests.add(request);
            reply.json(code, body);
        });
    }

    private static ApiClient clientOf(HttpTestServer server) {
        return new ApiClient(ClusterAccess.of(server.uri()), SHORT);
    }

    @Test
    void each_verb_is_the_request_that_the_api_defines() throws Exception {
        try (var server = answering(200, OBJECT);
                var client = clientOf(server)) {
            ObjectNode object = (ObjectNode) Json.parse(OBJECT);
            ObjectNode patch = Json.object().put("a", 1);
            client.get(Kind.SERVICE, HELLO);
            client.create(Kind.DEPLOYMENT, object);
            client.update(Kind.SERVICE, object);
            client.updateStatus(Kind.POD, object);
            client.mergePatch(Kind.POD, HELLO, patch);
            client.patchStatus(Kind.NODE, new NamespacedName("", "n1"), patch);
            client.bind(HELLO, "u1", "n1");
            client.delete(Kind.POD, HELLO, new Deletion(0, "u1"));
        }
        assertThat(requests)
                .extracting(r -> r.method() + " " + r.path() + " " + r.headers().getOrDefault("content-type", "-"))
                .containsExactly(
                        "GET /api/v1/namespaces/default/services/hello -",
                        "POST /apis/apps/v1/namespaces/default/deployments application/json",
                        "PUT /api/v1/namespaces/default/services/hello application/json",
                        "PUT /api/v1/namespaces/default/pods/hello/status application/json",
                        "PATCH /api/v1/namespaces/default/pods/hello application/merge-patch+json",
                        "PATCH /api/v1/nodes/n1/status application/merge-patch+json",
                        "POST /api/v1/namespaces/default/pods/hello/binding application/json",
                        "DELETE /api/v1/namespaces/default/pods/hello application/json");
        assertThat(Json.parse(requests.getLast().body()))
                .isEqualTo(Json.parse("{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"gracePeriodSeconds\":0,"
                        + "\"preconditions\":{\"uid\":\"u1\"}}"));
    }

    @Test
    void a_token_goes_with_every_request_and_is_not_printed() throws Exception {
        try (var server = answering(200, OBJECT);
                var client = new ApiClient(ClusterAccess.of(server.uri(), "secret"))) {
            client.get(Kind.SERVICE, HELLO);
            assertThat(ClusterAccess.of(server.uri(), "secret").toString()).doesNotContain("secret");
        }
        assertThat(requests.getFirst().headers()).containsEntry("authorization", "Bearer secret");
    }

    @Test
    void a_name_cannot_leave_its_place_in_the_path() throws Exception {
        try (var server = answering(200, OBJECT);
                var client = clientOf(server)) {
            client.get(Kind.SERVICE, new NamespacedName("default", "../x?watch=true"));
        }
        assertThat(requests.getFirst().path()).isEqualTo("/api/v1/namespaces/default/services/..%2Fx%3Fwatch%3Dtrue");
        assertThat(requests.getFirst().query()).isEmpty();
    }

    @Test
    void a_list_is_read_page_by_page_with_its_selectors_and_its_items_get_their_kind_back() throws Exception {
        try (var server = new HttpTestServer((request, reply) -> {
                    requests.add(request);
                    boolean first = !request.query().containsKey("continue");
                    reply.json(
                            200,
                            first
                                    ? "{\"metadata\":{\"resourceVersion\":\"7\",\"continue\":\"a"
                                            + " b\"},\"items\":[{\"n\":1}]}"
                                    : "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[{\"n\":2},{\"n\":3}]}");
                });
                var client = clientOf(server)) {
            ObjectNode list = client.list(new Interest(Kind.POD, "app in (a,b)", "spec.nodeName=n1"), "kube-system");
            assertThat(list).isEqualTo(Json.parse("""
                            {"metadata": {"resourceVersion": "7"}, "items": [
                                {"apiVersion": "v1", "kind": "Pod", "n": 1},
                                {"apiVersion": "v1", "kind": "Pod", "n": 2},
                                {"apiVersion": "v1", "kind": "Pod", "n": 3}]}"""));
        }
        assertThat(requests)
                .extracting(HttpTestServer.Request::path)
                .containsOnly("/api/v1/namespaces/kube-system/pods");
        assertThat(requests.getLast().query())
                .containsEntry("labelSelector", "app in (a,b)")
                .containsEntry("fieldSelector", "spec.nodeName=n1")
                .containsEntry("continue", "a b");
    }

    @Test
    void a_refusal_carries_the_code_the_reason_and_the_sentence_of_the_server() {
        String status = "{\"kind\":\"Status\",\"code\":409,\"reason\":\"AlreadyExists\",\"message\":\"it is there\"}";
        try (var server = answering(409, status);
                var client = clientOf(server)) {
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(() -> client.get(Kind.SERVICE, HELLO))
                    .withMessage("it is there")
                    .matches(e -> e.code() == 409 && e.reason().equals("AlreadyExists") && e.isConflict());
        }
    }

    @Test
    void what_is_not_there_is_not_found_without_an_exception() throws Exception {
        try (var server = answering(404, "{\"kind\":\"Status\",\"code\":404,\"reason\":\"NotFound\"}");
                var client = clientOf(server)) {
            assertThat(client.find(Kind.SERVICE, HELLO)).isEmpty();
        }
    }

    @Test
    void an_answer_of_something_that_is_no_api_server_is_shown() {
        try (var server = answering(502, "<html>bad gateway</html>");
                var client = clientOf(server)) {
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(() -> client.find(Kind.SERVICE, HELLO))
                    .withMessageContaining("502: <html>bad gateway</html>")
                    .matches(e -> e.code() == 502);
        }
        try (var server = answering(200, "hello");
                var client = clientOf(server)) {
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(() -> client.get(Kind.SERVICE, HELLO))
                    .withMessageContaining("hello");
        }
    }

    @Test
    void a_server_that_is_away_or_hangs_up_has_not_answered() {
        URI unused;
        try (var server = new HttpTestServer((_, reply) -> reply.drop());
                var client = clientOf(server)) {
            unused = server.uri();
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(() -> client.create(Kind.SERVICE, Json.object()))
                    .matches(ApiException::isUnanswered);
        }
        try (var client = new ApiClient(ClusterAccess.of(unused))) {
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(() -> client.get(Kind.SERVICE, HELLO))
                    .matches(ApiException::isUnanswered)
                    .withMessage("GET " + unused + "/api/v1/namespaces/default/services/hello: no answer: "
                            + "no program listens at the server's address");
        }
    }

    @Test
    void an_answer_that_does_not_come_or_does_not_end_is_given_up() {
        CountDownLatch never = new CountDownLatch(1);
        try (var server = new HttpTestServer((request, reply) -> {
                    if (request.method().equals("GET")) {
                        reply.startStream();
                        reply.chunk("{");
                    }
                    never.await();
                });
                var client = clientOf(server)) {
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(() -> client.get(Kind.SERVICE, HELLO))
                    .matches(ApiException::isUnanswered);
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(() -> client.create(Kind.SERVICE, Json.object()))
                    .matches(ApiException::isUnanswered);
        }
    }

    @Test
    void a_server_is_ready_when_it_says_so() throws Exception {
        try (var server = answering(200, "ok");
                var client = clientOf(server)) {
            assertThat(client.isReady()).isTrue();
        }
        try (var server = answering(503, "no");
                var client = clientOf(server)) {
            assertThat(client.isReady()).isFalse();
        }
    }

    @Test
    void a_server_without_scheme_or_host_is_refused() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ClusterAccess.of(URI.create("localhost:6443")))
                .withMessage("server: \"localhost:6443\" is no http or https URL with a host");
    }
}
