package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.agent.NodeConfig;
import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.http.ApiServerConfig;
import io.fairlead.kubectl.CommandException;
import io.fairlead.objects.PortRange;
import io.fairlead.store.StoreLocation;
import io.fairlead.sync.ProxyConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/// What the options of the programs mean, and what holds where the user does not give them.
final class ProgramOptionsTest {

    @Test
    void a_server_listens_on_this_machine_with_the_ranges_of_kubernetes() {
        ApiServerConfig config = server().config();
        assertThat(config.bind()).isEqualTo(IpPort.parse("127.0.0.1:6443"));
        assertThat(config.addresses().services()).containsExactly(Cidr.parse("10.96.0.0/16"));
        assertThat(config.addresses().nodePorts()).isEqualTo(new PortRange(30000, 32767));
        assertThat(config.advertised()).isEmpty();
        assertThat(config.policy().strictNames()).isFalse();
    }

    @Test
    void a_server_tells_pods_the_address_it_listens_at() {
        ApiServerConfig config = server(
                        "--bind",
                        "192.168.1.10:6443",
                        "--service-cidr",
                        "10.0.0.0/24,fd00::/112",
                        "--node-port-range",
                        "31000-31010",
                        "--strict-names")
                .config();
        assertThat(config.advertised()).containsExactly(IpPort.parse("192.168.1.10:6443"));
        assertThat(config.addresses().services()).containsExactly(Cidr.parse("10.0.0.0/24"), Cidr.parse("fd00::/112"));
        assertThat(config.addresses().nodePorts()).isEqualTo(new PortRange(31000, 31010));
        assertThat(config.policy().strictNames()).isTrue();
        assertThat(server("--bind", "0.0.0.0:6443").config().advertised()).isEmpty();
    }

    @Test
    void a_slice_has_a_hundred_endpoints_or_as_many_as_the_operator_says_up_to_a_thousand() {
        assertThat(server().controllers().sliceSize()).isEqualTo(100);
        assertThat(server("--max-endpoints-per-slice", "1000").controllers().sliceSize())
                .isEqualTo(1000);
        for (String wrong : List.of("0", "1001")) {
            assertThatThrownBy(() -> server("--max-endpoints-per-slice", wrong).controllers())
                    .hasMessage("error: max-endpoints-per-slice: must be from 1 to 1000, not " + wrong);
        }
    }

    @Test
    void clients_on_this_machine_reach_a_server_that_listens_everywhere() {
        assertThat(ServerCommand.reached(IpPort.parse("0.0.0.0:6443"))).hasToString("127.0.0.1:6443");
        assertThat(ServerCommand.reached(IpPort.parse("[::]:6443"))).hasToString("[::1]:6443");
        assertThat(ServerCommand.reached(IpPort.parse("192.168.1.10:6443"))).hasToString("192.168.1.10:6443");
    }

    @Test
    void the_store_is_a_file_in_the_directory_or_the_one_that_is_named() {
        assertThat(ServerCommand.location(Path.of("/dir"), ""))
                .isEqualTo(new StoreLocation.Sqlite(Path.of("/dir/store.db")));
        assertThat(ServerCommand.location(Path.of("/dir"), "sqlite:/x/y.db"))
                .isEqualTo(new StoreLocation.Sqlite(Path.of("/x/y.db")));
        assertThatThrownBy(() -> ServerCommand.location(Path.of("/dir"), "redis:x"))
                .hasMessageStartingWith("error: --store: \"redis:x\" is no store");
    }

    @Test
    void the_error_for_a_wrong_address_names_its_option() {
        assertThatThrownBy(() -> server("--bind", "localhost"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("--bind")
                .hasMessageContaining("localhost");
        assertThatThrownBy(() -> server("--node-port-range", "40000"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("--node-port-range");
        assertThatThrownBy(() -> server("--service-cidr", "10.96.0.0/99"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("--service-cidr");
        assertThatThrownBy(() ->
                        server("--service-cidr", "10.96.0.0/16,10.97.0.0/16").config())
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("service CIDRs");
    }

    @Test
    void pools_of_load_balancer_addresses_keep_away_from_the_cluster_addresses() {
        assertThat(server().pools().pools()).isEmpty();
        assertThat(server(
                                "--load-balancer-pool",
                                "a=192.0.2.1-192.0.2.9,fd00::/120",
                                "--load-balancer-pool",
                                "b=192.0.2.16/28")
                        .pools()
                        .pools())
                .extracting("name")
                .containsExactly("a", "b");
        assertThatThrownBy(
                        () -> server("--load-balancer-pool", "a=10.96.0.0/24").pools())
                .isInstanceOf(CommandException.class)
                .hasMessage("error: --load-balancer-pool: 10.96.0.1-10.96.0.254 of pool a overlaps 10.96.0.0/16,"
                        + " which is for the cluster addresses of Services");
    }

    @Test
    void a_proxy_answers_where_kube_proxy_does() {
        ProxyConfig config = node("--name", "n1").proxy();
        assertThat(config.mode()).isEqualTo("nftables");
        assertThat(config.node().name()).isEqualTo("n1");
        assertThat(config.healthAddress()).contains(IpPort.parse("0.0.0.0:10256"));
        assertThat(config.metricsAddress()).contains(IpPort.parse("127.0.0.1:10249"));
        assertThat(node().name()).as("the host's name").isNotEmpty();
    }

    @Test
    void a_node_names_its_namespaces_after_itself() {
        NodeConfig config = nodeConfig("--name", "n1", "--node-ip", "10.0.0.1,fd00::1", "--pod-cidr", "10.244.1.0/24");
        assertThat(config.addresses()).containsExactly(Ip.parse("10.0.0.1"), Ip.parse("fd00::1"));
        assertThat(config.podCidrs()).isEqualTo(List.of(Cidr.parse("10.244.1.0/24")));
        assertThat(config.namespacePrefix()).isEqualTo("fl-n1");
        assertThat(nodeConfig(
                                "--name",
                                "n1",
                                "--node-ip",
                                "10.0.0.1",
                                "--pod-cidr",
                                "10.244.1.0/24",
                                "--name-prefix",
                                "x-1")
                        .namespacePrefix())
                .isEqualTo("x-1");
    }

    @Test
    void a_node_is_lost_after_ten_seconds_and_has_the_blocks_that_it_is_given() {
        NodeConfig config =
                nodeConfig("--name", "n1", "--node-ip", "10.0.0.1", "--zone", "a", "--node-labels", "disk=ssd");
        assertThat(config.podCidrs()).isEmpty();
        assertThat(config.settings().leaseDuration()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.labels())
                .containsOnly(
                        Map.entry("topology.kubernetes.io/zone", "a"),
                        Map.entry("disk", "ssd"),
                        Map.entry("fairlead.io/dns", "true"));
    }

    @Test
    void a_node_with_two_blocks_of_one_family_is_refused() {
        assertThatThrownBy(() ->
                        nodeConfig("--name", "n", "--node-ip", "10.0.0.1", "--pod-cidr", "10.1.0.0/24,10.2.0.0/24"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("10.2.0.0/24");
    }

    private static ServerCommand server(String... args) {
        return parsed(new ServerCommand(new Main()), args);
    }

    private static NodeOptions node(String... args) {
        return parsed(new NodeOptions(), args);
    }

    private static NodeConfig nodeConfig(String... args) {
        CommandLine line = NodeCommand.of(new Main());
        line.parseArgs(args);
        return ((NodeCommand) line.getCommand()).config();
    }

    private static <T> T parsed(T command, String... args) {
        new CommandLine(command).parseArgs(args);
        return command;
    }
}
