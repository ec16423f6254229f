package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fairlead.api.IpPort;
import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Kubeconfig;
import io.fairlead.kubectl.Cluster;
import io.fairlead.kubectl.CommandException;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.sync.KubeProxyConfiguration;
import io.fairlead.sync.ProxyConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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

    /// Of kube-proxy 1.36, as its help shows them; in the last line those that are deprecated, or were in its help by
    /// accident.
    private static final List<String> ALL_FLAGS = List.of(
            "--bind-address=0.0.0.0 --bind-address-hard-fail --cleanup=false --cluster-cidr=10.0.0.0/8",
            "--config-sync-period=15m0s --conntrack-max-per-core=1 --conntrack-min=1 --conntrack-tcp-be-liberal=1",
            "--conntrack-tcp-timeout-close-wait=1h --conntrack-tcp-timeout-established=24h --conntrack-udp-timeout=30s",
            "--conntrack-udp-timeout-stream=500ms --detect-local-mode=ClusterCIDR --feature-gates=A=true,B=false",
            "--healthz-bind-address=0.0.0.0:10256 --hostname-override=n --init-only=false",
            "--iptables-localhost-nodeports=true --iptables-masquerade-bit=14 --iptables-min-sync-period=1s",
            "--iptables-sync-period=30s --ipvs-exclude-cidrs=10.0.0.0/8 --ipvs-min-sync-period=0 --ipvs-scheduler=rr",
            "--ipvs-strict-arp --ipvs-sync-period=30s --ipvs-tcp-timeout=0 --ipvs-tcpfin-timeout=0"
                    + " --ipvs-udp-timeout=0",
            "--kube-api-burst=10 --kube-api-content-type=x --kube-api-qps=5 --log-flush-frequency=5s",
            "--log-json-info-buffer-size=0 --log-json-split-stream --log-text-info-buffer-size=0",
            "--log-text-split-stream=false --logging-format=text --masquerade-all=T --master=https://a:6443",
            "--metrics-bind-address=127.0.0.1:10249 --nodeport-addresses=primary --oom-score-adj=-999",
            "--pod-bridge-interface=b --pod-interface-name-prefix=p --profiling --proxy-mode=nftables",
            "--show-hidden-metrics-for-version=1.35 --v=4 --version=false --vmodule=a=1",
            "--healthz-port=10256 --metrics-port=10249 --proxy-port-range=0-0 --machine-id-file=m --boot-id-file=b");

    @Test
    void every_flag_of_kube_proxy_is_taken_and_those_without_meaning_are_named() {
        List<String> all = ALL_FLAGS.stream()
                .flatMap(line -> Stream.of(line.split(" ", -1)))
                .toList();
        KubeProxyConfiguration configuration = parsed(all.toArray(String[]::new));
        assertThat(configuration.mode()).isEqualTo("nftables");
        assertThat(configuration.unused()).contains("featureGates.A");
        assertThat(ProxyFlags.unused(all))
                .contains("--v", "--vmodule", "--profiling", "--ipvs-min-sync-period", "--kube-api-qps")
                .doesNotContain("--proxy-mode", "--master", "--ipvs-strict-arp", "--ipvs-exclude-cidrs");
    }

    @Test
    void of_a_flag_that_is_given_twice_the_last_counts() {
        assertThat(parsed("--proxy-mode=iptables", "--proxy-mode=nftables").mode())
                .isEqualTo("nftables");
        assertThat(parsed("--v=1", "-v", "4").unused()).isEmpty();
        CommandLine main = Main.commandLine("proxy");
        main.parseArgs("proxy", "--proxy-mode=iptables", "--proxy-mode=nftables");
    }

    @Test
    void masquerade_by_flag_is_for_both_modes_and_above_the_file() throws IOException {
        Path file = Files.writeString(
                folder.resolve("config"),
                "{iptables: {masqueradeBit: 9}, nftables: {masqueradeBit: 9, masqueradeAll: true}}");
        KubeProxyConfiguration configuration =
                parsed("--config=" + file, "--masquerade-all=0", "--iptables-masquerade-bit=12");
        for (String mode : List.of("iptables", "nftables")) {
            var node = configuration.proxy("n", mode).node();
            assertThat(node.masqueradeAll()).isFalse();
            assertThat(node.masqueradeBit()).isEqualTo(12);
        }
    }

    @Test
    void what_cannot_be_done_is_refused_by_the_name_of_the_flag() {
        assertThatThrownBy(() -> parsed("--healthz-port=70000")).hasMessageContaining("--healthz-port");
        assertThatThrownBy(() -> parsed("--masquerade-all=yes")).hasMessageContaining("--masquerade-all");
        assertThatThrownBy(() -> parsed("--metrics-bind-address=here")).hasMessageContaining("metricsBindAddress");
        assertThatThrownBy(() -> parsed("--feature-gates=A")).hasMessageContaining("--feature-gates");
    }

    @Test
    void an_empty_address_or_port_0_switches_a_server_off() {
        ProxyConfig off = parsed("--metrics-bind-address=", "--healthz-port=0").proxy("n", "nftables");
        assertThat(off.metricsAddress()).isEmpty();
        assertThat(off.healthAddress()).isEmpty();
    }

    @Test
    void a_port_of_its_own_is_for_an_address_that_names_none() {
        ProxyConfig config = parsed("--metrics-bind-address=0.0.0.0", "--metrics-port=9000", "--healthz-port=9001")
                .proxy("n", "nftables");
        assertThat(config.metricsAddress()).contains(IpPort.parse("0.0.0.0:9000"));
        assertThat(config.healthAddress()).contains(ProxyConfig.DEFAULT_HEALTH_ADDRESS);
    }

    @Test
    void the_file_that_is_written_has_the_servers_off_too() throws IOException {
        Path target = folder.resolve("written");
        run(0, "proxy", "--metrics-bind-address=", "--write-config-to=" + target);
        ProxyConfig config = parsed("--config=" + target).proxy("n", "nftables");
        assertThat(config.metricsAddress()).isEmpty();
        assertThat(config.healthAddress()).isPresent();
    }

    @Test
    void the_api_server_can_be_named_above_what_the_kubeconfig_says() throws Exception {
        Path kubeconfig = folder.resolve("kubeconfig");
        Kubeconfig.write(kubeconfig, ClusterAccess.of(URI.create("http://127.0.0.1:1")));
        Latest<String> asked = new Latest<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.offer(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        server.start();
        try (TaskGroup tasks = new TaskGroup("test")) {
            String master = "--master=http://127.0.0.1:" + server.getAddress().getPort();
            tasks.run(
                    "proxy",
                    () -> Main.commandLine("proxy")
                            .execute(
                                    "proxy",
                                    master,
                                    "--kubeconfig=" + kubeconfig,
                                    "--hostname-override=Node-A",
                                    "--proxy-mode=nftables",
                                    "--detect-local-mode=NodeCIDR"));
            assertThat(asked.take()).isEqualTo("/api/v1/nodes/node-a");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void an_api_server_that_is_no_address_is_refused_by_the_name_of_the_flag() {
        assertThat(run(1, "proxy", "--proxy-mode=nftables", "--master=http://["))
                .contains("error: --master");
    }

    private static String run(int exit, String... args) {
        StringWriter out = new StringWriter();
        CommandLine line = Main.commandLine(args);
        assertThat(line.setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(out))
                        .execute(args))
                .as(out.toString())
                .isEqualTo(exit);
        return out.toString();
    }

    @Test
    void what_it_would_run_with_can_be_written() throws IOException {
        Path target = folder.resolve("written");
        run(0, "proxy", "--proxy-mode=iptables", "--write-config-to=" + target);
        assertThat(target).content().contains("kind: KubeProxyConfiguration", "mode: iptables");
        assertThat(parsed("--config=" + target).mode()).isEqualTo("iptables");
    }

    @Test
    void the_version_can_be_asked_for() {
        assertThat(run(0, "proxy", "--version")).startsWith("fairlead ");
    }

    @Test
    void the_kubeconfig_of_the_file_counts_where_none_is_named() throws IOException {
        Path kubeconfig = folder.resolve("kubeconfig");
        Kubeconfig.write(kubeconfig, ClusterAccess.of(URI.create("https://mine:6443")));
        Path config = Files.writeString(
                folder.resolve("config"), "{clientConnection: {kubeconfig: %s}}".formatted(kubeconfig));
        Cluster nothing = new Cluster(folder, List.of(), Map.of());
        assertThat(ProxyCommand.access(parsed("--config=" + config), nothing))
                .hasValueSatisfying(access -> assertThat(access.server()).hasToString("https://mine:6443"));
        assertThat(ProxyCommand.access(parsed(), nothing)).isEmpty();
        Cluster other = new Cluster(folder, List.of(), Map.of(), "other");
        assertThatThrownBy(() -> ProxyCommand.access(parsed("--config=" + config), other))
                .hasMessageContaining("context: contexts has no item named \"other\"");
        Map<String, String> pod = Map.of("KUBERNETES_SERVICE_HOST", "10.96.0.1", "KUBERNETES_SERVICE_PORT", "443");
        assertThatThrownBy(() -> ProxyCommand.access(parsed(), new Cluster(folder, List.of(), pod, "other")))
                .hasMessageContaining("context: contexts has no item named \"other\"");
    }
}
