package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.access.User;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Clients that hold places, connections or time of the server: others go on.
@Timeout(120)
final class PlacesAttackTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private static ApiRequest request(String method, String path, Map<String, String> query) {
        return new ApiRequest(method, path, query, Map.of(), () -> new byte[0]);
    }

    @Test
    void only_a_watch_is_a_watch() {
        User bob = User.authenticated("bob", "", Set.of());
        Map<String, String> watch = Map.of("watch", "true");
        assertThat(RequestLimits.level(bob, request("GET", MAPS, watch))).isEqualTo(RequestLimits.Level.WATCHES);
        for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
            assertThat(RequestLimits.level(bob, request(method, MAPS, watch)))
                    .as(method)
                    .isEqualTo(RequestLimits.Level.TENANTS);
        }
        assertThat(RequestLimits.level(bob, request("GET", "/version", watch))).isEqualTo(RequestLimits.Level.TENANTS);
    }

    @Test
    void heartbeats_of_nodes_have_places_of_their_own_and_those_of_others_do_not() {
        String lease = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1";
        User node = User.authenticated("system:node:n1", "", Set.of("system:nodes"));
        User bob = User.authenticated("bob", "", Set.of());
        assertThat(RequestLimits.level(node, request("PUT", lease, Map.of())))
                .isEqualTo(RequestLimits.Level.HEARTBEATS);
        assertThat(RequestLimits.level(node, request("PATCH", "/api/v1/nodes/n1/status", Map.of())))
                .isEqualTo(RequestLimits.Level.HEARTBEATS);
        assertThat(RequestLimits.level(bob, request("PUT", lease, Map.of()))).isEqualTo(RequestLimits.Level.TENANTS);
        User account = User.authenticated("system:serviceaccount:default:default", "", Set.of());
        assertThat(RequestLimits.level(account, request("GET", MAPS, Map.of()))).isEqualTo(RequestLimits.Level.TENANTS);
        assertThat(RequestLimits.level(User.ANONYMOUS, request("GET", "/version", Map.of())))
                .isEqualTo(RequestLimits.Level.STRANGERS);
    }

    @Test
    void a_number_of_millions_of_digits_is_refused_at_once() throws Exception {
        try (TestServer server = TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT))) {
            for (String type : List.of("application/yaml", "application/json")) {
                String body = "{\"metadata\": {\"name\": \"m\"}, \"immutable\": %s}".formatted("9".repeat(2_900_000));
                long begin = System.nanoTime();
                var refused = server.send("POST", MAPS, type, body);
                assertThat(refused.code()).as(type).isBetween(400, 499);
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
            }
        }
    }
}
