package io.fairlead.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.AddressTraits;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.NodePortAddresses;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Packet.Entrance;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Sources;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Trace;
import io.fairlead.forwarding.Trace.Delivery;
import io.fairlead.forwarding.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Rows that scenarios seldom have, each traced through the rules.
final class PortEntriesTest {
    private static final Ip OWN = Ip.parse("10.210.0.11");
    private static final Ip SECOND_OWN = Ip.parse("192.168.7.11");
    private static final Ip POD = Ip.parse("10.244.1.9");
    private static final Ip OUTSIDE = Ip.parse("198.51.100.10");
    private static final IpPort VIP = IpPort.parse("10.96.0.10:80");
    private static final IpPort BALANCER = IpPort.parse("203.0.113.5:80");
    private static final IpPort NODE_PORT = new IpPort(OWN, 30080);
    private static final NodeFacts NODE = NodeFacts.of("node-a", List.of(Cidr.parse("10.244.0.0/16")))
            .withAddresses(List.of(OWN))
            .withServiceNetworks(List.of(Cidr.parse("10.96.0.0/16")));
    private static final Target LOCAL = new Target(IpPort.parse("10.244.1.2:8080"), true);
    private static final Target REMOTE = new Target(IpPort.parse("10.244.2.2:8080"), false);
    private static final Verdict EVERYWHERE = new Verdict.SendTo(List.of(LOCAL, REMOTE));
    private static final Verdict HERE = new Verdict.SendTo(List.of(LOCAL));

    @Test
    void under_the_local_policy_outsiders_stay_on_the_node_and_insiders_reach_all() {
        Program<IptablesEntry> program = program(
                row(vip(), EVERYWHERE, Masquerade.OFF_CLUSTER),
                row(nodePort(), HERE, Masquerade.FROM_NODE).withInside(EVERYWHERE),
                row(balancer(), HERE, Masquerade.FROM_NODE).withInside(EVERYWHERE));
        for (IpPort frontend : List.of(NODE_PORT, BALANCER)) {
            assertThat(trace(program, packet(OUTSIDE, frontend))).isEqualTo(to(false, LOCAL));
            assertThat(trace(program, packet(POD, frontend))).isEqualTo(to(false, LOCAL, REMOTE));
            assertThat(trace(program, ofNode(frontend))).isEqualTo(to(true, LOCAL, REMOTE));
        }
        assertThat(chains(program)).contains("KUBE-SVC-" + hash(), "KUBE-SVL-" + hash(), "KUBE-EXT-" + hash());
    }

    @Test
    void under_the_local_policy_without_a_pod_here_outsiders_hear_nothing() {
        Program<IptablesEntry> program = program(
                row(nodePort(), new Verdict.Drop(), Masquerade.FROM_NODE).withInside(EVERYWHERE),
                row(external(), new Verdict.Drop(), Masquerade.FROM_NODE).withInside(EVERYWHERE));
        for (IpPort frontend : List.of(NODE_PORT, BALANCER)) {
            assertThat(trace(program, packet(OUTSIDE, frontend))).isEqualTo(new Trace.Dropped());
            assertThat(trace(program, packet(POD, frontend))).isEqualTo(to(false, LOCAL, REMOTE));
            assertThat(trace(program, ofNode(frontend))).isEqualTo(to(true, LOCAL, REMOTE));
        }
    }

    @Test
    void a_cluster_ip_that_stays_on_the_node_has_a_chain_of_its_own_beside_that_of_outsiders() {
        Program<IptablesEntry> program =
                program(row(vip(), HERE, Masquerade.OFF_CLUSTER), row(nodePort(), EVERYWHERE, Masquerade.ALWAYS));
        assertThat(trace(program, packet(POD, VIP))).isEqualTo(to(false, LOCAL));
        assertThat(trace(program, packet(OUTSIDE, NODE_PORT))).isEqualTo(to(true, LOCAL, REMOTE));
        assertThat(chains(program)).contains("KUBE-SVC-" + hash(), "KUBE-SVL-" + hash());
    }

