package io.fairlead.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fairlead.api.IpPort;
import io.fairlead.forwarding.NodeFacts;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ProxyConfigTest {
    @Test
    void the_defaults_are_those_of_kube_proxy_but_for_the_mode() {
        ProxyConfig config = ProxyConfig.of(TestCluster.NODE);
        assertThat(config.mode()).isEqualTo("nftables");
        assertThat(config.healthAddress()).isEqualTo(IpPort.parse("0.0.0.0:10256"));
        assertThat(config.metricsAddress()).isEqualTo(IpPort.parse("127.0.0.1:10249"));
    }

    @Test
    void a_proxy_without_a_node_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProxyConfig.of(NodeFacts.of("", List.of())))
                .withMessageContaining("name of its node");
    }
}
