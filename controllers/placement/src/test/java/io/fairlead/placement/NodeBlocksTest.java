package io.fairlead.placement;

import static io.fairlead.fakes.Manifests.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.fakes.MemoryCluster;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Write;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NodeBlocksTest {
    private final Controller blocks = new NodeBlocks(List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00:244::/48")));
    private final MemoryCluster cluster = new MemoryCluster();

    private List<String> blocksOf(String node) {
        return cluster.snapshot().nodes().find(new NamespacedName("", node)).orElseThrow().podCidrs().stream()
                .map(Cidr::toString)
                .toList();
    }

    @Test
    void nodes_that_come_together_get_one_block_of_each_family_one_after_the_other() {
        List.of("a", "b", "c").forEach(name -> cluster.put(node(name, "z")));
        assertThat(cluster.settle(blocks)).hasSize(3);
        assertThat(blocksOf("a")).containsExactly("10.244.0.0/24", "fd00:244::/64");
        assertThat(blocksOf("b")).containsExactly("10.244.1.0/24", "fd00:244:0:1::/64");
        assertThat(blocksOf("c")).containsExactly("10.244.2.0/24", "fd00:244:0:2::/64");
    }

    @Test
    void what_a_node_brought_itself_is_kept_and_given_to_no_other() {
        cluster.put(node("own", "z").replace("\"status\"", "\"spec\":{\"podCIDR\":\"10.244.0.0/23\"},\"status\""));
        cluster.put(node("a", "z"));
        cluster.settle(blocks);
        assertThat(blocksOf("own")).containsExactly("10.244.0.0/23");
        assertThat(blocksOf("a")).containsExactly("10.244.2.0/24", "fd00:244::/64");
    }

    @Test
    void when_nothing_is_left_the_node_is_told_and_gets_nothing() {
        Controller small = new NodeBlocks(List.of(Cidr.parse("10.0.0.0/23")));
        List.of("a", "b", "c").forEach(name -> cluster.put(node(name, "z")));
        List<Write> writes = small.reconcile(new NamespacedName("", "round"), cluster.snapshot(), cluster.moment());
        assertThat(writes).hasSize(3);
        assertThat(writes.getLast())
                .isInstanceOfSatisfying(
                        Write.Report.class,
                        report -> assertThat(report.event().message())
                                .isEqualTo("No block of addresses for pods is left in 10.0.0.0/23."));
    }

    @Test
    void a_cluster_without_blocks_gives_none() {
        cluster.put(node("a", "z"));
        assertThat(cluster.settle(new NodeBlocks(List.of()))).isEmpty();
    }

    @Test
    void no_two_nodes_ever_have_the_same_whatever_the_order_they_come_and_go_in() {
        Random random = new Random(5);
        for (int step = 0; step < 300; step++) {
            NamespacedName name = new NamespacedName("", "n" + random.nextInt(40));
            if (cluster.names(Kind.NODE).contains(name)) {
                cluster.remove(Kind.NODE, name);
            } else {
                cluster.put(node(name.name(), "z"));
            }
            if (random.nextBoolean()) {
                cluster.settle(blocks);
                assertAllDifferent();
            }
        }
    }

    private void assertAllDifferent() {
        List<Cidr> all = new ArrayList<>();
        for (Node node : cluster.snapshot().nodes().values().toList()) {
            assertThat(node.podCidrs()).hasSize(2);
            all.addAll(node.podCidrs());
        }
        assertThat(new HashSet<>(all)).hasSameSizeAs(all);
    }
}
