package io.fairlead.conformance.attacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Clients that use what they may do to take the server from others: others go on, and the program never ends.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TenantsIT {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
    private static final Duration QUICK = Duration.ofSeconds(5);

    private AttackedServer server;
    private Intruder admin;
    private Intruder bob;
    private Intruder mallory;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        server = AttackedServer.start(folder);
        admin = server.client("admin");
        bob = server.client("bob");
        mallory = server.client("mallory");
        for (String name : List.of("bob", "mallory")) {
            created(RBAC + "/clusterrolebindings", """
                {"metadata": {"name": "%1$s"}, "subjects": [{"kind": "User", "name": "%1$s",
                 "apiGroup": "rbac.authorization.k8s.io"}],
                 "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "edit"}}
                """.formatted(name));
        }
    }

    @AfterAll
    void stop() throws IOException {
        server.close();
    }

    private void created(String path, String body) throws Exception {
        Intruder.Reply reply = admin.post(path, body);
        assertThat(reply.code()).as(reply.text()).isEqualTo(201);
    }

    private static String map(String name) {
        return "{\"metadata\": {\"name\": \"%s\"}}".formatted(name);
    }

    /// A write that holds its place until its body comes, which it does not.
    private static SSLSocket slowWrite(Intruder client, String query) throws IOException {
        return client.say("""
            POST %s%s HTTP/1.1\r
            Host: x\r
            Authorization: Bearer TOKEN\r
            Content-Type: application/json\r
            Content-Length: 1000\r
            \r
            """.formatted(MAPS, query));
    }

    private static Duration timed(Intruder client, String method, String path, String body) throws Exception {
        long begin = System.nanoTime();
        Intruder.Reply reply = client.send(method, path, body);
        assertThat(reply.code()).as(reply.text()).isIn(200, 201);
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    /// More slow writes than all places for writes together, half of them as if they were watches.
    @Test
    void one_busy_tenant_starves_neither_another_nor_the_administrator_nor_heartbeats() throws Exception {
        created("/api/v1/nodes", map("n1"));
        Intruder node = server.client("n1");
        assertThat(node.post(LEASES, map("n1")).code()).isEqualTo(201);
        List<SSLSocket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 260; i++) {
                slow.add(slowWrite(mallory, i % 2 == 0 ? "" : "?watch=true"));
            }
            assertThat(timed(bob, "POST", MAPS, map("of-bob"))).isLessThan(QUICK);
            assertThat(timed(admin, "POST", MAPS, map("of-admin"))).isLessThan(QUICK);
            assertThat(timed(node, "PATCH", LEASES + "/n1", "{\"spec\": {\"leaseDurationSeconds\": 40}}"))
                    .isLessThan(QUICK);
            assertThat(refusedForNumber(slow))
                    .as("the server asks mallory to come back")
                    .isPositive();
            assertThat(timed(bob, "DELETE", MAPS + "/of-bob", "")).isLessThan(QUICK);
            assertThat(admin.get("/livez").code()).isEqualTo(200);
        } finally {
            for (SSLSocket socket : slow) {
                socket.close();
            }
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> mallory.post(MAPS + "?dryRun=All", map("again")).code() == 201);
    }

    private static long refusedForNumber(List<SSLSocket> slow) throws IOException {
        long refused = 0;
        for (SSLSocket socket : slow.reversed()) {
            socket.setSoTimeout(60_000);
            String said = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            refused += said.equals("HTTP/1.1 429") ? 1 : 0;
            if (refused > 0) {
                return refused;
            }
        }
        return refused;
    }

    @Test
    void a_patch_that_doubles_itself_is_refused_soon_and_costs_no_other_task() throws Exception {
        created(MAPS, "{\"metadata\": {\"name\": \"bomb\"}, \"data\": {\"a\": \"%s\"}}".formatted("x".repeat(1000)));
        String copies = IntStream.range(0, 41)
                .mapToObj("{\"op\": \"copy\", \"from\": \"/data\", \"path\": \"/data/b%d\"}"::formatted)
                .collect(Collectors.joining(",", "[", "]"));
        assertRefusedSoon("PATCH", MAPS + "/bomb", "application/json-patch+json", copies);
        String tests = IntStream.range(0, 10_001)
                .mapToObj(_ -> "{\"op\": \"test\", \"path\": \"/kind\", \"value\": \"ConfigMap\"}")
                .collect(Collectors.joining(",", "[", "]"));
        assertRefusedSoon("PATCH", MAPS + "/bomb", "application/json-patch+json", tests);
        assertThat(admin.get("/livez?verbose").text()).doesNotContain("[-]");
    }

    @Test
    void numbers_depth_and_aliases_are_bounded_in_every_format() throws Exception {
        String digits = "{\"metadata\": {\"name\": \"m\"}, \"immutable\": %s}".formatted("9".repeat(2_900_000));
        String deep = "{\"metadata\": {\"name\": \"m\", \"x\": %s}}".formatted("[".repeat(100_000));
        String aliases = IntStream.range(1, 40)
                .mapToObj(i -> "a%d: &a%d [*a%d, *a%d]".formatted(i, i, i - 1, i - 1))
                .collect(Collectors.joining("\n", "a0: &a0 [x, x]\n", "\nmetadata: {name: m}\n"));
        for (String type : List.of("application/json", "application/yaml")) {
            assertRefusedSoon("POST", MAPS, type, digits);
            assertRefusedSoon("POST", MAPS, type, deep);
            assertRefusedSoon("POST", MAPS, type, aliases);
        }
    }

    private void assertRefusedSoon(String method, String path, String type, String body) throws Exception {
        long begin = System.nanoTime();
        Intruder.Reply reply = bob.send(method, path, type, body);
        assertThat(reply.code()).as("%s %s: %s", method, type, reply.text()).isBetween(400, 499);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
    }
}
