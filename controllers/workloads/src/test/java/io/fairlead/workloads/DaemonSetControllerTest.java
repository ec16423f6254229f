package io.fairlead.workloads;

import static io.fairlead.fakes.Manifests.daemonSet;
import static io.fairlead.fakes.Manifests.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.fakes.Manifests;
import io.fairlead.fakes.MemoryCluster;
import io.fairlead.placement.NodeLifecycle;
import io.fairlead.placement.PodScheduler;
import io.fairlead.placement.StrandedPods;
import io.fairlead.placement.TaintEviction;
import io.fairlead.runner.Controller;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class DaemonSetControllerTest {
    private final Controller controller = new DaemonSetController();
    private final List<Controller> workload = List.of(controller, new PodScheduler());
    private final MemoryCluster cluster = new MemoryCluster();
    private final NamespacedName agent = new NamespacedName("default", "agent");

    private void start(int nodes, String more) {
        for (int i = 1; i <= nodes; i++) {
            cluster.put(node("n" + i, "a"));
        }
        cluster.put(daemonSet("agent", "one").replace("\"selector\"", more + "\"selector\""));
        finish();
    }

    private void finish() {
        for (int i = 0; i < 20; i++) {
            cluster.settle(workload);
            cluster.runPods();
        }
        cluster.settle(workload);
    }

    private void patch(String patch) {
        cluster.patch(Kind.DAEMON_SET, agent, patch);
    }

    private void taint(String node, String effect) {
        cluster.patch(
                Kind.NODE,
                new NamespacedName("", node),
                "{\"spec\":{\"taints\":[{\"key\":\"gpu\",\"effect\":\"%s\"}]}}".formatted(effect));
    }

    /// The image of the pods that stay, by node.
    private Map<String, String> pods() {
        return cluster.snapshot()
                .pods()
                .values()
                .filter(pod -> !pod.metadata().isTerminating())
                .collect(Collectors.toMap(
                        pod -> pod.spec().nodeName(),
                        pod -> pod.spec().containers().getFirst().image(),
                        (a, b) -> a + "+" + b,
                        TreeMap::new));
    }

    private int count(String field) {
        JsonNode status = cluster.find(Kind.DAEMON_SET, agent).path("status");
        return Json.number(status, -1, field);
    }

    @Test
    void every_node_has_one_pod_and_a_new_node_gets_one() {
        start(2, "");
        assertThat(pods()).isEqualTo(Map.of("n1", "one", "n2", "one"));
        assertThat(count("desiredNumberScheduled")).isEqualTo(2);
        assertThat(count("numberReady")).isEqualTo(2);
        Snapshot before = cluster.snapshot();
        cluster.put(node("n3", "a"));
        assertThat(controller.changed(before, cluster.snapshot())).containsExactly(agent);
        finish();
        assertThat(pods()).hasSize(3);
    }

    @Test
    void a_heartbeat_of_a_node_is_no_reason_to_look() {
        start(1, "");
        Snapshot before = cluster.snapshot();
        cluster.patch(Kind.NODE, new NamespacedName("", "n1"), "{\"metadata\":{\"annotations\":{\"beat\":\"2\"}}}");
        assertThat(controller.changed(before, cluster.snapshot())).isEmpty();
    }

    @Test
    void only_nodes_that_the_template_selects_have_one() {
        start(2, "");
        patch("{\"spec\":{\"template\":{\"spec\":{\"nodeSelector\":{\"disk\":\"ssd\"}}}}}");
        finish();
        assertThat(pods()).isEmpty();
        cluster.patch(Kind.NODE, new NamespacedName("", "n2"), "{\"metadata\":{\"labels\":{\"disk\":\"ssd\"}}}");
        finish();
        assertThat(pods()).containsOnlyKeys("n2");
    }

    @Test
    void a_taint_keeps_new_pods_away_and_one_that_drives_away_ends_those_that_are_there() {
        start(1, "");
        cluster.put(node("n2", "a"));
        taint("n2", "NoSchedule");
        finish();
        assertThat(pods()).containsOnlyKeys("n1");
        taint("n1", "NoSchedule");
        finish();
        assertThat(pods()).containsOnlyKeys("n1");
        taint("n1", "NoExecute");
        finish();
        assertThat(pods()).isEmpty();
    }

    @Test
    void a_daemon_stays_on_a_node_that_is_cordoned_or_lost() {
        List<Controller> all = List.of(
                controller,
                new NodeLifecycle(Duration.ofSeconds(10)),
                new TaintEviction(Duration.ofMinutes(5)),
                new StrandedPods());
        start(2, "");
        cluster.beat("n1");
        cluster.patch(Kind.NODE, new NamespacedName("", "n2"), "{\"spec\":{\"unschedulable\":true}}");
        cluster.settle(all);
        cluster.pass(Duration.ofHours(1));
        cluster.settle(all);
        cluster.pass(Duration.ofHours(1));
        cluster.settle(all);
        assertThat(pods()).containsOnlyKeys("n1", "n2");
        assertThat(count("numberReady")).isEqualTo(1);
    }

    @Test
    void on_delete_waits_for_a_client_to_delete() {
        start(2, "\"updateStrategy\":{\"type\":\"OnDelete\"},");
        patch(Manifests.image("two"));
        finish();
        assertThat(pods().values()).containsOnly("one");
        cluster.delete(Kind.POD, cluster.names(Kind.POD).getFirst(), "");
        finish();
        assertThat(pods().values()).containsExactlyInAnyOrder("one", "two");
        assertThat(count("updatedNumberScheduled")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2", "\"50%\""})
    void an_update_leaves_no_more_nodes_without_a_usable_pod_than_it_may(String most) {
        start(6, "\"updateStrategy\":{\"rollingUpdate\":{\"maxUnavailable\":%s}},".formatted(most));
        patch(Manifests.image("two"));
        int bound = most.equals("1") ? 1 : most.equals("2") ? 2 : 3;
        assertThat(fewestUsable(6)).isEqualTo(6 - bound);
        assertThat(pods().values()).containsOnly("two").hasSize(6);
        assertThat(count("numberAvailable")).isEqualTo(6);
        assertThat(count("updatedNumberScheduled")).isEqualTo(6);
    }

    @Test
    void with_surge_every_node_has_a_usable_pod_all_the_time() {
        start(4, "\"updateStrategy\":{\"rollingUpdate\":{\"maxSurge\":1,\"maxUnavailable\":0}},");
        patch(Manifests.image("two"));
        assertThat(fewestUsable(4)).isEqualTo(4);
        assertThat(pods()).isEqualTo(Map.of("n1", "two", "n2", "two", "n3", "two", "n4", "two"));
    }

    /// Lets the pods come and go in any order; gives how many nodes at least had one that could be used.
    private long fewestUsable(int nodes) {
        Random random = new Random(nodes);
        long fewest = nodes;
        for (int i = 0; i < 300; i++) {
            cluster.settle(workload);
            List<NamespacedName> pods = cluster.names(Kind.POD);
            cluster.runPod(pods.get(random.nextInt(pods.size())));
            fewest = Math.min(fewest, usableNodes());
        }
        finish();
        return fewest;
    }

    private long usableNodes() {
        return cluster.snapshot()
                .pods()
                .values()
                .filter(pod -> pod.status().ready() && !pod.metadata().isTerminating())
                .map(pod -> pod.spec().nodeName())
                .distinct()
                .count();
    }

    @Test
    void one_that_is_over_is_made_anew_and_no_node_has_two() {
        start(2, "");
        cluster.patch(Kind.POD, cluster.names(Kind.POD).getFirst(), "{\"status\":{\"phase\":\"Failed\"}}");
        finish();
        assertThat(cluster.snapshot().pods().values())
                .hasSize(2)
                .allMatch(pod -> !pod.status().isOver());
        Pod any = cluster.snapshot().pods().values().findFirst().orElseThrow();
        var twin = cluster.find(Kind.POD, any.key()).deepCopy();
        twin.withObject("metadata").put("name", "twin").remove("uid");
        cluster.create(Kind.POD, twin);
        finish();
        assertThat(pods().values()).containsExactly("one", "one");
    }
}
