package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two servers on one store: what one lets go counts for the other.
@Timeout(60)
final class EvictionTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    private static final String READY =
            "{\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}";

    private TestServer one;
    private TestServer two;

    @BeforeEach
    void start() throws Exception {
        SharedStore store = new SharedStore();
        one = TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT), store);
        two = TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT), store);
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
    }

    private void pod(String name, boolean ready) throws Exception {
        var made = one.post(PODS, """
            {"metadata":{"name":"%s","labels":{"app":"web"}},
             "spec":{"nodeName":"n1","containers":[{"name":"c","image":"i"}]}}\
            """.formatted(name));
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        if (ready) {
            assertThat(one.merge(PODS + "/" + name + "/status", READY).code()).isEqualTo(200);
        }
    }

    private void budget(String name, String rule) throws Exception {
        var made = one.post(BUDGETS, """
            {"metadata":{"name":"%s"},"spec":{"selector":{"matchLabels":{"app":"web"}},%s}}\
            """.formatted(name, rule));
        assertThat(made.code()).as(made.message()).isEqualTo(201);
    }

    private static TestServer.Reply evict(TestServer server, String pod) throws Exception {
        return server.post(
                PODS + "/" + pod + "/eviction",
                "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"%s\"}}".formatted(pod));
    }

    @Test
    void a_pod_that_is_needed_stays_and_the_answer_says_why() throws Exception {
        pod("a", true);
        pod("b", true);
        budget("web", "\"minAvailable\":2");
        var refused = evict(two, "a");

        assertThat(refused.code()).isEqualTo(429);
        assertThat(refused.message()).isEqualTo("Cannot evict pod as it would violate the pod's disruption budget.");
        var cause = refused.body().path("details").path("causes").path(0);
        assertThat(cause.path("reason").asString()).isEqualTo("DisruptionBudget");
        assertThat(cause.path("message").asString())
                .isEqualTo("The disruption budget web needs 2 healthy pods and has 2 currently");
        assertThat(one.get(PODS + "/a").body().path("metadata").has("deletionTimestamp"))
                .isFalse();
    }

    @Test
    void of_many_evictions_at_once_on_both_servers_no_more_get_through_than_can_be_spared() throws Exception {
        for (int i = 0; i < 8; i++) {
            pod("p" + i, true);
        }
        budget("web", "\"maxUnavailable\":\"25%\"");
        List<Callable<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            TestServer server = i % 2 == 0 ? one : two;
            String pod = "p" + i;
            all.add(() -> evict(server, pod).code());
        }
        List<Integer> codes = new ArrayList<>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> code : executor.invokeAll(all)) {
                codes.add(code.get());
            }
        }
        assertThat(codes).containsOnly(201, 429);
        assertThat(codes.stream().filter(code -> code == 201)).hasSize(2);
    }

    @Test
    void a_budget_tells_its_numbers_and_unready_pods_may_go_as_long_as_enough_are_ready() throws Exception {
        pod("a", true);
        pod("b", true);
        pod("sick", false);
        budget("web", "\"minAvailable\":2");
        await().untilAsserted(() -> {
            var status = two.get(BUDGETS + "/web");
            assertThat(status.number("status", "currentHealthy")).isEqualTo(2);
            assertThat(status.number("status", "desiredHealthy")).isEqualTo(2);
            assertThat(status.number("status", "expectedPods")).isEqualTo(3);
            assertThat(status.number("status", "disruptionsAllowed")).isZero();
        });
        assertThat(evict(two, "sick").code()).isEqualTo(201);
        pod("sick-too", false);
        one.merge(PODS + "/b/status", READY.replace("True", "False"));
        assertThat(evict(one, "sick-too").code()).isEqualTo(429);
        one.merge(BUDGETS + "/web", "{\"spec\":{\"unhealthyPodEvictionPolicy\":\"AlwaysAllow\"}}");
        assertThat(evict(one, "sick-too").code()).isEqualTo(201);
    }

    @Test
    void two_budgets_for_one_pod_are_one_too_many() throws Exception {
        pod("a", true);
        budget("one", "\"minAvailable\":0");
        budget("two", "\"minAvailable\":0");
        assertThat(evict(one, "a").message()).contains("more than one PodDisruptionBudget");
    }
}
