package io.fairlead.dist;

import static io.fairlead.dist.Workbench.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.kernel.Cgroups;
import io.fairlead.kernel.ConntrackFlow;
import io.fairlead.kernel.ConntrackSocket;
import io.fairlead.kernel.ControlGroup;
import io.fairlead.kernel.Mounts;
import io.fairlead.testkit.RequiresRoot;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `up --mode ebpf`: real pods, whose processes the agent has placed where the programs see them.
@RequiresRoot
final class EbpfIT {
    private static final String NAME = "flebpfit";
    private static final int CALLS = 20;

    @Test
    void a_pod_is_connected_straight_to_pods_and_is_told_that_its_peer_is_the_service() throws Exception {
        RunningCluster cluster = RunningCluster.up(NAME, "--mode", "ebpf");
        try {
            Workbench bench = Workbench.of(cluster);
            bench.runScript("client", "sleep 600");
            soon(() -> assertThat(bench.field("pod client", ".status.phase")).isEqualTo("Running"));
            String node = bench.field("pod client", ".spec.nodeName");
            Ip client = Ip.parse(bench.field("pod client", ".status.podIP"));
            assertThat(call(bench, "%{remote_ip}"))
                    .as("what getpeername says")
                    .isEqualTo(cluster.vip().ip().toString());

            checkPlaces(bench, node);
            checkConnections(bench, node, client);
            checkThatAKillInterruptsNothing(bench, node);
            soon(() -> assertThat(health(cluster, node))
                    .contains("\"healthy\" : true")
                    .doesNotContain("layers"));
        } finally {
            Path dir = cluster.dir();
            cluster.end();
            assertThat(Mounts.below(dir)).isEmpty();
            for (int node = 1; node <= 3; node++) {
                String group = Cgroups.ofNode("%s-node-%d".formatted(NAME, node));
                assertThat(Path.of(ControlGroup.findRoot().orElseThrow().path() + group))
                        .doesNotExist();
            }
        }
    }

    private static String call(Workbench bench, String format) throws Exception {
        return bench.run("exec client -- curl -s -o /dev/null --max-time 5 -w %s http://%s/"
                        .formatted(format, bench.cluster().vip()))
                .strip();
    }

    /// Also of what `exec` starts.
    private static void checkPlaces(Workbench bench, String node) throws Exception {
        String group = Cgroups.ofNode(NAME + "-" + node);
        assertThat(bench.run("exec client -- cat /proc/self/cgroup").lines())
                .anyMatch(line -> line.startsWith("0::" + group + "/client-"));
        assertThat(ControlGroup.pathOf(bench.cluster().pid(node))).contains(group + "/agent");
    }

    /// They leave the pod for another pod: the node's kernel has nothing to translate.
    private static void checkConnections(Workbench bench, String node, Ip client) throws Exception {
        RunningCluster cluster = bench.cluster();
        for (int i = 0; i < CALLS; i++) {
            assertThat(call(bench, "%{http_code}")).isEqualTo("200");
        }
        IpPort vip = cluster.vip();
        List<ConntrackFlow> flows = cluster.nodeNamespace(node).call(() -> {
            try (ConntrackSocket conntrack = ConntrackSocket.open()) {
                return conntrack.flows(Family.IPV4, Protocol.TCP);
            }
        });
        assertThat(flows.stream().filter(flow -> flow.source().ip().equals(client)))
                .hasSizeGreaterThanOrEqualTo(CALLS)
                .filteredOn(flow -> flow.destination().equals(vip))
                .as("only before its own address was seen")
                .hasSizeLessThanOrEqualTo(1);
    }

    private static void checkThatAKillInterruptsNothing(Workbench bench, String node) throws Exception {
        long before = bench.cluster().pid(node);
        bench.cluster().kill(node);
        // Not by kubectl exec, which asks the agent.
        String curl = "curl -s -o /dev/null --max-time 5 -w %%{http_code} http://%s/"
                .formatted(bench.cluster().vip());
        for (int i = 0; i < CALLS; i++) {
            assertThat(bench.cluster().insideClient(node, curl)).isEqualTo("200");
        }
        soon(() -> assertThat(bench.cluster().pid(node)).isNotEqualTo(before));
    }

    private static String health(RunningCluster cluster, String node) throws Exception {
        return cluster.printed(node, "curl", "-s", "http://127.0.0.1:10256/healthz");
    }
}
