package io.fairlead.controllers;

import static io.fairlead.controllers.Manifests.node;
import static io.fairlead.controllers.Manifests.replicaSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SchedulerTest {
    private final Controller scheduler = new Scheduler();
    private final List<Controller> both = List.of(new ReplicaSetController(), scheduler);
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

    @Test
    void pods_of_one_owner_that_come_together_spread() {
        nodes("n1", "n2", "n3");
        cluster.put(replicaSet("web", 7));
        cluster.settle(both);
        assertThat(podsOf("web")).containsExactly(Map.entry("n1", 3), Map.entry("n2", 2), Map.entry("n3", 2));
    }

    @Test
    void the_owner_counts_before_the_load_of_the_node() {
        nodes("n1", "n2");
        cluster.put(replicaSet("big", 4));
        cluster.settle(both);
        cluster.put(replicaSet("small", 1));
        cluster.settle(both);
        cluster.patch(Kind.REPLICA_SET, Manifests.name("small"), "{\"spec\":{\"replicas\":2}}");
        cluster.settle(both);
        assertThat(podsOf("small")).containsExactly(Map.entry("n1", 1), Map.entry("n2", 1));
    }

    @Test
    void pods_that_nobody_owns_go_where_the_fewest_pods_are() {
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
        cluster.put(replicaSet("web", 2));
        cluster.settle(both);
        assertThat(podsOf("web")).containsOnlyKeys("");
        Snapshot before = cluster.snapshot();
        cluster.patch(Kind.NODE, closed, "{\"spec\":{\"unschedulable\":false}}");
        assertThat(scheduler.changed(before, cluster.snapshot())).hasSize(1);
        cluster.settle(both);
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
}
