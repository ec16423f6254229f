package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Ways by which clients took more than they were given, or took the server from others: none works any more.
@Timeout(60)
final class AttackTest {
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @TempDir
    private Path dir;

    private static void grant(GuardedServer.Client admin, String rules) throws Exception {
        var role = admin.post(RBAC + "/clusterroles", """
            {"metadata": {"name": "of-bob"}, "rules": [%s]}\
            """.formatted(rules));
        assertThat(role.code()).as(role.text()).isEqualTo(201);
        var binding = admin.post(RBAC + "/clusterrolebindings", binding("of-bob"));
        assertThat(binding.code()).as(binding.text()).isEqualTo(201);
    }

    private static String binding(String role) {
        return """
            {"metadata": {"name": "bob-%1$s"}, "subjects": [{"kind": "User", "name": "bob",
             "apiGroup": "rbac.authorization.k8s.io"}],
             "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "%1$s"}}
            """.formatted(role);
    }

    @Test
    void a_label_does_not_give_away_what_other_roles_gather() throws Exception {
        try (var server = GuardedServer.start(dir);
                var admin = server.admin();
                var bob = server.bearer(GuardedServer.TOKEN)) {
            grant(admin, """
                {"apiGroups": ["rbac.authorization.k8s.io"], "resources": ["clusterroles"], "verbs": ["patch", "get"]}\
                """);
            var labelled = bob.send("PATCH", RBAC + "/clusterroles/cluster-admin", """
                {"metadata": {"labels": {"rbac.authorization.k8s.io/aggregate-to-view": "true"}}}\
                """);
            assertThat(labelled.code()).as(labelled.text()).isEqualTo(403);
        }
    }

    @Test
    void a_role_that_is_not_there_yet_is_bound_only_with_the_right_to_bind() throws Exception {
        try (var server = GuardedServer.start(dir);
                var admin = server.admin();
                var bob = server.bearer(GuardedServer.TOKEN)) {
            grant(admin, """
                {"apiGroups": ["rbac.authorization.k8s.io"], "resources": ["clusterrolebindings"], "verbs": ["create"]}\
                """);
            var early = bob.post(RBAC + "/clusterrolebindings", binding("to-come"));
            assertThat(early.code()).as(early.text()).isEqualTo(404);
            assertThat(admin.post(RBAC + "/clusterrolebindings", binding("to-come"))
                            .code())
                    .isEqualTo(201);
        }
    }

    @Test
    void what_an_apply_or_a_put_would_create_needs_the_right_to_create() throws Exception {
        try (var server = GuardedServer.start(dir);
                var admin = server.admin();
                var bob = server.bearer(GuardedServer.TOKEN)) {
            grant(admin, """
                {"apiGroups": ["", "coordination.k8s.io"], "resources": ["configmaps", "leases"],
                 "verbs": ["patch", "update", "get"]}\
                """);
            String map = "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"m\"}}";
            String[] apply = {"Content-Type", "application/apply-patch+yaml"};
            var applied = bob.send("PATCH", MAPS + "/m?fieldManager=bob", map, apply);
            assertThat(applied.code()).as(applied.text()).isEqualTo(403);
            var put = bob.send("PUT", "/apis/coordination.k8s.io/v1/namespaces/default/leases/l", """
                {"metadata": {"name": "l"}}\
                """);
            assertThat(put.code()).as(put.text()).isIn(403, 404);
            assertThat(admin.post(MAPS, map).code()).isEqualTo(201);
            var again = bob.send("PATCH", MAPS + "/m?fieldManager=bob", map, apply);
            assertThat(again.code()).as(again.text()).isEqualTo(200);
        }
    }

    @Test
    void a_patch_that_copies_itself_again_and_again_is_refused() throws Exception {
        try (TestServer server = TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT))) {
            server.post(
                    MAPS, "{\"metadata\": {\"name\": \"m\"}, \"data\": {\"a\": \"%s\"}}".formatted("x".repeat(1000)));
            List<String> copies =
                    IntStream.range(0, 40).mapToObj("""
                        {"op": "copy", "from": "/data", "path": "/data/b%d"}\
                        """::formatted).toList();
            var refused = server.send(
                    "PATCH", MAPS + "/m", "application/json-patch+json", "[" + String.join(",", copies) + "]");
            assertThat(refused.code()).as(refused.toString()).isEqualTo(422);
        }
    }

    @Test
    void clients_that_promise_a_body_and_send_none_hold_up_no_one() throws Exception {
        try (TestServer server = TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT))) {
            List<Socket> silent = new ArrayList<>();
            try {
                for (int i = 0; i < 200; i++) {
                    silent.add(silent(URI.create(server.url()).getPort()));
                }
                for (int i = 0; i < 20; i++) {
                    long start = System.nanoTime();
                    assertThat(server.get("/version").code()).isEqualTo(200);
                    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
                }
            } finally {
                for (Socket socket : silent) {
                    socket.close();
                }
            }
        }
    }

    @Test
    void no_path_of_a_pod_leads_out_of_its_volume() throws Exception {
        try (TestServer server = TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT))) {
            String pod = """
                {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i", %s}],
                 "volumes": [{"name": "v", "configMap": {"name": "m", "items": [{"key": "k", "path": "%s"}]}}]}}\
                """;
            String mount = "\"volumeMounts\": [{\"name\": \"v\", \"mountPath\": \"%s\", \"subPath\": \"%s\"}]";
            String pods = "/api/v1/namespaces/default/pods";
            assertRefused(server.post(pods, pod.formatted(mount.formatted("/v", "../../.."), "x")), "subPath");
            assertRefused(server.post(pods, pod.formatted(mount.formatted("/v", "/etc"), "x")), "subPath");
            assertRefused(server.post(pods, pod.formatted(mount.formatted("/v:rw", ""), "x")), "mountPath");
            assertRefused(server.post(pods, pod.formatted(mount.formatted("/v", "a"), "../../x")), "items[0].path");
            assertRefused(server.post(pods, pod.formatted("\"workingDir\": \"/a\\u0000b\"", "x")), "workingDir");
            var fine = server.post(pods, pod.formatted(mount.formatted("/v", "a/b..c"), "d/e"));
            assertThat(fine.code()).as(fine.toString()).isEqualTo(201);
        }
    }

    @Test
    void the_name_of_a_role_holds_no_quotes() throws Exception {
        try (TestServer server = TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT))) {
            assertRefused(
                    server.post(RBAC + "/clusterroles", "{\"metadata\": {\"name\": \"a\\\"b\"}}"), "metadata.name");
        }
    }

    private static void assertRefused(TestServer.Reply reply, String field) {
        assertThat(reply.code()).as(reply.toString()).isEqualTo(422);
        assertThat(reply.text("message")).contains(field);
    }

    private static Socket silent(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream()
                .write("GET /version HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }
}
