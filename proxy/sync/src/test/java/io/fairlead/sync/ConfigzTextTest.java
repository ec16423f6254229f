package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Json;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.NodePortAddresses;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.ipvs.IpvsOptions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

final class ConfigzTextTest {
    private static final List<Cidr> NETWORKS = List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00:244::/32"));

    static Stream<NodeFacts> nodes() {
        NodeFacts plain = NodeFacts.of("node-a", NETWORKS);
        return Stream.of(
                plain,
                NodeFacts.of("node-a", List.of()).withLocalhostNodePorts(true),
                plain.withPods(new LocalPods.Bridge("cni0")).withMasqueradeAll(true),
                plain.withPods(new LocalPods.InterfacePrefix("veth")).withMasqueradeBit(15),
                plain.withNodePortAddresses(new NodePortAddresses.Primary()),
                plain.withNodePortAddresses(new NodePortAddresses.PrimaryAnd(NodePortAddresses.LOOPBACK)),
                plain.withNodePortAddresses(new NodePortAddresses.Within(NETWORKS)));
    }

    @Test
    void the_mode_ipvs_is_shown_as_it_is_set_up() {
        ProxyConfig plain = ProxyConfig.of(NodeFacts.of("node-a", NETWORKS).withScheduler(Scheduler.WLC));
        ProxyConfig config = new ProxyConfig(
                "ipvs",
                plain.node(),
                plain.healthAddress(),
                plain.metricsAddress(),
                false,
                ModeOptions.of(IpvsOptions.DEFAULT
                        .withExcluded(NETWORKS)
                        .withCompare(Duration.ofMillis(1500))
                        .withDevice("flannel.1", 24)));
        JsonNode shown = Json.parse(ConfigzText.format(config)).path("kubeproxy.config.k8s.io");
        assertThat(new KubeProxyConfiguration(shown).proxy("node-a", "ipvs")).isEqualTo(config);
    }

    @ParameterizedTest
    @MethodSource("nodes")
    void what_is_shown_is_a_configuration_that_gives_the_same_proxy(NodeFacts node) {
        ProxyConfig config = ProxyConfig.of(node).withMode("iptables");
        JsonNode shown = Json.parse(ConfigzText.format(config)).path("kubeproxy.config.k8s.io");
        KubeProxyConfiguration read = new KubeProxyConfiguration(shown);

        assertThat(read.problems()).isEmpty();
        assertThat(read.unused()).isEmpty();
        assertThat(read.proxy(read.nodeName(), read.mode())).isEqualTo(config);
    }
}
