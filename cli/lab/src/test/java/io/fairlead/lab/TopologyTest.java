package io.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TopologyTest {
    @Test
    void everything_is_named_after_the_cluster() {
        Topology topology = Topology.of("fairlead", 2);
        assertThat(topology.namespaces())
                .containsExactly("fairlead", "fairlead-client", "fairlead-node-1", "fairlead-node-2");
        assertThat(topology.hostLink()).isEqualTo("fairlead-host");
    }

    @Test
    void the_name_of_the_host_link_fits_the_kernel() {
        assertThat(Topology.of("averylongclustername", 1).hostLink()).isEqualTo("averylon-host");
        assertThat(Topology.of("lab", 1).hostLink()).isEqualTo("lab-host");
    }

    @Test
    void a_node_has_its_name_and_an_address_and_a_pod_block_of_each_family() {
        Topology.NodePlace node = Topology.of("lab", 3).nodes().get(1);
        assertThat(node.name()).isEqualTo("node-2");
        assertThat(node.namespace()).isEqualTo("lab-node-2");
        assertThat(node.ips()).hasToString("[10.210.0.12, fd00:210::12]");
        assertThat(node.podCidrs()).hasToString("[10.244.2.0/24, fd00:244:2::/64]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "fair-lead", "Fairlead", "9lives", "a/b", "averyverylongclustername"})
    void a_name_that_could_be_mistaken_is_refused(String name) {
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> Topology.of(name, 3))
                .withMessageStartingWith("name: \"%s\" must be", name);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 100})
    void a_number_of_nodes_outside_the_plan_is_refused(int nodes) {
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> Topology.of("lab", nodes))
                .withMessage("nodes: %d is not between 1 and 99", nodes);
    }
}
