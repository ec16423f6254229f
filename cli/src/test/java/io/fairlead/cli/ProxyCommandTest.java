package io.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.proxy.KubeProxyConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// kube-proxy's command lines, as people have them in their manifests.
final class ProxyCommandTest {
    @TempDir
    Path folder;

    private static KubeProxyConfiguration parsed(String... args) {
        CommandLine line = ProxyCommand.of(new Main());
        line.parseArgs(args);
        return ((ProxyCommand) line.getCommand()).configuration();
    }

    @Test
    void flags_are_fields_of_the_configuration() {
        KubeProxyConfiguration configuration = parsed(
                "--hostname-override=Node-A",
                "--proxy-mode=iptables",
                "--cluster-cidr=10.244.0.0/16",
                "--masquerade-all",
                "--iptables-masquerade-bit=12",
                "--conntrack-min=0",
                "--v=2",
                "--kube-api-qps=50");
        assertThat(configuration.nodeName()).isEqualTo("Node-A");
        assertThat(configuration.mode()).isEqualTo("iptables");
        var node = configuration.proxy("node-a", "iptables").node();
        assertThat(node.masqueradeAll()).isTrue();
        assertThat(node.masqueradeBit()).isEqualTo(12);
    }

    @Test
    void a_flag_stands_above_the_file() throws IOException {
        Path file = Files.writeString(folder.resolve("config"), "{mode: nftables, clusterCIDR: 10.1.0.0/16}");
        KubeProxyConfiguration configuration = parsed("--config=" + file, "--mode", "iptables");
        assertThat(configuration.mode()).isEqualTo("iptables");
        assertThat(configuration.tree().path("clusterCIDR").asString()).isEqualTo("10.1.0.0/16");
    }

    @Test
    void a_flag_can_be_switched_off() {
        assertThat(parsed("--iptables-localhost-nodeports=false")
                        .proxy("n", "iptables")
                        .node()
                        .localhostNodePorts())
                .isFalse();
    }

    @Test
    void what_is_wrong_is_said_with_the_field() throws IOException {
        Path file = Files.writeString(folder.resolve("config"), "{clusterCidr: 10.1.0.0/16}");
        assertThatThrownBy(() -> parsed("--config=" + file))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("clusterCidr")
                .hasMessageContaining("unknown field");
        assertThatThrownBy(() -> parsed("--conntrack-min=many")).hasMessageContaining("--conntrack-min");
        assertThatThrownBy(() -> parsed("--config=" + folder.resolve("absent"))).hasMessageContaining("cannot read");
    }
}
