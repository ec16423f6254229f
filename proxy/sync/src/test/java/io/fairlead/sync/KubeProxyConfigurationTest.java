package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Problem;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.NodePortAddresses;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.ipvs.IpvsOptions;
import io.fairlead.ipvs.IpvsTimeouts;
import io.fairlead.yaml.Yaml;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KubeProxyConfigurationTest {
    // As kubeadm writes it.
    private static final String KUBEADM = """
        apiVersion: kubeproxy.config.k8s.io/v1alpha1
        kind: KubeProxyConfiguration
        bindAddress: 0.0.0.0
        bindAddressHardFail: false
        clientConnection:
          acceptContentTypes: ""
          burst: 0
          contentType: ""
          kubeconfig: /var/lib/kube-proxy/kubeconfig.conf
          qps: 0
        clusterCIDR: 10.244.0.0/16,fd00:10:244::/56
        configSyncPeriod: 0s
        conntrack:
          maxPerCore: null
          min: null
          tcpBeLiberal: false
          tcpCloseWaitTimeout: null
          tcpEstablishedTimeout: 2h30m
          udpStreamTimeout: 0s
          udpTimeout: 0s
        detectLocal: {bridgeInterface: "", interfaceNamePrefix: ""}
        detectLocalMode: ""
        enableProfiling: false
        healthzBindAddress: ""
        hostnameOverride: ""
        iptables:
          localhostNodePorts: null
          masqueradeAll: false
          masqueradeBit: null
          minSyncPeriod: 0s
          syncPeriod: 0s
        ipvs: {excludeCIDRs: null, minSyncPeriod: 0s, scheduler: "", strictARP: false, syncPeriod: 0s,
               tcpFinTimeout: 0s, tcpTimeout: 0s, udpTimeout: 0s}
        logging: {flushFrequency: 0}
        metricsBindAddress: ""
        mode: nftables
        nftables: {masqueradeAll: true, masqueradeBit: 10, minSyncPeriod: 0s, syncPeriod: 0s}
        nodePortAddresses: [192.0.2.0/24]
        oomScoreAdj: null
        portRange: ""
        udpIdleTimeout: 0s
        showHiddenMetricsForVersion: ""
        winkernel: {enableDSR: false}
        """;

    private static KubeProxyConfiguration read(String yaml) {
        return new KubeProxyConfiguration(Yaml.parseAll(yaml).getFirst());
    }

    private static List<String> problems(String yaml) {
        return read(yaml).problems().stream().map(Problem::toString).toList();
    }

    @Test
    void what_kubeadm_writes_is_understood() {
        KubeProxyConfiguration configuration = read(KUBEADM);
        assertThat(configuration.problems()).isEmpty();
        assertThat(configuration.kubeconfig()).isEqualTo("/var/lib/kube-proxy/kubeconfig.conf");
        assertThat(configuration.conntrack().values(2))
                .containsEntry("nf_conntrack_max", 131_072L)
                .containsEntry("nf_conntrack_tcp_timeout_established", 9_000L)
                .containsEntry("nf_conntrack_tcp_timeout_close_wait", 3_600L)
                .doesNotContainKeys("nf_conntrack_udp_timeout", "nf_conntrack_tcp_be_liberal");
        ProxyConfig proxy = configuration.proxy("node-a", configuration.mode());
        assertThat(proxy.mode()).isEqualTo("nftables");
        assertThat(proxy.healthAddress()).contains(ProxyConfig.DEFAULT_HEALTH_ADDRESS);
        assertThat(proxy.metricsAddress()).contains(ProxyConfig.DEFAULT_METRICS_ADDRESS);
        NodeFacts node = proxy.node();
        assertThat(node.pods())
                .isEqualTo(
                        new LocalPods.Networks(List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00:10:244::/56"))));
        assertThat(node.masqueradeAll()).isTrue();
        assertThat(node.masqueradeBit()).isEqualTo(10);
        assertThat(node.nodePortAddresses())
                .isEqualTo(new NodePortAddresses.Within(List.of(Cidr.parse("192.0.2.0/24"))));
    }

    @Test
    void the_scheduler_of_ipvs_is_that_of_the_node() {
        assertThat(read("{ipvs: {scheduler: wlc}}")
                        .proxy("node-a", "ipvs")
                        .node()
                        .scheduler())
                .isEqualTo(Scheduler.WLC);
        assertProblem("{ipvs: {scheduler: best}}", "ipvs.scheduler", "must be the name of a scheduler of IPVS");
    }

    @Test
    void the_mode_ipvs_is_set_up_as_its_section_and_ours_say() {
        IpvsOptions options = read("""
            ipvs: {excludeCIDRs: [10.1.0.0/16, "fd00::/64"], strictARP: true, syncPeriod: 5s, tcpTimeout: 2h,
              tcpFinTimeout: 30s, udpTimeout: 1m}
            fairlead: {vipDevice: flannel.1, vipPrefix: 24, drainTimeout: 90s}
            """).proxy("node-a", "ipvs").options().ipvs();
        assertThat(options)
                .isEqualTo(IpvsOptions.DEFAULT
                        .withExcluded(List.of(Cidr.parse("10.1.0.0/16"), Cidr.parse("fd00::/64")))
                        .withStrictArp(true)
                        .withCompare(Duration.ofSeconds(5))
                        .withTimeouts(
                                new IpvsTimeouts(Duration.ofHours(2), Duration.ofSeconds(30), Duration.ofMinutes(1)))
                        .withDevice("flannel.1", 24)
                        .withDrain(Duration.ofSeconds(90)));
        assertThat(read("{ipvs: {syncPeriod: 0s}}")
                        .proxy("node-a", "ipvs")
                        .options()
                        .ipvs())
                .isEqualTo(IpvsOptions.DEFAULT);
        assertProblem("{ipvs: {excludeCIDRs: [ten]}}", "ipvs.excludeCIDRs", "must be a CIDR");
        assertProblem("{fairlead: {vipPrefix: 0}}", "fairlead.vipPrefix", "must be from 1 to 128");
        assertProblem("{fairlead: {vipDevice: a/b}}", "fairlead.vipDevice", "must be the name of a network device");
        assertProblem("{fairlead: {moon: 1}}", "fairlead.moon", "unknown field");
    }

    @Test
    void what_means_nothing_here_is_named() {
        assertThat(read("{ipvs: {minSyncPeriod: 1s}, clientConnection: {qps: 5}, oomScoreAdj: 1}")
                        .unused())
                .containsExactly("clientConnection.qps", "ipvs.minSyncPeriod", "oomScoreAdj");
    }

    @Test
    void an_unknown_field_is_refused_by_its_name() {
        assertThat(problems("{clusterCidr: 10.0.0.0/8, iptables: {masqueradeall: true}}"))
                .hasSize(2)
                .anySatisfy(problem -> assertThat(problem).contains("clusterCidr", "unknown field"))
                .anySatisfy(problem -> assertThat(problem).contains("iptables.masqueradeall", "unknown field"));
    }

    @Test
    void bad_values_are_refused_with_the_rule() {
        assertThat(problems("{mode: ipfw}")).singleElement().asString().contains("mode", "ipfw", "nftables");
        assertThat(problems("{clusterCIDR: 10.0.0.0}"))
                .singleElement()
                .asString()
                .contains("clusterCIDR", "CIDR");
        assertThat(problems("{nodePortAddresses: [everywhere]}"))
                .singleElement()
                .asString()
                .contains("must be a CIDR, primary, localhost or all");
        assertThat(problems("{healthzBindAddress: here}"))
                .singleElement()
                .asString()
                .contains("ADDRESS:PORT");
        assertThat(problems("{detectLocalMode: BridgeInterface}"))
                .singleElement()
                .asString()
                .contains("detectLocal.bridgeInterface", "Required");
        assertThat(problems("{conntrack: {udpTimeout: soon}}"))
                .singleElement()
                .asString()
                .contains("conntrack.udpTimeout", "duration");
        assertThat(problems("{apiVersion: v1, kind: Pod}")).hasSize(2);
    }

    @Test
    void a_bridge_or_an_interface_tells_who_is_a_pod() {
        assertThat(read("{detectLocalMode: BridgeInterface, detectLocal: {bridgeInterface: cni0}}")
                        .proxy("n", "nftables")
                        .node()
                        .pods())
                .isEqualTo(new LocalPods.Bridge("cni0"));
        assertThat(read("{detectLocalMode: InterfaceNamePrefix, detectLocal: {interfaceNamePrefix: veth}}")
                        .proxy("n", "nftables")
                        .node()
                        .pods())
                .isEqualTo(new LocalPods.InterfacePrefix("veth"));
        assertThat(read("{detectLocalMode: NodeCIDR, clusterCIDR: 10.0.0.0/8}").detectsByNode())
                .isTrue();
    }

    @Test
    void an_address_alone_keeps_the_usual_port() {
        assertThat(read("{healthzBindAddress: 127.0.0.1}")
                        .proxy("n", "nftables")
                        .healthAddress())
                .contains(IpPort.parse("127.0.0.1:10256"));
        assertThat(read("{metricsBindAddress: \"fd00::1:2\"}")
                        .proxy("n", "nftables")
                        .metricsAddress())
                .contains(IpPort.parse("[fd00::1:2]:10249"));
        assertThat(read("{}").mode()).isEqualTo("auto");
    }

    @Test
    void a_server_that_there_shall_not_be_has_no_address() {
        ProxyConfig proxy =
                read("{healthzBindAddress: none, metricsBindAddress: none}").proxy("n", "nftables");
        assertThat(proxy.healthAddress()).isEmpty();
        assertThat(proxy.metricsAddress()).isEmpty();
        assertThat(new KubeProxyConfiguration(ConfigzText.tree(proxy)).proxy("n", "nftables"))
                .isEqualTo(proxy);
    }

    @Test
    void the_servers_of_a_node_with_an_ipv6_address_are_there_by_default() {
        ProxyConfig proxy = read("{bindAddress: \"::\"}").proxy("n", "nftables");
        assertThat(proxy.healthAddress()).contains(IpPort.parse("[::]:10256"));
        assertThat(proxy.metricsAddress()).contains(IpPort.parse("[::1]:10249"));
    }

    @Test
    void external_ips_are_not_heard_of_where_the_gate_is_shut() {
        KubeProxyConfiguration shut = read("{featureGates: {AllowServiceExternalIPs: false, Other: true}}");
        assertThat(shut.problems()).isEmpty();
        assertThat(shut.unused()).containsExactly("featureGates.Other");
        Service web = Service.of(Yaml.parseAll("""
            metadata: {namespace: default, name: web}
            spec: {clusterIP: 10.96.0.10, externalIPs: [192.0.2.1], ports: [{port: 80}]}
            """).getFirst());
        assertThat(frontends(web, shut)).containsExactly("10.96.0.10:80/tcp");
        assertThat(frontends(web, read("{}"))).containsExactly("10.96.0.10:80/tcp", "external:192.0.2.1:80/tcp");
        assertThat(shut.excerpt().unread()).contains("externalIPs", "targetRef");
    }

    private static List<String> frontends(Service service, KubeProxyConfiguration configuration) {
        KubernetesObject kept = configuration.excerpt().of().apply(service);
        NodeFacts node = configuration.proxy("n", "nftables").node();
        return ForwardingTable.of(Snapshot.EMPTY.with(kept), node)
                .text()
                .lines()
                .filter(line -> line.contains("/tcp"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }

    @Test
    void the_table_of_connections_has_a_floor_and_a_ceiling() {
        ConntrackSettings settings = read("{}").conntrack();
        assertThat(settings.max(1)).isEqualTo(131_072);
        assertThat(settings.max(8)).isEqualTo(262_144);
        assertThat(settings.max(128)).isEqualTo(1_048_576);
        assertThat(read("{conntrack: {maxPerCore: 0}}").conntrack().max(8)).isZero();
    }

    @Test
    void a_value_of_the_wrong_type_is_refused_by_the_name_of_its_field() {
        assertProblem("{iptables: foo}", "iptables: Invalid value: \"foo\": must be an object");
        assertProblem("{nftables: {masqueradeAll: \"yes\"}}", "nftables.masqueradeAll", "true or false");
        assertProblem("{iptables: {syncPeriod: banana}}", "iptables.syncPeriod", "must be a duration");
        assertProblem("{ipvs: {syncPeriod: 30}}", "ipvs.syncPeriod", "must be a duration");
        assertProblem("{conntrack: {min: many}}", "conntrack.min", "whole number");
        assertProblem("{mode: [nftables]}", "mode", "must be a text");
        assertProblem("{nodePortAddresses: [1]}", "nodePortAddresses", "list of texts");
        assertProblem("{bindAddress: here}", "bindAddress", "IP address");
        assertProblem("{featureGates: {A: \"false\"}}", "featureGates.A", "must be true or false");
    }

    private static void assertProblem(String yaml, String... words) {
        assertThat(problems(yaml)).singleElement().asString().contains(words);
    }

    @Test
    void masquerade_is_as_the_section_of_the_mode_says() {
        KubeProxyConfiguration configuration =
                read("{iptables: {masqueradeAll: true, masqueradeBit: 10}, nftables: {masqueradeBit: 11}}");
        NodeFacts iptables = configuration.proxy("n", "iptables").node();
        assertThat(iptables.masqueradeAll()).isTrue();
        assertThat(iptables.masqueradeBit()).isEqualTo(10);
        NodeFacts nftables = configuration.proxy("n", "nftables").node();
        assertThat(nftables.masqueradeAll()).isFalse();
        assertThat(nftables.masqueradeBit()).isEqualTo(11);
    }

    @Test
    void node_ports_answer_at_the_primary_addresses_unless_it_says_where() {
        assertThat(nodePorts("{}")).isEqualTo(new NodePortAddresses.Primary());
        assertThat(nodePorts("{nodePortAddresses: []}")).isEqualTo(new NodePortAddresses.Primary());
        assertThat(nodePorts("{nodePortAddresses: [0.0.0.0/0, \"::/0\"]}")).isEqualTo(new NodePortAddresses.All());
    }

    @Test
    void node_ports_answer_where_the_words_and_the_networks_say_together() {
        assertThat(nodePorts("{nodePortAddresses: [all]}")).isEqualTo(new NodePortAddresses.All());
        assertThat(nodePorts("{nodePortAddresses: [primary, 192.0.2.0/24, all]}"))
                .isEqualTo(new NodePortAddresses.All());
        assertThat(nodePorts("{nodePortAddresses: [primary, localhost]}"))
                .isEqualTo(new NodePortAddresses.PrimaryAnd(NodePortAddresses.LOOPBACK));
        assertThat(nodePorts("{nodePortAddresses: [localhost]}"))
                .isEqualTo(new NodePortAddresses.Within(NodePortAddresses.LOOPBACK));
    }

    @Test
    void localhost_answers_in_the_mode_iptables_unless_it_is_shut_there() {
        KubeProxyConfiguration words = read("{nodePortAddresses: [primary, localhost]}");
        assertThat(words.proxy("n", "iptables").answersAtLocalhost()).isTrue();
        assertThat(words.proxy("n", "iptables").missesLocalhost()).isFalse();
        assertThat(words.proxy("n", "nftables").answersAtLocalhost()).isFalse();
        assertThat(words.proxy("n", "nftables").missesLocalhost()).isTrue();
        assertThat(read("{nodePortAddresses: [all]}").proxy("n", "nftables").missesLocalhost())
                .as("it was not asked for")
                .isFalse();
        assertThat(read("{nodePortAddresses: [primary]}").proxy("n", "iptables").answersAtLocalhost())
                .isFalse();
        assertThat(read("{nodePortAddresses: [all], iptables: {localhostNodePorts: false}}")
                        .proxy("n", "iptables")
                        .answersAtLocalhost())
                .isFalse();
    }

    private static NodePortAddresses nodePorts(String yaml) {
        return read(yaml).proxy("n", "nftables").node().nodePortAddresses();
    }

    @Test
    void the_bind_address_is_the_nodes_own_where_it_is_one() {
        assertThat(read("{bindAddress: 192.0.2.7}")
                        .proxy("n", "nftables")
                        .node()
                        .addresses())
                .containsExactly(Ip.parse("192.0.2.7"));
        assertThat(read("{bindAddress: \"::\"}").proxy("n", "nftables").node().addresses())
                .isEmpty();
    }
}
