package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.access.Subject;
import io.fairlead.access.User;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients that hold places, connections or time of the server: others go on.
@Timeout(120)
final class PlacesAttackTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @TempDir
    private Path dir;

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

    private static SSLSocket connect(GuardedServer server) throws IOException {
        SSLSocket socket =
                (SSLSocket) GuardedServer.context(server.pki().authority().certificate(), Optional.empty())
                        .getSocketFactory()
                        .createSocket(
                                InetAddress.getLoopbackAddress(),
                                URI.create(server.url()).getPort());
        socket.setSoTimeout(60_000);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    /// Bob may write ConfigMaps, and begins bodies that he does not end: all places that he can have are taken.
    @Test
    void a_tenant_that_takes_all_it_can_get_holds_up_no_other() throws Exception {
        Limits few = new Limits(1_000, 8, 8, Duration.ofMillis(500));
        List<SSLSocket> slow = new ArrayList<>();
        try (var server = GuardedServer.start(dir, config -> config.withLimits(few));
                var admin = server.admin();
                var node = server.as(new Subject("system:node:n1", Set.of("system:nodes")));
                var ann = server.as(new Subject("ann", Set.of("crew")));
                var bob = server.bearer(GuardedServer.TOKEN)) {
            var bound = admin.post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", """
                {"metadata": {"name": "crew"}, "subjects": [{"kind": "Group", "name": "crew",
                 "apiGroup": "rbac.authorization.k8s.io"}],
                 "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "edit"}}\
                """);
            assertThat(bound.code()).as(bound.text()).isEqualTo(201);
            for (int i = 0; i < 40; i++) {
                SSLSocket socket = connect(server);
                slow.add(socket);
                send(
                        socket,
                        "POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
                                .formatted(MAPS, GuardedServer.TOKEN));
            }
            String map = "{\"metadata\": {\"generateName\": \"m-\"}}";
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> bob.post(MAPS, map).code() == 429);
            for (int i = 0; i < 5; i++) {
                assertThat(ann.post(MAPS, map).code()).as("another tenant").isEqualTo(201);
                assertThat(admin.post(MAPS, map).code()).as("the administrator").isEqualTo(201);
            }
            var lease = node.post("/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases", """
                {"metadata": {"name": "n1"}, "spec": {"holderIdentity": "n1"}}\
                """);
            assertThat(lease.code()).as(lease.text()).isEqualTo(201);
            // Bodies that do not come are given up, and the places are bob's again.
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> bob.post(MAPS, map).code() == 201);
        } finally {
            for (SSLSocket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void a_body_that_does_not_come_is_given_up() throws Exception {
        try (TestServer server = TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT));
                Socket slow = new Socket(
                        InetAddress.getLoopbackAddress(),
                        URI.create(server.url()).getPort())) {
            slow.setSoTimeout(60_000);
            send(
                    slow,
                    "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
                            .formatted(MAPS));
            byte[] head = slow.getInputStream().readNBytes(12);
            assertThat(new String(head, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 408");
        }
    }

    /// With a server that has less patience than usual; the kinds of clients wait together.
    @Test
    void silent_connections_and_slow_headers_are_ended_and_answered_ones_stay() throws Exception {
        Duration short1 = Duration.ofSeconds(2);
        ConnectionWatch watch = new ConnectionWatch(new ConnectionWatch.Patience(short1, short1, short1), () -> {});
        try (HttpFront front = new HttpFront(TestServer.ANY_PORT, Optional.empty(), 100, watch);
                var tasks = new io.fairlead.runtime.TaskGroup("watch")) {
            front.open();
            front.start(new ServerTlsTest.Silent());
            tasks.keep("connections", watch::run);
            int port = front.address().port();
            try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), port);
                    Socket slowFirst = new Socket(InetAddress.getLoopbackAddress(), port);
                    Socket slowLater = new Socket(InetAddress.getLoopbackAddress(), port);
                    Socket kept = new Socket(InetAddress.getLoopbackAddress(), port)) {
                String whole = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
                send(slowFirst, "GET / HTTP/1.1\r\nX: ");
                for (Socket good : List.of(slowLater, kept)) {
                    good.setSoTimeout(30_000);
                    send(good, whole);
                    assertThat(good.getInputStream().read()).isEqualTo('H');
                }
                await().atMost(Duration.ofSeconds(40))
                        .pollInterval(Duration.ofMillis(200))
                        .until(() -> {
                            boolean first = isEnded(slowFirst, "x");
                            return isEnded(slowLater, "x") && first;
                        });
                silent.setSoTimeout(30_000);
                assertThat(silent.getInputStream().read()).isNegative();
                kept.getInputStream().skipNBytes(kept.getInputStream().available());
                send(kept, whole);
                assertThat(kept.getInputStream().read()).isEqualTo('H');
            }
        }
    }

    private static boolean isEnded(Socket socket, String next) {
        try {
            send(socket, next);
            return false;
        } catch (IOException e) {
            return true;
        }
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

    @Test
    void an_endpoint_with_a_name_that_is_none_is_not_called() throws Exception {
        try (TestServer server = TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT))) {
            server.post("/api/v1/namespaces/default/services", """
                {"metadata": {"name": "s"}, "spec": {"ports": [{"port": 80}]}}\
                """);
            server.post("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", """
                {"metadata": {"name": "s1", "labels": {"kubernetes.io/service-name": "s"}}, "addressType": "IPv4",
                 "ports": [{"port": 80}], "endpoints": [{"addresses": ["10.9.9.9"], "nodeName": "n",
                 "targetRef": {"kind": "Pod", "namespace": "default", "name": "a b\\r\\nX: y"}}]}\
                """);
            var refused = server.raw("GET", "/api/v1/namespaces/default/services/s/proxy/");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(new String(refused.body(), StandardCharsets.UTF_8)).doesNotContain("Internal");
        }
    }
}
