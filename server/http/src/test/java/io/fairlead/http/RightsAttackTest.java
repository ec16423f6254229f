package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.access.Subject;
import io.fairlead.api.Cidr;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Ways by which a node or a tenant took rights or addresses that were not its own: none works any more.
@Timeout(60)
final class RightsAttackTest {
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
    private static final String NODES = "/api/v1/nodes";
    private static final String SERVICES = "/api/v1/namespaces/default/services";

    @TempDir
    private Path dir;

    private GuardedServer server;
    private GuardedServer.Client admin;

    @BeforeEach
    void start() throws Exception {
        server = GuardedServer.start(dir);
        admin = server.admin();
    }

    @AfterEach
    void stop() {
        admin.close();
        server.close();
    }

    private GuardedServer.Client node(String name) {
        return server.as(new Subject("system:node:" + name, Set.of("system:nodes")));
    }

    private void bind(String user, String role) throws Exception {
        created(RBAC + "/clusterrolebindings", """
            {"metadata": {"name": "%1$s-%2$s"}, "subjects": [{"kind": "User", "name": "%1$s",
             "apiGroup": "rbac.authorization.k8s.io"}],
             "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "%2$s"}}
            """.formatted(user, role));
    }

    private void role(String name, String rule) throws Exception {
        created(RBAC + "/clusterroles", """
            {"metadata": {"name": "%s"}, "rules": [%s]}\
            """.formatted(name, rule));
    }

    private void created(String path, String body) throws Exception {
        var done = admin.post(path, body);
        assertThat(done.code()).as(done.text()).isEqualTo(201);
    }

    private static String nodeObject(String name, String cidr) {
        String spec =
                cidr.isEmpty() ? "" : ", \"spec\": {\"podCIDR\": \"%1$s\", \"podCIDRs\": [\"%1$s\"]}".formatted(cidr);
        return "{\"metadata\": {\"name\": \"%s\"}%s}".formatted(name, spec);
    }

    private static String status(String address) {
        return "{\"status\": {\"addresses\": [{\"type\": \"InternalIP\", \"address\": \"%s\"}]}}".formatted(address);
    }

    @Test
    void a_node_changes_neither_its_taints_nor_labels_that_others_place_pods_by() throws Exception {
        created(NODES, """
            {"metadata": {"name": "n1"}, "spec": {"taints": [{"key": "alone", "effect": "NoSchedule"}]}}\
            """);
        try (var agent = node("n1")) {
            for (String label : List.of(
                    "node-role.kubernetes.io/control-plane",
                    "node-restriction.kubernetes.io/team",
                    "sub.node-restriction.kubernetes.io/team",
                    "example.k8s.io/x")) {
                var refused = agent.send("PATCH", NODES + "/n1", """
                    {"metadata": {"labels": {"%s": "yes"}}}\
                    """.formatted(label));
                assertThat(refused.code()).as(label).isEqualTo(403);
                assertThat(refused.message()).contains("modify labels: " + label);
                var byStatus = agent.send("PATCH", NODES + "/n1/status", """
                    {"metadata": {"labels": {"%s": "yes"}}}\
                    """.formatted(label));
                assertThat(byStatus.code()).as("by status " + label).isEqualTo(403);
            }
            var taints = agent.send("PATCH", NODES + "/n1", "{\"spec\": {\"taints\": null}}");
            assertThat(taints.code()).isEqualTo(403);
            assertThat(taints.message()).contains("taints");
            for (String label : List.of("topology.kubernetes.io/zone", "fairlead.io/dns", "kubernetes.io/hostname")) {
                var own = agent.send("PATCH", NODES + "/n1", """
                    {"metadata": {"labels": {"%s": "a"}}}\
                    """.formatted(label));
                assertThat(own.code()).as(own.text()).isEqualTo(200);
            }
            assertThat(agent.send("DELETE", NODES + "/n1", "").code()).isEqualTo(403);
        }
    }

