package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fairlead.api.IpPort;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.NodePortAddresses;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ProxyConfigTest {
    @Test
    void the_defaults_are_those_of_kube_proxy_but_for_the_mode() {
        ProxyConfig config = ProxyConfig.of(TestCluster.NODE);
        assertThat(config.mode()).isEqualTo("nftables");
        assertThat(config.healthAddress()).contains(IpPort.parse("0.0.0.0:10256"));
        assertThat(config.metricsAddress()).contains(IpPort.parse("127.0.0.1:10249"));
    }

    @Test
    void node_ports_answer_at_localhost_where_the_mode_can_and_its_addresses_reach_there() {
        NodeFacts everywhere = TestCluster.NODE
                .withNodePortAddresses(new NodePortAddresses.All())
                .withLocalhostNodePorts(true);
        assertThat(ProxyConfig.of(everywhere).withMode("iptables").answersAtLocalhost())
                .isTrue();
        assertThat(ProxyConfig.of(everywhere).answersAtLocalhost())
                .as("nftables")
                .isFalse();
        assertThat(ProxyConfig.of(everywhere.withLocalhostNodePorts(false))
                        .withMode("iptables")
                        .answersAtLocalhost())
                .isFalse();
        assertThat(ProxyConfig.of(everywhere.withNodePortAddresses(new NodePortAddresses.Primary()))
                        .withMode("iptables")
                        .answersAtLocalhost())
                .isFalse();
    }

    @Test
    void a_proxy_without_a_node_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProxyConfig.of(NodeFacts.of("", List.of())))
                .withMessageContaining("name of its node");
    }
}
