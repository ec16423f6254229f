package io.fairlead.placement;

import static io.fairlead.fakes.Manifests.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.fakes.Manifests;
import io.fairlead.fakes.MemoryCluster;
import io.fairlead.runner.Controller;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PodSchedulerTest {
    private final Controller scheduler = new PodScheduler();
    private final MemoryCluster cluster = new MemoryCluster();

    private Map<String, Integer> podsOf(String owner) {
        Map<String, Integer> counts = new TreeMap<>();
        cluster.snapshot().pods().forEach((name, pod) -> {
            if (name.name().startsWith(owner)) {
                counts.merge(pod.spec().nodeName(), 1, Integer::sum);
            }
        });
        return counts;
    }

    private void nodes(String... names) {
        for (String name : names) {
            cluster.put(node(name, "a"));
        }
    }

    /// So many more pods of one ReplicaSet, which no node has yet.
    private void owned(String owner, int count) {
        String metadata = "\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\","
                + "\"name\":\"%s\",\"uid\":\"%s\",\"controller\":true}]".formatted(owner, owner);
        for (int i = 0; i < count; i++) {
            String name = owner + "-" + cluster.names(Kind.POD).size();
            cluster.put(Manifests.pod(name, "", metadata, "\"containers\":[]", "False")
                    .replace("\"nodeName\":\"n1\",", "")
                    .replace("\"phase\":\"Running\",", ""));
        }
    }

    @Test
    void pods_of_one_owner_that_come_together_spread() {
        nodes("n1", "n2", "n3");
        owned("web", 7);
        cluster.settle(scheduler);
        assertThat(podsOf("web")).containsExactly(Map.entry("n1", 3), Map.entry("n2", 2), Map.entry("n3", 2));
    }

    @Test
    void the_owner_counts_before_the_load_of_the_node() {
        nodes("n1", "n2");
        owned("big", 4);
        cluster.settle(scheduler);
        owned("small", 1);
        cluster.settle(scheduler);
        owned("small", 1);
        cluster.settle(scheduler);
        assertThat(podsOf("small")).containsExactly(Map.entry("n1", 1), Map.entry("n2", 1));
    }

    @Test
    void pods_without_an_owner_go_where_the_fewest_pods_are() {
        nodes("n1", "n2");
        cluster.put(Manifests.pod("busy", "10.1.0.1"));
        cluster.put(Manifests.pod("a", "").replace("\"nodeName\":\"n1\",", ""));
        cluster.put(Manifests.pod("b", "").replace("\"nodeName\":\"n1\",", ""));
        cluster.settle(scheduler);
        assertThat(podsOf("a")).containsOnlyKeys("n2");
        assertThat(podsOf("b")).containsOnlyKeys("n1");
    }

    @Test
    void only_ready_and_schedulable_nodes_get_pods() {
        cluster.put(node("not-ready", "a").replace("\"True\"", "\"False\""));
        NamespacedName closed = cluster.put(node("closed", "a"));
        cluster.patch(Kind.NODE, closed, "{\"spec\":{\"unschedulable\":true}}");
        owned("web", 2);
        cluster.settle(scheduler);
        assertThat(podsOf("web")).containsOnlyKeys("");
        Snapshot before = cluster.snapshot();
        cluster.patch(Kind.NODE, closed, "{\"spec\":{\"unschedulable\":false}}");
        assertThat(scheduler.changed(before, cluster.snapshot())).hasSize(1);
        cluster.settle(scheduler);
        assertThat(podsOf("web")).containsOnlyKeys("closed");
    }

    @Test
    void pods_that_are_over_or_ending_wait_for_no_node() {
        nodes("n1");
        cluster.put(
                Manifests.pod("over", "").replace("\"nodeName\":\"n1\",", "").replace("Running", "Failed"));
        cluster.put(Manifests.pod("ending", "")
                .replace("\"nodeName\":\"n1\",", "")
                .replace("\"labels\"", "\"deletionTimestamp\":\"t\",\"labels\""));
        assertThat(cluster.settle(scheduler)).isEmpty();
    }

    @Test
    void a_heartbeat_of_a_node_is_no_reason_to_look() {
        nodes("n1");
        Snapshot before = cluster.snapshot();
        cluster.patch(Kind.NODE, new NamespacedName("", "n1"), "{\"metadata\":{\"annotations\":{\"beat\":\"2\"}}}");
        assertThat(scheduler.changed(before, cluster.snapshot())).isEmpty();
    }

    private String unplaced(String name, String spec) {
        return Manifests.pod(name, "", "\"labels\":{}", "\"containers\":[]" + spec, "False")
                .replace("\"nodeName\":\"n1\",", "")
                .replace("\"phase\":\"Running\",", "");
    }

    @Test
    void a_pod_goes_only_to_nodes_it_selects_and_whose_taints_it_bears() {
        nodes("n1", "n2", "n3");
        cluster.patch(Kind.NODE, new NamespacedName("", "n2"), "{\"metadata\":{\"labels\":{\"disk\":\"ssd\"}}}");
        cluster.patch(
                Kind.NODE,
                new NamespacedName("", "n3"),
                "{\"metadata\":{\"labels\":{\"disk\":\"ssd\"}},\"spec\":{\"taints\":[{\"key\":\"gpu\",\"effect\":\"NoSchedule\"}]}}");
        for (int i = 0; i < 4; i++) {
            cluster.put(unplaced("ssd" + i, ",\"nodeSelector\":{\"disk\":\"ssd\"}"));
            cluster.put(
                    unplaced(
                            "gpu" + i,
                            ",\"nodeSelector\":{\"disk\":\"ssd\"},\"tolerations\":[{\"key\":\"gpu\",\"operator\":\"Exists\"}]"));
        }
        cluster.settle(scheduler);
        assertThat(podsOf("ssd")).containsOnlyKeys("n2");
        assertThat(podsOf("gpu")).containsKey("n3");
    }

    @Test
    void a_pod_for_which_there_is_no_node_gets_the_reason_once() {
        nodes("n1", "n2", "n3");
        cluster.patch(Kind.NODE, new NamespacedName("", "n1"), "{\"spec\":{\"unschedulable\":true}}");
        cluster.patch(
                Kind.NODE,
                new NamespacedName("", "n2"),
                "{\"spec\":{\"taints\":[{\"key\":\"gpu\",\"value\":\"a\",\"effect\":\"NoSchedule\"}]}}");
        NamespacedName pod = cluster.put(
                unplaced(
                        "p",
                        ",\"affinity\":{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":{\"nodeSelectorTerms\":"
                                + "[{\"matchFields\":[{\"key\":\"metadata.name\",\"operator\":\"NotIn\",\"values\":[\"n3\"]}]}]}}}"));
        cluster.settle(scheduler);
        String why = "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector,"
                + " 1 node(s) had untolerated taint {gpu: a}, 1 node(s) were unschedulable.";
        assertThat(cluster.snapshot().pods().find(pod).orElseThrow().status().unschedulable())
                .isEqualTo(why);
        assertThat(cluster.reports())
                .extracting(report -> report.event().message())
                .containsExactly(why);
        cluster.patch(Kind.NODE, new NamespacedName("", "n2"), "{\"spec\":{\"taints\":[]}}");
        cluster.settle(scheduler);
        assertThat(podsOf("p")).containsOnlyKeys("n2");
        assertThat(cluster.reports().getLast().event().message()).isEqualTo("Successfully assigned default/p to n2");
    }

    @Test
    void a_cluster_without_nodes_says_so() {
        cluster.put(unplaced("p", ""));
        cluster.settle(scheduler);
        assertThat(cluster.reports().getFirst().event().message()).isEqualTo("0/0 nodes are available.");
    }

    @Test
    void whatever_the_nodes_and_pods_no_pod_is_where_it_may_not_be() {
        Random random = new Random(11);
        for (int round = 0; round < 200; round++) {
            MemoryCluster some = new MemoryCluster();
            for (int n = 0; n < 4; n++) {
                some.put(node("n" + n, "zone" + random.nextInt(2)));
                if (random.nextBoolean()) {
                    some.patch(
                            Kind.NODE,
                            new NamespacedName("", "n" + n),
                            "{\"spec\":{\"unschedulable\":%s,\"taints\":[{\"key\":\"k%d\",\"effect\":\"NoSchedule\"}]}}"
                                    .formatted(random.nextBoolean(), random.nextInt(2)));
                }
            }
            for (int p = 0; p < 6; p++) {
                some.put(unplaced(
                        "p" + p,
                        ",\"nodeSelector\":{\"topology.kubernetes.io/zone\":\"zone%d\"},\"tolerations\":[{\"key\":\"k%d\",\"operator\":\"Exists\"}]"
                                .formatted(random.nextInt(2), random.nextInt(2))));
            }
            some.settle(scheduler);
            assertAllowed(some.snapshot());
        }
    }

    private static void assertAllowed(Snapshot now) {
        for (Pod pod : now.pods().values().toList()) {
            List<Node> allowed = now.nodes()
                    .values()
                    .filter(node ->
                            !node.unschedulable() && pod.spec().placement().selects(node))
                    .filter(node ->
                            pod.spec().placement().untolerated(node).findAny().isEmpty())
                    .toList();
            assertThat(allowed.stream()
                            .map(Node::name)
                            .toList()
                            .contains(pod.spec().nodeName()))
                    .isEqualTo(!allowed.isEmpty());
        }
    }

    @Test
    void a_node_takes_no_more_than_its_pods_ask_for_and_the_rest_waits_until_there_is_room() {
        cluster.put("""
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","uid":"n1"},"status":{"allocatable":{"cpu":"2","memory":"1Gi"},
             "conditions":[{"type":"Ready","status":"True"}]}}\
            """);
        for (String name : new String[] {"a", "b", "c"}) {
            cluster.put(Manifests.pod(
                            name,
                            "",
                            "\"labels\":{}",
                            "\"containers\":[{\"name\":\"m\",\"resources\":{\"requests\":{\"cpu\":\"900m\",\"memory\":\"10Mi\"}}}]",
                            "False")
                    .replace("\"nodeName\":\"n1\",", "")
                    .replace("\"phase\":\"Running\",", ""));
        }
        cluster.settle(scheduler);

        assertThat(podsOf("a")).containsOnlyKeys("n1");
        assertThat(podsOf("b")).containsOnlyKeys("n1");
        assertThat(podsOf("c")).containsOnlyKeys("");
        assertThat(cluster.snapshot()
                        .pods()
                        .find(new NamespacedName("default", "c"))
                        .orElseThrow()
                        .status()
                        .unschedulable())
                .isEqualTo("0/1 nodes are available: 1 Insufficient cpu.");
    }
}
