package io.fairlead.agent;

import static io.fairlead.agent.NodeLab.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Pod;
import io.fairlead.containers.PodNames;
import io.fairlead.containers.ProcessId;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.testkit.RequiresRoot;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A real agent in a real namespace, with a real API server.
@RequiresRoot
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class NodeAgentIT {
    private NodeLab lab;

    @BeforeAll
    void start(@TempDir Path folder) throws InterruptedException {
        lab = new NodeLab(folder);
        lab.startAgent();
    }

    @AfterAll
    void stop() throws InterruptedException {
        if (lab != null) {
            lab.close();
        }
    }

    @Test
    void the_node_is_registered_and_comes_back_when_a_user_deletes_it() {
        await().atMost(PATIENCE).until(() -> node().isPresent());
        assertThat(lab.send("DELETE", Kind.NODE.path(new NamespacedName("", "node-1")), ""))
                .isPresent();
        await().atMost(PATIENCE).until(() -> node().isPresent());

        assertThat(node().orElseThrow().internalIps()).containsExactly(Ip.parse("172.31.0.1"), Ip.parse("fd00:31::1"));
        assertThat(node().orElseThrow().podCidrs()).hasSize(2);
    }

    @Test
    void the_node_shows_that_it_lives_by_renewing_its_lease() {
        await().atMost(PATIENCE).until(() -> !renewTime().isEmpty());
        String first = renewTime();

        await().atMost(PATIENCE).until(() -> renewTime().compareTo(first) > 0);
    }

    @Test
    void a_pod_answers_on_its_addresses_to_the_node_and_from_outside() {
        lab.createEcho("web");
        Pod pod = lab.awaitReady("web");

        assertThat(pod.status().phase()).isEqualTo("Running");
        assertThat(pod.status().hostIp()).isEqualTo("172.31.0.1");
        assertThat(pod.status().podIps()).hasSize(2);
        Ip ipv4 = pod.status().podIps().get(0);
        Ip ipv6 = pod.status().podIps().get(1);
        assertThat(NodeLab.get(lab.node(), ipv4)).contains("pod: web\n", "address: " + ipv4, "client: 10.244.1.1\n");
        assertThat(NodeLab.get(lab.node(), ipv6)).contains("pod: web\n", "client: fd00:244:1::1\n");
        assertThat(NodeLab.get(lab.neighbour(), ipv4)).contains("client: 172.31.0.2\n");
        assertThat(NodeLab.get(lab.neighbour(), ipv6)).contains("client: fd00:31::2\n");
    }

    @Test
    void pods_of_one_node_reach_each_other_through_the_node_alone() {
        lab.createEcho("left");
        lab.createEcho("right");
        Pod left = lab.awaitReady("left");
        Pod right = lab.awaitReady("right");
        NetworkNamespace inside = lab.namespaceOf(left);

        assertThat(NodeLab.get(inside, right.status().podIps().get(0)))
                .contains("pod: right\n", "client: " + left.status().podIps().get(0));
        assertThat(NodeLab.get(inside, right.status().podIps().get(1))).contains("pod: right\n");
        String neighbours = inside.call(() -> Files.readString(Path.of("/proc/thread-self/net/arp")));
        assertThat(neighbours.lines().skip(1)).hasSize(1).first().asString().startsWith("10.244.1.1 ");
    }

    @Test
    void pods_reach_the_pods_of_another_node_as_long_as_it_is_there() throws Exception {
        Pod pod = lab.createEcho("traveller");
        lab.awaitReady("traveller");
        lab.send("POST", Kind.NODE.path(""), """
            {"metadata": {"name": "node-2"}, "spec": {"podCIDR": "10.244.2.0/24", "podCIDRs": ["10.244.2.0/24"]},
             "status": {"addresses": [{"type": "InternalIP", "address": "172.31.0.2"}]}}\
            """);
        try (ServerSocket _ = lab.neighbour().call(() -> new ServerSocket(9000))) {
            await().atMost(PATIENCE).until(() -> canConnect(lab.namespaceOf(pod)));
        }

        assertThat(lab.send("DELETE", Kind.NODE.path(new NamespacedName("", "node-2")), ""))
                .isPresent();
        await().atMost(PATIENCE).until(() -> !routes().contains("0002F40A")); // 10.244.2.0, as the kernel prints it
    }

    @Test
    void a_readiness_gate_that_a_client_opens_makes_a_pod_ready_and_one_that_closes_unready() {
        lab.createPod(
                "gated",
                "{'name': 'main', 'image': 'fairlead/pause'}",
                ", 'readinessGates': [{'conditionType': 'example.com/live'}]");
        await().atMost(PATIENCE).until(() -> condition("gated", "Ready").contains("ReadinessGatesNotReady"));

        setCondition("gated", "example.com/live", "True");
        lab.awaitReady("gated");
        assertThat(condition("gated", "example.com/live")).contains("True");

        setCondition("gated", "example.com/live", "False");
        await().atMost(PATIENCE).until(() -> condition("gated", "Ready").contains("False"));
        assertThat(condition("gated", "example.com/live")).contains("False");
    }

    @Test
    void an_unknown_image_is_told_and_the_pod_can_still_be_deleted() {
        lab.createPod("stranger", "{'name': 'web', 'image': 'example.org/database:1.27'}", "");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(waiting("stranger"))
                        .containsAnyOf("ErrImagePull", "ImagePullBackOff")
                        .contains("failed to pull image \\\"example.org/database:1.27\\\": ", "example.org"));
        lab.delete("stranger", -1);
        lab.awaitGone("stranger");
    }

    @Test
    void a_container_that_crashes_is_started_again_and_then_waits() {
        lab.createPod("unstable", "{'name': 'main', 'image': 'fairlead/pause', 'command': ['sh', '-c', 'exit 7']}", "");

        await().atMost(PATIENCE).untilAsserted(() -> {
            JsonNode status = container("unstable");
            assertThat(waiting("unstable")).contains("CrashLoopBackOff");
            assertThat(Json.number(status, -1, "restartCount")).isEqualTo(1);
            assertThat(Json.number(status, -1, "lastState", "terminated", "exitCode"))
                    .isEqualTo(7);
        });
        lab.delete("unstable", -1);
        lab.awaitGone("unstable");
    }

    @Test
    void a_deleted_pod_leaves_nothing_behind() {
        lab.createEcho("short-lived");
        Pod pod = lab.awaitReady("short-lived");
        long process = lab.processOf(pod);
        PodNames names = PodNames.of(NodeLab.POD_PREFIX, pod);
        assertThat(lab.linksOfNode()).contains(names.link());

        lab.delete("short-lived", -1);
        lab.awaitGone("short-lived");

        assertThat(ProcessId.find(process)).isEmpty();
        assertThat(NetworkNamespace.find(names.namespace())).isEmpty();
        assertThat(lab.linksOfNode()).doesNotContain(names.link());
        assertThat(lab.state().resolve("pods").resolve(names.folder())).doesNotExist();
    }

    @Test
    void a_pod_deleted_by_force_is_stopped_too() {
        Pod pod = lab.createPod("forced", "{'name': 'main', 'image': 'fairlead/pause'}", "");
        lab.awaitReady("forced");

        lab.delete("forced", 0);

        assertThat(lab.find("forced")).isEmpty();
        String namespace = PodNames.of(NodeLab.POD_PREFIX, pod).namespace();
        await().atMost(PATIENCE).until(() -> NetworkNamespace.find(namespace).isEmpty());
    }

    @Test
    void a_pod_that_ignores_the_request_to_end_is_killed_after_its_grace_period() {
        Pod pod = lab.createPod(
                "stubborn",
                "{'name': 'main', 'image': 'fairlead/pause', 'command': ['sh', '-c', 'trap \\\"\\\" TERM; while :; do"
                        + " sleep 1; done']}",
                ", 'terminationGracePeriodSeconds': 1");
        lab.awaitReady("stubborn");

        lab.delete("stubborn", -1);
        lab.awaitGone("stubborn");

        assertThat(NetworkNamespace.find(PodNames.of(NodeLab.POD_PREFIX, pod).namespace()))
                .isEmpty();
    }

    private void setCondition(String name, String type, String status) {
        ObjectNode pod = (ObjectNode) lab.json(name).orElseThrow();
        ArrayNode conditions = pod.withObject("status").withArray("conditions");
        conditions.removeIf(condition -> Json.text(condition, "type").equals(type));
        conditions.addObject().put("type", type).put("status", status);
        lab.send("PUT", Kind.POD.path(new NamespacedName("default", name)) + "/status", pod.toString());
    }

    private String condition(String pod, String type) {
        return lab.json(pod)
                .orElseThrow()
                .path("status")
                .path("conditions")
                .valueStream()
                .filter(condition -> Json.text(condition, "type").equals(type))
                .map(JsonNode::toString)
                .findFirst()
                .orElse("");
    }

    private Optional<Node> node() {
        return lab.send("GET", Kind.NODE.path(new NamespacedName("", "node-1")), "")
                .map(Node::of)
                .filter(Node::ready);
    }

    private String renewTime() {
        return lab.send("GET", Kind.LEASE.path(new NamespacedName("kube-node-lease", "node-1")), "")
                .map(lease -> Json.text(lease, "spec", "renewTime"))
                .orElse("");
    }

    private JsonNode container(String pod) {
        return lab.json(pod)
                .orElseThrow()
                .path("status")
                .path("containerStatuses")
                .path(0);
    }

    private String waiting(String pod) {
        return container(pod).path("state").path("waiting").toString();
    }

    private String routes() {
        return lab.node().call(() -> Files.readString(Path.of("/proc/thread-self/net/route")));
    }

    private static boolean canConnect(NetworkNamespace from) {
        return from.call(() -> {
            try (Socket socket = new Socket()) {
                socket.connect(new java.net.InetSocketAddress("10.244.2.9", 9000), 500);
                return true;
            } catch (java.io.IOException e) {
                return false;
            }
        });
    }
}
