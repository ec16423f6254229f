package io.fairlead.conformance.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Requests by which clients once took rights, addresses or files that were not theirs: each is refused, by the rule.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RefusedIT {
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
    private static final String DEFAULT = "/api/v1/namespaces/default/";
    private static final String NODE = "/api/v1/nodes/n1";
    private static final String POD = DEFAULT + "pods/p";
    private static final String APPLY = "application/apply-patch+yaml";

    private final Map<String, Intruder> clients = new HashMap<>();
    private AttackedServer server;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        server = AttackedServer.start(folder, "--cluster-cidr", "10.244.0.0/16");
        for (String name : List.of("", "admin", "bob", "mallory", "n1", "n2", "thief")) {
            clients.put(name, server.client(name));
        }
        grant("mallory", "edit");
        role("few", """
            {"apiGroups": ["rbac.authorization.k8s.io"], "resources": ["clusterroles"], "verbs": ["get", "patch", "update"]},
            {"apiGroups": ["rbac.authorization.k8s.io"], "resources": ["clusterrolebindings", "rolebindings", "roles"],
             "verbs": ["create", "update", "patch", "get"]},
            {"apiGroups": [""], "resources": ["configmaps", "services"], "verbs": ["get", "patch", "update"]},
            {"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["get", "patch", "update"]},
            {"apiGroups": [""], "resources": ["pods", "pods/exec", "pods/attach", "pods/portforward", "pods/proxy",
             "services/proxy", "nodes/proxy"], "verbs": ["get"]}\
            """);
        grant("bob", "few");
        created("/api/v1/nodes", """
            {"metadata": {"name": "n1"}, "spec": {"podCIDR": "10.244.1.0/24", "podCIDRs": ["10.244.1.0/24"],
             "taints": [{"key": "alone", "effect": "NoSchedule"}]}}
            """);
        done("PATCH", NODE + "/status", """
            {"status": {"addresses": [{"type": "InternalIP", "address": "192.0.2.1"}]}}\
            """);
        created(DEFAULT + "pods", pod("p", "\"image\": \"i\"", ", \"nodeName\": \"n1\"", ""));
        done(
                "PATCH",
                POD + "/status",
                "{\"status\": {\"podIP\": \"198.51.100.9\", \"podIPs\": [{\"ip\": \"198.51.100.9\"}]}}");
        created(DEFAULT + "services", """
            {"metadata": {"name": "lb"}, "spec": {"type": "LoadBalancer", "ports": [{"port": 80}]}}\
            """);
        done(
                "PATCH",
                DEFAULT + "services/lb/status",
                "{\"status\": {\"loadBalancer\": {\"ingress\": [{\"ip\": \"203.0.113.7\"}]}}}");
        // It gathers by a label of its own: a client that may label roles could fill it.
        created(RBAC + "/clusterroles", """
            {"metadata": {"name": "gathers"}, "rules": [],
             "aggregationRule": {"clusterRoleSelectors": [{"matchLabels": {"gather": "yes"}}]}}
            """);
    }

    @AfterAll
    void stop() throws IOException {
        server.close();
    }

    private void done(String method, String path, String body) throws Exception {
        Intruder.Reply reply = clients.get("admin").send(method, path, body);
        assertThat(reply.code()).as(reply.text()).isIn(200, 201);
    }

    private void created(String path, String body) throws Exception {
        done("POST", path, body);
    }

    private void role(String name, String rules) throws Exception {
        created(RBAC + "/clusterroles", "{\"metadata\": {\"name\": \"%s\"}, \"rules\": [%s]}".formatted(name, rules));
    }

    private void grant(String user, String role) throws Exception {
        created(RBAC + "/clusterrolebindings", binding(user, role));
    }

    private static String binding(String user, String role) {
        return """
            {"metadata": {"name": "%1$s-%2$s"}, "subjects": [{"kind": "User", "name": "%1$s",
             "apiGroup": "rbac.authorization.k8s.io"}],
             "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "%2$s"}}
            """.formatted(user, role);
    }

    private static String labelled(String label) {
        return "{\"metadata\": {\"labels\": {\"%s\": \"yes\"}}}".formatted(label);
    }

    private static String pod(String name, String container, String spec, String volumes) {
        return """
            {"metadata": {"name": "%s"}, "spec": {"containers": [{"name": "c", %s}]%s%s}}\
            """.formatted(name, container, spec, volumes);
    }

    private static String external(String ip) {
        return "{\"metadata\": {\"name\": \"s\"}, \"spec\": {\"ports\": [{\"port\": 443}], \"externalIPs\": [\"%s\"]}}"
                .formatted(ip);
    }

    /// H1, H2 and H3: more rights than were given.
    private static Stream<Attempt> rights() {
        return Stream.of(roles(), bindings(), creations()).flatMap(stream -> stream);
    }

    private static Stream<Attempt> roles() {
        String all = "\"rules\": [{\"apiGroups\": [\"*\"], \"resources\": [\"*\"], \"verbs\": [\"*\"]}]";
        String role = RBAC + "/clusterroles/";
        return Stream.of(
                Attempt.of(
                        "H1 a label that the role view gathers by",
                        "bob",
                        "PATCH",
                        role + "cluster-admin",
                        labelled("rbac.authorization.k8s.io/aggregate-to-view"),
                        403),
                Attempt.of(
                        "H1 a label that another role gathers by",
                        "bob",
                        "PATCH",
                        role + "cluster-admin",
                        labelled("gather"),
                        403),
                Attempt.of(
                        "H1 a rule of aggregation that gathers all",
                        "bob",
                        "PATCH",
                        role + "few",
                        "{\"aggregationRule\": {\"clusterRoleSelectors\": [{}]}}",
                        403),
                Attempt.of("H1 rules of a role", "bob", "PATCH", role + "few", "{" + all + "}", 403),
                Attempt.of(
                                "H1 a label by apply",
                                "bob",
                                "PATCH",
                                role + "cluster-admin?fieldManager=b&force=true",
                                """
                                {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata":
                                 {"name": "cluster-admin", "labels": {"rbac.authorization.k8s.io/aggregate-to-edit": "true"}}}
                                """,
                                403)
                        .as(APPLY),
                Attempt.of(
                        "H1 a role with more than its writer has",
                        "bob",
                        "POST",
                        RBAC + "/namespaces/default/roles",
                        "{\"metadata\": {\"name\": \"r\"}, " + all + "}",
                        403));
    }

    private static Stream<Attempt> bindings() {
        return Stream.of(
                Attempt.of(
                        "H2 a binding of a role to come",
                        "bob",
                        "POST",
                        RBAC + "/clusterrolebindings",
                        binding("bob", "to-come"),
                        404),
                Attempt.of(
                        "H2 a binding of a role with more",
                        "bob",
                        "POST",
                        RBAC + "/clusterrolebindings",
                        binding("bob", "cluster-admin"),
                        403));
    }

    private static Stream<Attempt> creations() {
        String map = "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"m\"}}";
        return Stream.of(
                Attempt.of(
                                "H3 an apply without create",
                                "bob",
                                "PATCH",
                                DEFAULT + "configmaps/m?fieldManager=b",
                                map,
                                403)
                        .as(APPLY),
                Attempt.of(
                        "H3 a PUT without create",
                        "bob",
                        "PUT",
                        DEFAULT + "services/s",
                        "{\"metadata\": {\"name\": \"s\"}, \"spec\": {\"ports\": [{\"port\": 80}]}}",
                        403),
                Attempt.of(
                        "H3 a PUT of a Lease without create",
                        "bob",
                        "PUT",
                        "/apis/coordination.k8s.io/v1/namespaces/default/leases/l",
                        "{\"metadata\": {\"name\": \"l\"}}",
                        403));
    }

    /// What Kubernetes 1.36 asks for, each method: a session is created, a proxied request is what its method is.
    private static Stream<Attempt> sessions() {
        Stream<Attempt> ways = Stream.of("exec?command=id", "attach", "portforward?ports=80")
                .flatMap(way -> Stream.of("GET", "POST")
                        .map(method -> Attempt.of(method + " " + way, "bob", method, POD + "/" + way, "", 403)));
        Stream<Attempt> proxied = Stream.of("POST", "PUT", "PATCH", "DELETE")
                .flatMap(method -> Stream.of(POD + ":80/proxy/", DEFAULT + "services/lb:80/proxy/")
                        .map(path -> Attempt.of(method + " " + path, "bob", method, path, "", 403)));
        return Stream.concat(ways, proxied);
    }

    /// Endpoints, addresses of the cluster, and those of a pod's host.
    private static Stream<Attempt> addresses() {
        Stream<Attempt> external = Stream.of(
                        "10.96.0.1", "10.96.77.7", "192.0.2.1", "10.244.1.9", "198.51.100.9", "203.0.113.7")
                .map(ip -> Attempt.of(
                        "an external IP of the cluster: " + ip,
                        "mallory",
                        "POST",
                        DEFAULT + "services",
                        external(ip),
                        422));
        Stream<Attempt> endpoints = Stream.of(
                Attempt.of(
                        "Endpoints of an editor",
                        "mallory",
                        "POST",
                        DEFAULT + "endpoints",
                        "{\"metadata\": {\"name\": \"lb\"}}",
                        403),
                Attempt.of(
                        "a slice of an editor",
                        "mallory",
                        "POST",
                        "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
                        "{\"metadata\": {\"name\": \"s\"}, \"addressType\": \"IPv4\", \"endpoints\": []}",
                        403));
        return Stream.concat(external, endpoints);
    }

    /// H8: what a node may not.
    private static Stream<Attempt> nodes() {
        Stream<Attempt> labels = Stream.of(
                        "node-role.kubernetes.io/control-plane",
                        "node-restriction.kubernetes.io/team",
                        "sub.node-restriction.kubernetes.io/team",
                        "example.k8s.io/x")
                .flatMap(label -> Stream.of(NODE, NODE + "/status")
                        .map(path ->
                                Attempt.of("H8 " + label + " by " + path, "n1", "PATCH", path, labelled(label), 403)));
        Stream<Attempt> blocks = Stream.of(
                        "10.244.1.0/24",
                        "10.244.1.128/25",
                        "0.0.0.0/1",
                        "128.0.0.0/1",
                        "10.96.0.0/24",
                        "192.0.2.0/24",
                        "::/1",
                        "172.16.0.0/24")
                .map(block ->
                        Attempt.of("H8 the block " + block, "n2", "POST", "/api/v1/nodes", """
                            {"metadata": {"name": "n2"}, "spec": {"podCIDR": "%1$s", "podCIDRs": ["%1$s"]}}\
                            """.formatted(block), 403));
        return Stream.of(labels, blocks, objectsOfOthers()).flatMap(stream -> stream);
    }

    private static Stream<Attempt> objectsOfOthers() {
        return Stream.of(
                Attempt.of("H8 taints", "n1", "PATCH", NODE, "{\"spec\": {\"taints\": null}}", 403),
                Attempt.of(
                        "H8 another block later",
                        "n1",
                        "PATCH",
                        NODE,
                        "{\"spec\": {\"podCIDR\": \"10.244.9.0/24\", \"podCIDRs\": [\"10.244.9.0/24\"]}}",
                        403),
                Attempt.of("H8 its own Node", "n1", "DELETE", NODE, "", 403),
                Attempt.of("H8 another's Node", "n2", "PATCH", NODE + "/status", labelled("a"), 403),
                Attempt.of("H8 labels of its pods", "n1", "PATCH", POD, labelled("app"), 403),
                Attempt.of("H8 labels of its pods by status", "n1", "PATCH", POD + "/status", labelled("app"), 403),
                Attempt.of(
                        "H8 another's pod",
                        "n2",
                        "PATCH",
                        POD + "/status",
                        "{\"status\": {\"phase\": \"Failed\"}}",
                        403),
                Attempt.of("low: the group of nodes without the name of one", "thief", "GET", "/api/v1/nodes", "", 403),
                Attempt.of(
                        "low: a Node of such a client",
                        "thief",
                        "POST",
                        "/api/v1/nodes",
                        "{\"metadata\": {\"name\": \"n9\"}}",
                        403));
    }

    /// Paths and names that lead elsewhere.
    private static Stream<Attempt> paths() {
        String mount =
                "\"image\": \"i\", \"volumeMounts\": [{\"name\": \"v\", \"mountPath\": \"%s\", \"subPath\": \"%s\"}]";
        String volume =
                ", \"volumes\": [{\"name\": \"v\", \"configMap\": {\"name\": \"m\", \"items\": [{\"key\": \"k\","
                        + " \"path\": \"%s\"}]}}]";
        return Stream.of(
                written(
                        "subPath out of the volume",
                        pod("x", mount.formatted("/v", "../../.."), "", volume.formatted("a"))),
                written("an absolute subPath", pod("x", mount.formatted("/v", "/etc"), "", volume.formatted("a"))),
                written("options in mountPath", pod("x", mount.formatted("/v:rw", ""), "", volume.formatted("a"))),
                written(
                        "an item out of the volume",
                        pod("x", mount.formatted("/v", ""), "", volume.formatted("../../x"))),
                written("C3d NUL in workingDir", pod("x", "\"image\": \"i\", \"workingDir\": \"/a\\u0000b\"", "", "")),
                Attempt.of(
                        "low: quotes in the name of a role",
                        "admin",
                        "POST",
                        RBAC + "/clusterroles",
                        "{\"metadata\": {\"name\": \"a\\\"b\"}}",
                        422));
    }

    private static Attempt written(String what, String pod) {
        return Attempt.of(what, "mallory", "POST", DEFAULT + "pods", pod, 422);
    }

    static Stream<Attempt> attempts() {
        return Stream.of(rights(), sessions(), addresses(), nodes(), paths()).flatMap(stream -> stream);
    }

    @ParameterizedTest
    @MethodSource("attempts")
    void is_refused(Attempt attempt) throws Exception {
        Intruder.Reply reply = attempt.send(clients.get(attempt.client()));
        assertThat(reply.code()).as("%s: %s", attempt, reply.text()).isEqualTo(attempt.code());
    }

    /// The same by one who may, so that each refusal above is for the right it names.
    @Test
    void what_is_allowed_goes_through() throws Exception {
        done("PATCH", RBAC + "/clusterroles/view", labelled("plain"));
        created(RBAC + "/clusterrolebindings", binding("bob", "still-to-come"));
        assertThat(clients.get("bob").get(POD + ":80/proxy/").code())
                .as("he may ask by GET")
                .isNotEqualTo(403);
        assertThat(clients.get("n1")
                        .send("PATCH", NODE, labelled("topology.kubernetes.io/zone"))
                        .code())
                .isEqualTo(200);
        assertThat(clients.get("mallory")
                        .post(DEFAULT + "services", external("192.0.2.77"))
                        .code())
                .isEqualTo(201);
    }
}