    @Test
    void tersely_only_the_rules_of_endpoints_have_no_comment_and_all_lead_where_they_led() {
        Affinity affinity = new Affinity.ClientIp(Duration.ofHours(3));
        List<Forwarding> rows = List.of(
                row(vip(), EVERYWHERE, Masquerade.OFF_CLUSTER).withAffinity(affinity),
                row(nodePort(), EVERYWHERE, Masquerade.ALWAYS).withAffinity(affinity));
        IptablesCompiler compiler = new IptablesCompiler(NODE, Traits.USUAL);
        Program<IptablesEntry> full = Program.of(compiler.entries(rows, Comments.ALL));
        Program<IptablesEntry> terse = Program.of(compiler.entries(rows, Comments.OF_FRONTENDS));
        assertThat(full.text().lines().filter(line -> line.contains("KUBE-SEP-") && line.contains("-j")))
                .hasSize(8)
                .allSatisfy(line -> assertThat(line).contains("--comment"));
        assertThat(terse.text()).isEqualTo(withoutCommentsOfEndpoints(full.text()));
    }

    private static String withoutCommentsOfEndpoints(String text) {
        return text.lines()
                .map(line ->
                        line.contains("KUBE-SEP-") ? line.replaceAll("-m comment --comment \"[^\"]*\" ", "") : line)
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    @Test
    void only_the_allowed_sources_pass_to_a_load_balancer_address() {
        Program<IptablesEntry> program = program(row(balancer(), EVERYWHERE, Masquerade.ALWAYS)
                .withSources(new Sources(List.of(Cidr.parse("198.51.100.0/24"), Cidr.parse("10.210.0.0/16")))));
        assertThat(trace(program, packet(OUTSIDE, BALANCER))).isEqualTo(to(true, LOCAL, REMOTE));
        assertThat(trace(program, ofNode(BALANCER))).isEqualTo(to(true, LOCAL, REMOTE));
        assertThat(trace(program, packet(POD, BALANCER))).isEqualTo(new Trace.Dropped());
        assertThat(trace(program, packet(POD, IpPort.parse("203.0.113.5:81")))).isEqualTo(new Trace.Untouched());
        assertThat(chains(program)).contains("KUBE-FW-" + hash());
    }

    @Test
    void without_endpoints_only_the_allowed_sources_are_refused() {
        Program<IptablesEntry> program = program(row(balancer(), new Verdict.Reject(), Masquerade.ALWAYS)
                .withSources(new Sources(List.of(Cidr.parse("198.51.100.0/24")))));
        assertThat(trace(program, packet(OUTSIDE, BALANCER))).isEqualTo(new Trace.Refused());
        assertThat(trace(program, packet(POD, BALANCER))).isEqualTo(new Trace.Dropped());
    }

    @Test
    void frontends_without_endpoints_refuse() {
        Verdict reject = new Verdict.Reject();
        Program<IptablesEntry> program = program(
                row(vip(), reject, Masquerade.OFF_CLUSTER),
                row(nodePort(), reject, Masquerade.ALWAYS),
                row(external(), reject, Masquerade.ALWAYS));
        for (IpPort frontend : List.of(VIP, NODE_PORT, BALANCER)) {
            assertThat(trace(program, packet(OUTSIDE, frontend))).isEqualTo(new Trace.Refused());
            assertThat(trace(program, ofNode(frontend))).isEqualTo(new Trace.Refused());
        }
    }

    @Test
    void a_cluster_ip_without_a_pod_here_drops_and_its_other_ports_refuse() {
        Program<IptablesEntry> program = program(row(vip(), new Verdict.Drop(), Masquerade.OFF_CLUSTER));
        assertThat(trace(program, packet(POD, VIP))).isEqualTo(new Trace.Dropped());
        assertThat(trace(program, packet(POD, new IpPort(VIP.ip(), 81)))).isEqualTo(new Trace.Refused());
        assertThat(trace(program, ofNode(new IpPort(VIP.ip(), 81)))).isEqualTo(new Trace.Refused());
        assertThat(trace(program, new Packet(POD, VIP, Protocol.UDP, Entrance.INTERFACE)))
                .isEqualTo(new Trace.Refused());
    }

    @Test
    void an_address_that_no_service_has_says_nothing() {
        Program<IptablesEntry> program = program(row(vip(), EVERYWHERE, Masquerade.OFF_CLUSTER));
        IpPort unused = IpPort.parse("10.96.9.9:80");
        assertThat(trace(program, packet(POD, unused))).isEqualTo(new Trace.Dropped());
        assertThat(trace(program, packet(POD, IpPort.parse("10.97.0.1:80")))).isEqualTo(new Trace.Untouched());
    }

    @Test
    void a_client_that_was_here_before_comes_back_to_the_same_endpoint_by_every_frontend() {
        Affinity affinity = new Affinity.ClientIp(Duration.ofHours(3));
        Program<IptablesEntry> program = program(
                row(vip(), EVERYWHERE, Masquerade.OFF_CLUSTER).withAffinity(affinity),
                row(nodePort(), HERE, Masquerade.FROM_NODE)
                        .withInside(EVERYWHERE)
                        .withAffinity(affinity));
        assertThat(trace(program, packet(POD, VIP))).isEqualTo(to(false, LOCAL, REMOTE));
        String endpoint = ChainNames.endpoint(name(), LOCAL.address());
        String memory = "--name %s --mask 255.255.255.255 --rsource".formatted(endpoint);
        assertThat(program.text().lines().map(String::strip))
                .filteredOn(line -> line.contains(memory))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line)
                                .startsWith("-A KUBE-SVC-")
                                .contains("--rcheck --seconds 10800 --reap")
                                .endsWith("-j " + endpoint),
                        line -> assertThat(line).startsWith("-A KUBE-SVL-").endsWith("-j " + endpoint),
                        line -> assertThat(line)
                                .startsWith("-A " + endpoint)
                                .contains("-m recent --set")
                                .endsWith("-j DNAT --to-destination 10.244.1.2:8080"));
    }

    @Test
    void who_is_outside_of_several_pod_networks_is_outside_of_all() {
        NodeFacts node = NODE.withPods(LocalPods.within(
                List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("10.245.0.0/16"), Cidr.parse("fd00:244::/48"))));
        Program<IptablesEntry> program = program(node, row(vip(), EVERYWHERE, Masquerade.OFF_CLUSTER));
        assertThat(trace(program, packet(POD, VIP))).isEqualTo(to(false, LOCAL, REMOTE));
        assertThat(trace(program, packet(Ip.parse("10.245.3.3"), VIP))).isEqualTo(to(false, LOCAL, REMOTE));
        assertThat(trace(program, packet(OUTSIDE, VIP))).isEqualTo(to(true, LOCAL, REMOTE));
    }

    @Test
    void no_client_is_outside_where_the_proxy_cannot_know_pods() {
        Program<IptablesEntry> program =
                program(NODE.withPods(new LocalPods.Unknown()), row(vip(), EVERYWHERE, Masquerade.NEVER));
        assertThat(trace(program, packet(OUTSIDE, VIP))).isEqualTo(to(false, LOCAL, REMOTE));
    }

    @Test
    void a_cluster_ip_that_stays_on_the_node_has_the_chain_of_the_node_alone() {
        Program<IptablesEntry> program =
                program(NODE, row(vip(), EVERYWHERE, Masquerade.OFF_CLUSTER).with(new AddressTraits(true, true, true)));
        assertThat(chains(program)).contains("KUBE-SVL-" + hash()).doesNotContain("KUBE-SVC-" + hash());
    }

    @Test
    void the_interface_tells_who_is_a_pod() {
        assertThat(program(NODE.withPods(new LocalPods.Bridge("cni0")), row(vip(), EVERYWHERE, Masquerade.OFF_CLUSTER))
                        .text())
                .contains("-d 10.96.0.10/32 ! -i cni0 -p tcp");
        assertThat(program(
                                NODE.withPods(new LocalPods.InterfacePrefix("cali")),
                                row(nodePort(), HERE, Masquerade.FROM_NODE).withInside(EVERYWHERE))
                        .text())
                .contains("-i cali+ -m comment --comment \"pod traffic for default/web:http external destinations\" -j"
                        + " KUBE-SVC-");
    }

    @Test
    void node_ports_answer_at_the_addresses_they_are_given() {
        Forwarding row = row(nodePort(), EVERYWHERE, Masquerade.ALWAYS);
        Forwarding empty = row(nodePort(), new Verdict.Reject(), Masquerade.ALWAYS);
        NodeFacts primary = NODE.withNodePortAddresses(new NodePortAddresses.Primary());
        IpPort second = new IpPort(SECOND_OWN, 30080);
        IpPort loopback = IpPort.parse("127.0.0.1:30080");

        assertThat(trace(program(primary, row), packet(OUTSIDE, NODE_PORT))).isEqualTo(to(true, LOCAL, REMOTE));
        assertThat(trace(program(primary, row), packet(OUTSIDE, second))).isEqualTo(new Trace.Untouched());
        assertThat(trace(program(primary, empty), packet(OUTSIDE, NODE_PORT))).isEqualTo(new Trace.Refused());
        assertThat(trace(program(primary, empty), packet(OUTSIDE, second))).isEqualTo(new Trace.Untouched());
        assertThat(trace(program(NODE, row), packet(OUTSIDE, second))).isEqualTo(to(true, LOCAL, REMOTE));
        assertThat(trace(program(NODE, row), loopback(loopback))).isEqualTo(new Trace.Untouched());
    }

    @Test
    void node_ports_answer_at_localhost_where_that_is_wanted_and_neighbours_cannot_use_it() {
        Program<IptablesEntry> program =
                program(NODE.withLocalhostNodePorts(true), row(nodePort(), EVERYWHERE, Masquerade.ALWAYS));
        assertThat(trace(program, loopback(IpPort.parse("127.0.0.1:30080")))).isEqualTo(to(true, LOCAL, REMOTE));
        assertThat(trace(program, packet(OUTSIDE, IpPort.parse("127.0.0.1:22"))))
                .isEqualTo(new Trace.Dropped());
        assertThat(trace(program, loopback(IpPort.parse("127.0.0.1:22")))).isEqualTo(new Trace.Untouched());
    }

    @Test
    void the_mark_of_others_stays_as_it_was() {
        Program<IptablesEntry> program =
                program(row(vip(), EVERYWHERE, Masquerade.OFF_CLUSTER), row(nodePort(), EVERYWHERE, Masquerade.ALWAYS));
        IptablesTracer tracer = new IptablesTracer(program, List.of(OWN));
        assertThat(tracer.markAfter(packet(OUTSIDE, VIP), 0x1234)).isEqualTo(0x1234);
        assertThat(tracer.markAfter(packet(OUTSIDE, NODE_PORT), 0x1234)).isEqualTo(0x1234);
        assertThat(tracer.markAfter(packet(POD, VIP), 0x1234)).isEqualTo(0x1234);
    }

    @Test
    void sctp_is_written_as_any_other_protocol() {
        Forwarding row = Forwarding.of(
                new Frontend.VirtualAddress(VIP.ip(), Protocol.SCTP, 80),
                new ServicePortName(new NamespacedName("default", "web"), "http", Protocol.SCTP),
                HERE,
                Masquerade.OFF_CLUSTER);
        assertThat(program(row).text())
                .contains(
                        "-p sctp -m comment --comment \"default/web:http cluster IP\" -m sctp --dport 80 -j KUBE-SVC-")
                .contains("-p sctp -m comment --comment \"default/web:http\" -m sctp -j DNAT");
    }

    @Test
    void a_family_that_the_machine_does_not_have_is_left_out() {
        Traits onlyIpv4 = new Traits(List.of(Family.IPV4), true, true, false);
        IptablesCompiler compiler = new IptablesCompiler(NODE, onlyIpv4);
        Forwarding ipv6 = Forwarding.of(
                new Frontend.NodePort(Family.IPV6, Protocol.TCP, 30080),
                name(),
                new Verdict.Reject(),
                Masquerade.ALWAYS);
        assertThat(compiler.entries(List.of(ipv6), Comments.ALL)).isEmpty();
        assertThat(Program.of(compiler.foundation(NODE)).text()).doesNotContain("nat6", "INVALID");
    }

    @Test
    void where_node_ports_do_not_answer_at_loopback_nothing_is_opened_there() {
        NodeFacts wish = NODE.withLocalhostNodePorts(true);
        NodeFacts elsewhere =
                wish.withNodePortAddresses(new NodePortAddresses.Within(List.of(Cidr.parse("10.210.0.0/16"))));
        for (NodeFacts node : List.of(NODE, elsewhere, wish.withNodePortAddresses(new NodePortAddresses.Primary()))) {
            assertThat(program(node).text()).doesNotContain("KUBE-LOCALNET", "route_localnet");
        }
        NodeFacts loopback =
                wish.withNodePortAddresses(new NodePortAddresses.Within(List.of(Cidr.parse("127.0.0.0/8"))));
        for (NodeFacts node : List.of(wish, loopback)) {
            assertThat(program(node).text()).contains("KUBE-LOCALNET", "route_localnet = 1");
        }
        assertThat(program(loopback.withLocalhostNodePorts(false)).text())
                .doesNotContain("KUBE-LOCALNET", "-d 127.0.0.0/8");
    }

    private static Program<IptablesEntry> program(Forwarding... rows) {
        return program(NODE, rows);
    }

    private static Program<IptablesEntry> program(NodeFacts node, Forwarding... rows) {
        IptablesCompiler compiler = new IptablesCompiler(node, Traits.USUAL);
        List<IptablesEntry> entries = new ArrayList<>(compiler.foundation(node));
        entries.addAll(compiler.entries(List.of(rows), Comments.ALL));
        return Program.of(entries);
    }

    private static Trace trace(Program<IptablesEntry> program, Packet packet) {
        return new IptablesTracer(program, List.of(OWN, SECOND_OWN)).trace(packet);
    }

    private static List<String> chains(Program<IptablesEntry> program) {
        return program.entries().map(entry -> entry.place().chain()).toList();
    }

    private static Packet packet(Ip source, IpPort destination) {
        return new Packet(source, destination, Protocol.TCP, Entrance.INTERFACE);
    }

    private static Packet ofNode(IpPort destination) {
        return new Packet(OWN, destination, Protocol.TCP, Entrance.NODE);
    }

    private static Packet loopback(IpPort destination) {
        return new Packet(Ip.parse("127.0.0.1"), destination, Protocol.TCP, Entrance.NODE);
    }

    private static Forwarding row(Frontend frontend, Verdict verdict, Masquerade masquerade) {
        return Forwarding.of(frontend, name(), verdict, masquerade);
    }

    private static Frontend vip() {
        return new Frontend.VirtualAddress(VIP.ip(), Protocol.TCP, VIP.port());
    }

    private static Frontend balancer() {
        return new Frontend.LoadBalancerAddress(BALANCER.ip(), Protocol.TCP, BALANCER.port());
    }

    private static Frontend external() {
        return new Frontend.ExternalAddress(BALANCER.ip(), Protocol.TCP, BALANCER.port());
    }

    private static Frontend nodePort() {
        return new Frontend.NodePort(Family.IPV4, Protocol.TCP, NODE_PORT.port());
    }

    private static ServicePortName name() {
        return new ServicePortName(new NamespacedName("default", "web"), "http", Protocol.TCP);
    }

    private static String hash() {
        return ChainNames.service(name()).substring("KUBE-SVC-".length());
    }

    private static Trace to(boolean masqueraded, Target... targets) {
        return Trace.Delivered.to(Arrays.stream(targets)
                .map(target -> new Delivery(target.address(), masqueraded))
                .collect(Collectors.toSet()));
    }
}
