package io.fairlead.placement;

import static io.fairlead.fakes.Manifests.name;
import static io.fairlead.fakes.Manifests.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.fakes.Manifests;
import io.fairlead.fakes.MemoryCluster;
import io.fairlead.runner.Controller;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class NodeLifecycleTest {
    private static final NamespacedName N1 = new NamespacedName("", "n1");

    private final Controller lifecycle = new NodeLifecycle(Duration.ofSeconds(10));
    private final List<Controller> all =
            List.of(lifecycle, new TaintEviction(Duration.ofMinutes(5)), new StrandedPods());
    private final MemoryCluster cluster = new MemoryCluster();

    private void twoNodesWithAPodOnTheFirst() {
        cluster.put(node("n1", "a"));
        cluster.put(node("n2", "a"));
        cluster.put(Manifests.pod("web", "10.1.0.1"));
        cluster.beat("n1");
        cluster.beat("n2");
        assertThat(cluster.settle(all)).isEmpty();
    }

    /// Time goes by, and only the second node is heard of.
    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            cluster.pass(Duration.ofSeconds(1));
            cluster.beat("n2");
            cluster.settle(all);
        }
    }

    private void agentComesBack() {
        cluster.beat("n1");
        cluster.patch(Kind.NODE, N1, "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
        cluster.settle(all);
    }

    private Node n1() {
        return cluster.snapshot().nodes().find(N1).orElseThrow();
    }

    private Pod web() {
        return cluster.snapshot().pods().find(name("web")).orElseThrow();
    }

    private List<String> taints() {
        return n1().taints().stream().map(Node.Taint::toString).toList();
    }

    @Test
    void a_node_that_is_silent_for_ten_seconds_is_lost_and_its_pods_are_not_ready() {
        twoNodesWithAPodOnTheFirst();
        pass(9);
        assertThat(n1().ready()).isTrue();
        assertThat(web().status().ready()).isTrue();
        pass(1);
        assertThat(n1().readiness()).isEqualTo(Node.Readiness.UNKNOWN);
        assertThat(taints())
                .containsExactlyInAnyOrder(
                        "node.kubernetes.io/unreachable:NoSchedule", "node.kubernetes.io/unreachable:NoExecute");
        assertThat(web().status().ready()).isFalse();
        assertThat(web().metadata().isTerminating()).isFalse();
        assertThat(cluster.reports()).singleElement().satisfies(report -> {
            assertThat(report.event().reason()).isEqualTo("NodeNotReady");
            assertThat(report.event().about()).isEqualTo(N1);
        });
    }

    @Test
    void a_node_that_is_heard_of_again_loses_its_taints_and_keeps_its_pods() {
        twoNodesWithAPodOnTheFirst();
        pass(200);
        agentComesBack();
        pass(5);
        assertThat(n1().taints()).isEmpty();
        assertThat(web().metadata().isTerminating()).isFalse();
        cluster.beat("n1");
        pass(9);
        assertThat(n1().ready()).isTrue();
    }

    @Test
    void a_lease_that_is_renewed_is_not_yet_a_node_that_is_ready() {
        twoNodesWithAPodOnTheFirst();
        pass(20);
        cluster.beat("n1");
        cluster.settle(all);
        assertThat(n1().readiness()).isEqualTo(Node.Readiness.UNKNOWN);
        assertThat(taints()).hasSize(2);
    }

    @Test
    void a_node_that_never_had_a_lease_is_left_alone() {
        cluster.put(node("n1", "a"));
        cluster.pass(Duration.ofDays(1));
        assertThat(cluster.settle(all)).isEmpty();
    }

    @Test
    void it_tells_the_runner_when_to_look_again() {
        twoNodesWithAPodOnTheFirst();
        cluster.pass(Duration.ofSeconds(4));
        assertThat(lifecycle.nextLook(N1, cluster.snapshot(), cluster.moment())).contains(Duration.ofSeconds(6));
        cluster.pass(Duration.ofSeconds(6));
        assertThat(lifecycle.nextLook(N1, cluster.snapshot(), cluster.moment())).isEmpty();
    }

    @Test
    void pods_leave_a_lost_node_after_five_minutes_or_as_they_say_themselves() {
        twoNodesWithAPodOnTheFirst();
        cluster.put(tolerating(
                "hasty",
                "{\"key\":\"node.kubernetes.io/unreachable\",\"operator\":\"Exists\","
                        + "\"effect\":\"NoExecute\",\"tolerationSeconds\":30}"));
        cluster.put(tolerating("daemon", "{\"key\":\"node.kubernetes.io/unreachable\",\"operator\":\"Exists\"}"));
        pass(10 + 29);
        assertThat(ending()).isEmpty();
        pass(1);
        assertThat(ending()).containsExactly("hasty");
        pass(269);
        assertThat(ending()).containsExactly("hasty");
        pass(1);
        assertThat(ending()).containsExactly("hasty", "web");
        pass(1000);
        assertThat(ending()).containsExactly("hasty", "web");
    }

    private static String tolerating(String name, String toleration) {
        return Manifests.pod(
                name,
                "10.1.0.9",
                "\"labels\":{}",
                "\"containers\":[],\"tolerations\":[%s]".formatted(toleration),
                "True");
    }

    private List<String> ending() {
        return cluster.snapshot()
                .pods()
                .values()
                .filter(pod -> pod.metadata().isTerminating())
                .map(pod -> pod.key().name())
                .sorted()
                .toList();
    }

    @Test
    void while_no_node_is_ready_no_pod_is_moved() {
        twoNodesWithAPodOnTheFirst();
        for (int i = 0; i < 1000; i++) {
            cluster.pass(Duration.ofSeconds(1));
            cluster.settle(all);
        }
        assertThat(ending()).isEmpty();
        pass(1); // n2's Lease alone is not enough
        assertThat(ending()).isEmpty();
        cluster.patch(
                Kind.NODE,
                new NamespacedName("", "n2"),
                "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
        Snapshot before = Snapshot.EMPTY;
        assertThat(new TaintEviction(Duration.ofMinutes(5)).changed(before, cluster.snapshot()))
                .contains(N1);
        pass(1);
        assertThat(ending()).containsExactly("web");
    }

    @Test
    void any_other_no_execute_taint_drives_away_at_once_the_pods_that_do_not_tolerate_it() {
        twoNodesWithAPodOnTheFirst();
        cluster.put(tolerating("calm", "{\"key\":\"repair\",\"operator\":\"Equal\",\"value\":\"disk\"}"));
        cluster.patch(
                Kind.NODE,
                N1,
                "{\"spec\":{\"taints\":[{\"key\":\"repair\",\"value\":\"disk\",\"effect\":\"NoExecute\"}]}}");
        cluster.settle(all);
        assertThat(ending()).containsExactly("web");
        assertThat(taints()).containsExactly("repair=disk:NoExecute");
    }

    @Test
    void a_cordoned_node_has_a_taint_that_says_so_and_keeps_those_of_others() {
        twoNodesWithAPodOnTheFirst();
        cluster.patch(
                Kind.NODE,
                N1,
                "{\"spec\":{\"unschedulable\":true,\"taints\":[{\"key\":\"gpu\",\"effect\":\"NoSchedule\"}]}}");
        cluster.settle(all);
        assertThat(taints()).containsExactly("gpu:NoSchedule", "node.kubernetes.io/unschedulable:NoSchedule");
        cluster.patch(Kind.NODE, N1, "{\"spec\":{\"unschedulable\":null}}");
        cluster.settle(all);
        assertThat(taints()).containsExactly("gpu:NoSchedule");
        assertThat(ending()).isEmpty();
    }

    @Test
    void a_node_that_says_of_itself_that_it_is_not_ready_is_tainted_so() {
        twoNodesWithAPodOnTheFirst();
        cluster.setCondition(Kind.NODE, N1, "", (ObjectNode) Json.parse("{\"type\":\"Ready\",\"status\":\"False\"}"));
        cluster.settle(all);
        assertThat(taints()).allMatch(taint -> taint.startsWith("node.kubernetes.io/not-ready:"));
    }

    @Test
    void the_pods_of_a_node_that_is_no_more_are_deleted_for_good() {
        twoNodesWithAPodOnTheFirst();
        cluster.delete(Kind.POD, name("web"), ""); // it waits for the agent to end it
        assertThat(cluster.names(Kind.POD)).hasSize(1);
        Snapshot before = cluster.snapshot();
        cluster.remove(Kind.NODE, N1);
        assertThat(new StrandedPods().changed(before, cluster.snapshot())).containsExactly(name("web"));
        cluster.settle(all);
        assertThat(cluster.names(Kind.POD)).isEmpty();
    }

    @Test
    void a_heartbeat_is_no_reason_to_look_at_other_nodes() {
        twoNodesWithAPodOnTheFirst();
        Snapshot before = cluster.snapshot();
        cluster.beat("n2");
        assertThat(lifecycle.changed(before, cluster.snapshot())).containsExactly(new NamespacedName("", "n2"));
        assertThat(new TaintEviction(Duration.ZERO).changed(before, cluster.snapshot()))
                .isEmpty();
    }
}
