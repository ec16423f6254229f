package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class DeleteTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String SERVICES = "/api/v1/namespaces/default/services";
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

    @AutoClose
    private static final TestServer server = TestServer.running();

    @Test
    void an_unbound_pod_goes_at_once_and_a_bound_one_when_its_node_says_so() throws Exception {
        server.post(PODS, VerbsTest.pod("unbound"));
        server.post(PODS, VerbsTest.pod("bound"));
        server.merge(PODS + "/bound", "{\"spec\":{\"nodeName\":\"n1\"}}");

        var unbound = server.delete(PODS + "/unbound");
        var bound = server.delete(PODS + "/bound");

        assertThat(unbound.code()).isEqualTo(200);
        assertThat(server.get(PODS + "/unbound").code()).isEqualTo(404);
        assertThat(bound.text("metadata", "deletionTimestamp")).isNotEmpty();
        assertThat(bound.number("metadata", "deletionGracePeriodSeconds")).isEqualTo(30);
        assertThat(server.get(PODS + "/bound").body()).isEqualTo(bound.body());
        assertThat(server.delete(PODS + "/bound?gracePeriodSeconds=0").code()).isEqualTo(200);
        assertThat(server.get(PODS + "/bound").code()).isEqualTo(404);
    }

    @Test
    void a_second_delete_shortens_the_grace_period_but_never_lengthens_it() throws Exception {
        server.post(PODS, VerbsTest.pod("hurried"));
        server.merge(PODS + "/hurried", "{\"spec\":{\"nodeName\":\"n1\"}}");
        server.delete(PODS + "/hurried?gracePeriodSeconds=20");

        var longer = server.delete(PODS + "/hurried?gracePeriodSeconds=40");
        var shorter = server.delete(PODS + "/hurried?gracePeriodSeconds=5");

        assertThat(longer.number("metadata", "deletionGracePeriodSeconds")).isEqualTo(20);
        assertThat(shorter.number("metadata", "deletionGracePeriodSeconds")).isEqualTo(5);
    }

    @Test
    void a_delete_checks_its_preconditions() throws Exception {
        var pod = server.post(PODS, VerbsTest.pod("guarded"));
        String uid = "{\"preconditions\":{\"uid\":\"%s\"}}";

        var other = server.send("DELETE", PODS + "/guarded", "application/json", uid.formatted("someone-else"));
        var same = server.send(
                "DELETE", PODS + "/guarded", "application/json", uid.formatted(pod.text("metadata", "uid")));

        assertThat(other.code()).isEqualTo(409);
        assertThat(same.code()).isEqualTo(200);
    }

    @Test
    void a_finalizer_keeps_a_deleted_object_until_it_is_taken_away() throws Exception {
        server.post(DEPLOYMENTS, VerbsTest.deployment("held"));
        server.merge(DEPLOYMENTS + "/held", "{\"metadata\":{\"finalizers\":[\"example.com/wait\"]}}");

        var deleted = server.delete(DEPLOYMENTS + "/held");
        assertThat(deleted.text("metadata", "deletionTimestamp")).isNotEmpty();
        assertThat(server.get(DEPLOYMENTS + "/held").code()).isEqualTo(200);

        assertThat(server.merge(DEPLOYMENTS + "/held", "{\"metadata\":{\"finalizers\":null}}")
                        .code())
                .isEqualTo(200);
        assertThat(server.get(DEPLOYMENTS + "/held").code()).isEqualTo(404);
    }

    @Test
    void a_delete_answers_with_the_object_or_with_a_status() throws Exception {
        server.post(SERVICES, "{\"metadata\":{\"name\":\"told\"},\"spec\":{\"ports\":[{\"port\":80}]}}");
        server.post(DEPLOYMENTS, VerbsTest.deployment("told"));

        assertThat(server.delete(SERVICES + "/told").text("kind")).isEqualTo("Service");
        var status = server.delete(DEPLOYMENTS + "/told?propagationPolicy=Background");
        assertThat(status.text("status")).isEqualTo("Success");
        assertThat(status.text("details", "kind")).isEqualTo("deployments");
        assertThat(status.text("details", "group")).isEqualTo("apps");
    }

    @Test
    void a_collection_delete_takes_what_its_selector_matches() throws Exception {
        server.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"crowd\"}}");
        String pods = "/api/v1/namespaces/crowd/pods";
        for (String name : List.of("a", "b", "c")) {
            server.post(pods, VerbsTest.pod(name));
        }

        var deleted = server.delete(pods + "?labelSelector=app%20in%20(a,c)");

        assertThat(deleted.names()).containsExactly("a", "c");
        assertThat(server.get(pods).names()).containsExactly("b");
    }

    @Test
    void deleting_a_service_takes_its_endpoints_along() throws Exception {
        server.post(SERVICES, "{\"metadata\":{\"name\":\"pair\"},\"spec\":{\"ports\":[{\"port\":80}]}}");
        server.post("/api/v1/namespaces/default/endpoints", "{\"metadata\":{\"name\":\"pair\"}}");

        server.delete(SERVICES + "/pair");

        assertThat(server.get("/api/v1/namespaces/default/endpoints/pair").code())
                .isEqualTo(404);
    }
}
