package io.fairlead.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Packet.Entrance;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Trace;
import io.fairlead.forwarding.Trace.Delivery;
import io.fairlead.forwarding.Verdict;
import io.fairlead.testkit.FlowCheck;
import io.fairlead.testkit.Golden;
import io.fairlead.testkit.Scenario;
import io.fairlead.testkit.ScenarioNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class NftablesCompilerTest {
    private static final NodeFacts NODE = NodeFacts.of("node-a", Scenario.POD_NETWORKS);
    private static final Ip OWN = Ip.parse("10.210.0.11");
    private static final Ip POD = Ip.parse("10.244.1.9");
    private static final Ip OUTSIDE = Ip.parse("198.51.100.10");
    private static final IpPort VIP = IpPort.parse("10.96.0.10:80");
    private static final IpPort NODE_PORT = new IpPort(OWN, 30080);

    @ParameterizedTest
    @MethodSource("io.fairlead.testkit.Scenario#all")
    void what_is_compiled_is_in_the_golden_file(Scenario scenario) {
        Golden.check(scenario.file("nftables.nft"), text(scenario));
    }

    @ParameterizedTest
    @MethodSource("io.fairlead.testkit.Scenario#all")
    void connections_go_where_the_scenario_says(Scenario scenario) {
        FlowCheck.check(scenario, node -> new NftablesTracer(program(node), node.addresses()));
    }

    @Test
    void the_foundation_is_in_the_golden_file() {
        try (NftablesBackend backend = NftablesBackend.open(NODE)) {
            Golden.check(
                    Path.of("src/test/resources/foundation.nft"),
                    Program.of(backend.compiler().foundation(NODE)).text());
        }
    }

    @Test
    void the_foundation_alone_touches_nothing() {
        assertThat(trace(program(), packet(OUTSIDE, VIP))).isEqualTo(new Trace.Untouched());
        assertThat(trace(program(), packet(OUTSIDE, NODE_PORT))).isEqualTo(new Trace.Untouched());
    }

    @Test
    void what_is_dropped_is_dropped_and_what_is_rejected_is_refused() {
        Program<NftablesEntry> dropped = program(
                row(VIP, new Verdict.Drop(), Masquerade.OFF_CLUSTER), nodePort(new Verdict.Drop(), Masquerade.ALWAYS));
        assertThat(trace(dropped, packet(POD, VIP))).isEqualTo(new Trace.Dropped());
        assertThat(trace(dropped, packet(OUTSIDE, NODE_PORT))).isEqualTo(new Trace.Dropped());

        Program<NftablesEntry> rejected = program(
                row(VIP, new Verdict.Reject(), Masquerade.OFF_CLUSTER),
                nodePort(new Verdict.Reject(), Masquerade.ALWAYS));
        assertThat(trace(rejected, packet(POD, VIP))).isEqualTo(new Trace.Refused());
        assertThat(trace(rejected, packet(OUTSIDE, NODE_PORT))).isEqualTo(new Trace.Refused());
    }

    @Test
    void another_port_or_protocol_of_a_virtual_address_is_refused() {
        Program<NftablesEntry> program = program(row(VIP, sendTo(2), Masquerade.OFF_CLUSTER));
        assertThat(trace(program, packet(POD, IpPort.parse("10.96.0.10:81")))).isEqualTo(new Trace.Refused());
        assertThat(trace(program, new Packet(POD, VIP, Protocol.UDP, Entrance.INTERFACE)))
                .isEqualTo(new Trace.Refused());
    }

    @Test
    void node_ports_do_not_answer_on_loopback() {
        Program<NftablesEntry> program = program(nodePort(sendTo(2), Masquerade.ALWAYS));
        Ip loopback = Ip.parse("127.0.0.1");
        Packet packet = new Packet(loopback, new IpPort(loopback, 30080), Protocol.TCP, Entrance.NODE);
        assertThat(trace(program, packet)).isEqualTo(new Trace.Untouched());
    }

    @Test
    void who_is_masqueraded_follows_the_row_at_both_entrances() {
        Program<NftablesEntry> program =
                program(row(VIP, sendTo(1), Masquerade.ALWAYS), nodePort(sendTo(1), Masquerade.OFF_CLUSTER));
        assertThat(trace(program, packet(POD, VIP))).isEqualTo(delivered(1, true));
        assertThat(trace(program, packet(POD, NODE_PORT))).isEqualTo(delivered(1, false));
        assertThat(trace(program, packet(OUTSIDE, NODE_PORT))).isEqualTo(delivered(1, true));
    }

    @Test
    void no_client_is_outside_if_the_pod_network_is_not_known() {
        NodeFacts unknown = NodeFacts.of("node-a", List.of());
        Program<NftablesEntry> program = Program.of(entries(unknown, row(VIP, sendTo(1), Masquerade.OFF_CLUSTER)));
        assertThat(trace(program, packet(OUTSIDE, VIP))).isEqualTo(delivered(1, false));
    }

    @Test
    void a_service_with_many_endpoints_brings_a_chain_of_its_own() {
        Forwarding many = row(VIP, sendTo(17), Masquerade.OFF_CLUSTER);
        assertThat(trace(program(many), packet(POD, VIP))).isEqualTo(delivered(17, false));
        assertThat(added(many)).anyMatch(line -> line.startsWith("chain ip fairlead n17 {"));
        assertThat(added(row(VIP, sendTo(16), Masquerade.OFF_CLUSTER))).noneMatch(line -> line.startsWith("chain"));
    }

    @Test
    void a_packet_between_two_states_goes_to_the_first_endpoint() {
        Program<NftablesEntry> three = program(row(VIP, sendTo(3), Masquerade.OFF_CLUSTER));
        Program<NftablesEntry> oldPlanOneEndpoint = without(three, ". 1 comment", ". 2 comment");
        assertThat(trace(oldPlanOneEndpoint, packet(POD, VIP))).isEqualTo(delivered(1, false));

        Program<NftablesEntry> oldPlanNoEndpoint = without(three, "fairlead endpoint {");
        assertThat(trace(oldPlanNoEndpoint, packet(POD, VIP))).isEqualTo(new Trace.Dropped());
    }

    @Test
    void the_mark_of_others_stays_as_it_was() {
        Program<NftablesEntry> program =
                program(row(VIP, sendTo(3), Masquerade.OFF_CLUSTER), nodePort(sendTo(3), Masquerade.ALWAYS));
        NftablesTracer tracer = new NftablesTracer(program, List.of(OWN));
        assertThat(tracer.markAfter(packet(POD, VIP), 0x1234)).isEqualTo(0x1234);
        assertThat(tracer.markAfter(packet(OUTSIDE, NODE_PORT), 0x1234)).isEqualTo(0x1234);
        assertThat(tracer.markAfter(packet(OUTSIDE, IpPort.parse("10.96.9.9:80")), 0x1234))
                .isEqualTo(0x1234);
    }

    /// What the rows of the first node add to its foundation, and where the other nodes differ.
    private static String text(Scenario scenario) {
        List<ScenarioNode> nodes = scenario.nodes();
        Program<NftablesEntry> first = besidesFoundation(nodes.getFirst());
        StringBuilder text = new StringBuilder(
                "# %s: besides the foundation\n%s".formatted(nodes.getFirst().name(), first.text()));
        for (ScenarioNode node : nodes.subList(1, nodes.size())) {
            List<String> lines = difference(first, besidesFoundation(node)).toList();
            String like = lines.isEmpty() ? "like" : "unlike";
            text.append("\n# %s: %s %s\n"
                    .formatted(node.name(), like, nodes.getFirst().name()));
            lines.forEach(text::append);
        }
        return text.toString();
    }

    private static Program<NftablesEntry> besidesFoundation(ScenarioNode node) {
        Program<NftablesEntry> foundation = Program.of(entries(node.facts()));
        return Program.of(program(node)
                .entries()
                .filter(entry -> foundation.find(entry.key()).isEmpty())
                .toList());
    }

    private static Stream<String> difference(Program<NftablesEntry> from, Program<NftablesEntry> to) {
        Patch<NftablesEntry> patch = Patch.between(from, to).sorted();
        List<String> lines = new ArrayList<>();
        patch.removed().forEach(entry -> lines.add("-%s\n".formatted(entry)));
        patch.changed().forEach(change -> lines.add("-%s\n+%s\n".formatted(change.before(), change.after())));
        patch.added().forEach(entry -> lines.add("+%s\n".formatted(entry)));
        return lines.stream();
    }

    private static Program<NftablesEntry> program(ScenarioNode node) {
        try (NftablesBackend backend = NftablesBackend.open(node.facts())) {
            return Program.of(backend.compiler(), node.table());
        }
    }

    private static Program<NftablesEntry> program(Forwarding... rows) {
        return Program.of(entries(NODE, rows));
    }

    private static List<NftablesEntry> entries(NodeFacts node, Forwarding... rows) {
        List<NftablesEntry> entries = new ArrayList<>(new NftablesCompiler().foundation(node));
        entries.addAll(NftablesCompiler.entries(List.of(rows)));
        return entries;
    }

    private static List<String> added(Forwarding row) {
        return NftablesCompiler.entries(List.of(row)).stream()
                .map(Object::toString)
                .toList();
    }

    private static Program<NftablesEntry> without(Program<NftablesEntry> program, String... texts) {
        return Program.of(program.entries()
                .filter(entry -> Stream.of(texts).noneMatch(entry.toString()::contains))
                .toList());
    }

    private static Trace trace(Program<NftablesEntry> program, Packet packet) {
        return new NftablesTracer(program, List.of(OWN)).trace(packet);
    }

    private static Packet packet(Ip source, IpPort destination) {
        return new Packet(source, destination, Protocol.TCP, Entrance.INTERFACE);
    }

    private static Forwarding row(IpPort vip, Verdict verdict, Masquerade masquerade) {
        Frontend frontend = new Frontend.VirtualAddress(vip.ip(), Protocol.TCP, vip.port());
        return Forwarding.of(frontend, name(), verdict, masquerade);
    }

    private static Forwarding nodePort(Verdict verdict, Masquerade masquerade) {
        Frontend frontend = new Frontend.NodePort(Family.IPV4, Protocol.TCP, NODE_PORT.port());
        return Forwarding.of(frontend, name(), verdict, masquerade);
    }

    private static ServicePortName name() {
        return new ServicePortName(new NamespacedName("default", "web"), "http", Protocol.TCP);
    }

    private static Verdict sendTo(int count) {
        return new Verdict.SendTo(IntStream.rangeClosed(1, count)
                .mapToObj(i -> new Target(endpoint(i), false))
                .toList());
    }

    private static Trace delivered(int count, boolean masqueraded) {
        return Trace.Delivered.to(IntStream.rangeClosed(1, count)
                .mapToObj(i -> new Delivery(endpoint(i), masqueraded))
                .collect(Collectors.toSet()));
    }

    private static IpPort endpoint(int i) {
        return new IpPort(Ip.parse("10.244.2.0").plus(i), 8080);
    }
}