    @Test
    void a_node_does_not_relabel_its_pods() throws Exception {
        created(NODES, nodeObject("n1", ""));
        created("/api/v1/namespaces/default/pods", """
            {"metadata": {"name": "p", "labels": {"app": "a"}},
             "spec": {"nodeName": "n1", "containers": [{"name": "c", "image": "i"}]}}\
            """);
        String pod = "/api/v1/namespaces/default/pods/p";
        try (var agent = node("n1")) {
            String relabel = "{\"metadata\": {\"labels\": {\"app\": \"kube-dns\"}}}";
            assertThat(agent.send("PATCH", pod, relabel).code()).isEqualTo(403);
            assertThat(agent.send("PATCH", pod + "/status", relabel).code()).isEqualTo(403);
            var status = agent.send("PATCH", pod + "/status", "{\"status\": {\"phase\": \"Running\"}}");
            assertThat(status.code()).as(status.text()).isEqualTo(200);
        }
    }

    @Test
    void a_node_takes_no_block_of_another_nor_of_services_nor_of_the_world() throws Exception {
        created(NODES, nodeObject("n1", "10.244.1.0/24"));
        var set = admin.send("PATCH", NODES + "/n1/status", status("192.0.2.1"));
        assertThat(set.code()).as(set.text()).isEqualTo(200);
        try (var agent = node("n2")) {
            for (String block : List.of(
                    "10.244.1.0/24",
                    "10.244.1.128/25",
                    "0.0.0.0/1",
                    "128.0.0.0/1",
                    "10.96.0.0/24",
                    "192.0.2.0/24",
                    "::/1")) {
                var refused = agent.post(NODES, nodeObject("n2", block));
                assertThat(refused.code()).as(block + " " + refused.text()).isEqualTo(403);
            }
            var own = agent.post(NODES, nodeObject("n2", "10.244.2.0/24"));
            assertThat(own.code()).as(own.text()).isEqualTo(201);
        }
    }

    @Test
    void where_the_control_plane_gives_blocks_a_node_names_none_outside_of_them() throws Exception {
        try (var strict = GuardedServer.start(
                        dir.resolve("strict").toFile().mkdirs() ? dir.resolve("strict") : dir,
                        config -> config.withBlocks(
                                new ApiServerConfig.Blocks(List.of(Cidr.parse("10.200.0.0/16")), Optional.empty())));
                var agent = strict.as(new Subject("system:node:n1", Set.of("system:nodes")))) {
            assertThat(agent.post(NODES, nodeObject("n1", "10.201.0.0/24")).code())
                    .isEqualTo(403);
            assertThat(agent.post(NODES, nodeObject("n1", "10.200.7.0/24")).code())
                    .isEqualTo(201);
        }
    }

    @Test
    void the_group_of_nodes_gives_nothing_to_one_who_is_no_node() throws Exception {
        try (var thief = server.as(new Subject("mallory", Set.of("system:nodes")));
                var nameless = server.as(new Subject("system:node:", Set.of("system:nodes")))) {
            for (var client : List.of(thief, nameless)) {
                assertThat(client.get(NODES).code()).isEqualTo(403);
                assertThat(client.post(NODES, nodeObject("n9", "")).code()).isEqualTo(403);
            }
        }
    }

    @Test
    void a_session_with_a_pod_needs_the_right_to_create_one_whatever_the_method() throws Exception {
        role("looks", """
            {"apiGroups": [""], "resources": ["pods", "pods/exec", "pods/attach", "pods/portforward"], "verbs": ["get"]}\
            """);
        bind("bob", "looks");
        try (var bob = server.bearer(GuardedServer.TOKEN)) {
            for (String way : List.of("exec?command=id", "attach", "portforward?ports=80")) {
                var refused = bob.get("/api/v1/namespaces/default/pods/p/" + way);
                assertThat(refused.code()).as(way + refused.text()).isEqualTo(403);
                assertThat(refused.message()).contains("cannot create resource \"pods/");
            }
            role("enters", """
                {"apiGroups": [""], "resources": ["pods/exec"], "verbs": ["create"]}\
                """);
            bind("bob", "enters");
            assertThat(bob.get("/api/v1/namespaces/default/pods/p/exec?command=id")
                            .code())
                    .as("there is no such pod")
                    .isEqualTo(404);
        }
    }

    @Test
    void editors_do_not_write_endpoints() throws Exception {
        bind("bob", "admin");
        try (var bob = server.bearer(GuardedServer.TOKEN)) {
            String endpoints = "/api/v1/namespaces/default/endpoints";
            String slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
            assertThat(bob.get(endpoints).code()).isEqualTo(200);
            assertThat(bob.get(slices).code()).isEqualTo(200);
            assertThat(bob.post(endpoints, "{\"metadata\": {\"name\": \"e\"}}").code())
                    .isEqualTo(403);
            assertThat(bob.post(slices, "{\"metadata\": {\"name\": \"e\"}, \"addressType\": \"IPv4\"}")
                            .code())
                    .isEqualTo(403);
        }
    }

