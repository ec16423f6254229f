package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.IpPort;
import io.fairlead.api.Kind;
import io.fairlead.api.Node;
import io.fairlead.api.Pod;
import io.fairlead.client.Interest;
import io.fairlead.kernel.NetworkNamespace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/// A DaemonSet whose pods have a port of their node, on a real cluster that two machines join.
interface PodsOfEachNode {
    int HOST_PORT = 8088;

    Workbench bench();

    @Test
    @ResourceLock(BesideOthers.NODES)
    default void each_node_has_a_pod_of_a_daemon_set_behind_a_port_of_its_own_and_nodes_that_join_get_theirs()
            throws Exception {
        // A hostPort is beyond what namespaces take without such a label.
        bench().run("label namespace default pod-security.kubernetes.io/enforce=privileged --overwrite");
        bench().create(DAEMONS);
        bench().run("rollout status daemonset everywhere --timeout=90s");
        Map<String, String> first = podOfEachNode();
        assertThat(first).containsOnlyKeys("node-1", "node-2", "node-3");
        List<JoinedNode> joined = JoinedNode.join(bench().cluster(), 4, 5);
        try {
            bench().run("set env daemonset everywhere COLOUR=blue");
            Workbench.soon(() ->
                    assertThat(podOfEachNode()).containsOnlyKeys("node-1", "node-2", "node-3", "node-4", "node-5"));
            assertThat(bench().run("rollout status daemonset everywhere --timeout=90s"))
                    .contains("successfully rolled out");
            assertThat(podOfEachNode().values()).as("all are new").doesNotContainAnyElementsOf(first.values());
            checkBlocks();
            checkHostPorts(joined.getFirst());
            bench().run("delete daemonset everywhere --grace-period=1");
            Workbench.soon(
                    () -> assertThat(bench().run("get pods -l app=everywhere")).isEmpty());
        } finally {
            for (JoinedNode node : joined) {
                node.leave();
            }
        }
        bench().run("delete node node-4 node-5"); // not before their agents ended, which would bring them back
    }

    private void checkBlocks() throws Exception {
        List<Node> nodes = bench().cluster()
                .client()
                .list(Interest.all(Kind.NODE), "")
                .path("items")
                .valueStream()
                .map(Node::of)
                .toList();
        assertThat(nodes)
                .hasSize(5)
                .allSatisfy(node -> assertThat(node.podCidrs()).hasSize(2));
        assertThat(nodes).allSatisfy(node -> assertThat(node.agentPort()).isEqualTo(10250));
        List<Cidr> blocks =
                nodes.stream().flatMap(node -> node.podCidrs().stream()).toList();
        for (Cidr block : blocks) {
            assertThat(blocks.stream().filter(block::overlaps))
                    .as("blocks like %s", block)
                    .hasSize(1);
        }
        for (Pod pod : bench().cluster().pods().filter(PodsOfEachNode::isDaemon).toList()) {
            Node own = nodes.stream()
                    .filter(node -> node.name().equals(pod.spec().nodeName()))
                    .findFirst()
                    .orElseThrow();
            assertThat(own.podCidrs())
                    .anyMatch(block -> block.contains(pod.status().podIps().getFirst()));
        }
    }

    /// From outside, from a pod and from a machine, each node's port leads to the pod of that node.
    private void checkHostPorts(JoinedNode joined) throws Exception {
        RunningCluster cluster = bench().cluster();
        Map<String, String> pods = podOfEachNode();
        List<NetworkNamespace> clients = new ArrayList<>(List.of(cluster.outside(), cluster.clientPod("node-1")));
        clients.addAll(List.of(cluster.nodeNamespace("node-2"), joined.namespace()));
        for (NetworkNamespace client : clients) {
            for (int node : List.of(3, 5)) {
                IpPort door = new IpPort(JoinedNode.address(node), HOST_PORT);
                Workbench.soon(() -> assertThat(bench().podsBehind(client, door))
                        .as("%s of node-%d from %s", door, node, client)
                        .isEqualTo(Set.of(pods.get("node-" + node))));
            }
        }
    }

    /// The pods that are not being deleted, by their node.
    private Map<String, String> podOfEachNode() throws Exception {
        List<Pod> pods =
                bench().cluster().pods().filter(PodsOfEachNode::isDaemon).toList();
        assertThat(new HashSet<>(pods.stream().map(pod -> pod.spec().nodeName()).toList()))
                .as("one a node")
                .hasSameSizeAs(pods);
        return pods.stream()
                .collect(Collectors.toMap(
                        pod -> pod.spec().nodeName(), pod -> pod.key().name()));
    }

    private static boolean isDaemon(Pod pod) {
        return "everywhere".equals(pod.metadata().labels().get("app"))
                && !pod.metadata().isTerminating()
                && !pod.spec().nodeName().isEmpty();
    }

    String DAEMONS = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: everywhere}
        spec:
          selector: {matchLabels: {app: everywhere}}
          updateStrategy: {rollingUpdate: {maxUnavailable: 3}}
          template:
            metadata: {labels: {app: everywhere}}
            spec:
              containers:
              - name: echo
                image: fairlead/echo
                env: [{name: FAIRLEAD_LINGER_SECONDS, value: "0"}]
                ports: [{containerPort: 8080, hostPort: 8088}]
        """;
}