    @Test
    void what_a_put_would_create_needs_the_right_to_create() throws Exception {
        role("updates", """
            {"apiGroups": [""], "resources": ["services"], "verbs": ["update", "get"]}\
            """);
        bind("bob", "updates");
        try (var bob = server.bearer(GuardedServer.TOKEN)) {
            String service = "{\"metadata\": {\"name\": \"s\"}, \"spec\": {\"ports\": [{\"port\": 80}]}}";
            var refused = bob.send("PUT", SERVICES + "/s", service);
            assertThat(refused.code()).as(refused.text()).isEqualTo(403);
            role("creates", """
                {"apiGroups": [""], "resources": ["services"], "verbs": ["create"]}\
                """);
            bind("bob", "creates");
            assertThat(bob.send("PUT", SERVICES + "/s", service).code()).isEqualTo(201);
        }
    }

    private static String external(String name, String... ips) {
        return """
            {"metadata": {"name": "%s"}, "spec": {"ports": [{"port": 443}], "externalIPs": ["%s"]}}\
            """.formatted(name, String.join("\", \"", ips));
    }

    @Test
    void an_external_ip_is_never_an_address_of_the_cluster() throws Exception {
        bind("bob", "edit");
        created(NODES, nodeObject("n1", "10.244.1.0/24"));
        assertThat(admin.send("PATCH", NODES + "/n1/status", status("192.0.2.1"))
                        .code())
                .isEqualTo(200);
        created("/api/v1/namespaces/default/pods", """
            {"metadata": {"name": "p"}, "spec": {"nodeName": "n1", "containers": [{"name": "c", "image": "i"}]}}\
            """);
        assertThat(admin.send("PATCH", "/api/v1/namespaces/default/pods/p/status", """
            {"status": {"podIP": "198.51.100.9", "podIPs": [{"ip": "198.51.100.9"}]}}\
            """)
                        .code())
                .isEqualTo(200);
        created(SERVICES, """
            {"metadata": {"name": "lb"}, "spec": {"type": "LoadBalancer", "ports": [{"port": 80}]}}\
            """);
        assertThat(admin.send("PATCH", SERVICES + "/lb/status", """
            {"status": {"loadBalancer": {"ingress": [{"ip": "203.0.113.7"}]}}}\
            """).code()).isEqualTo(200);
        try (var bob = server.bearer(GuardedServer.TOKEN)) {
            for (String ip :
                    List.of("10.96.0.1", "10.96.77.7", "192.0.2.1", "10.244.1.9", "198.51.100.9", "203.0.113.7")) {
                var refused = bob.post(SERVICES, external("s", ip));
                assertThat(refused.code()).as(ip + refused.text()).isEqualTo(422);
                assertThat(refused.message()).contains("spec.externalIPs[0]", ip);
            }
            assertThat(bob.post(SERVICES, external("s", "192.0.2.77")).code()).isEqualTo(201);
            var later = bob.send("PATCH", SERVICES + "/s", """
                {"spec": {"externalIPs": ["192.0.2.77", "10.96.0.1"]}}\
                """);
            assertThat(later.code()).isEqualTo(422);
            assertThat(later.message()).contains("spec.externalIPs[1]");
        }
    }

    @Test
    void external_ips_are_narrowed_or_refused_where_the_operator_says_so() throws Exception {
        for (var allowed : List.of(List.of(Cidr.parse("192.0.2.0/28")), List.<Cidr>of())) {
            Path own = java.nio.file.Files.createDirectory(dir.resolve("of" + allowed.size()));
            try (var narrow = GuardedServer.start(
                            own,
                            config -> config.withBlocks(new ApiServerConfig.Blocks(List.of(), Optional.of(allowed))));
                    var client = narrow.admin()) {
                assertThat(client.post(SERVICES, external("a", "192.0.2.99")).code())
                        .isEqualTo(422);
                assertThat(client.post(SERVICES, external("b", "192.0.2.9")).code())
                        .isEqualTo(allowed.isEmpty() ? 422 : 201);
            }
        }
    }
}
