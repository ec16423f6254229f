package io.fairlead.ebpf;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Balance;
import io.fairlead.forwarding.Compiled;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Sources;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import io.fairlead.testkit.FlowCheck;
import io.fairlead.testkit.Golden;
import io.fairlead.testkit.Scenario;
import io.fairlead.testkit.ScenarioNode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class EbpfCompilerTest {
    private static final Ip VIP = Ip.parse("10.96.0.10");
    private static final Frontend FRONTEND = new Frontend.VirtualAddress(VIP, Protocol.TCP, 80);
    private static final ServicePortName NAME =
            new ServicePortName(new NamespacedName("default", "web"), "", Protocol.TCP);

    @ParameterizedTest
    @MethodSource("io.fairlead.testkit.Scenario#all")
    void what_is_compiled_is_in_the_golden_file(Scenario scenario) {
        Golden.check(scenario.file("ebpf.txt"), text(scenario));
    }

    @ParameterizedTest
    @MethodSource("io.fairlead.testkit.Scenario#all")
    void connections_go_where_the_scenario_says(Scenario scenario) {
        FlowCheck.check(scenario, node -> Layered.over(program(node), node.table(), node.facts()));
    }

    @Test
    void a_row_is_left_to_the_layer_below_where_a_connection_is_not_all_that_it_asks_for() {
        Forwarding plain = Forwarding.of(FRONTEND, NAME, sendTo(2), Masquerade.OFF_CLUSTER);
        assertThat(compile(plain)).isNotEmpty();
        assertThat(compile(plain.withAffinity(new Affinity.ClientIp(Duration.ofHours(3)))))
                .isEmpty();
        assertThat(compile(plain.withSources(new Sources(List.of(Cidr.parse("10.0.0.0/8"))))))
                .isEmpty();
        assertThat(compile(plain.withInside(new Verdict.Drop()))).isEmpty();
        assertThat(compile(Forwarding.of(FRONTEND, NAME, sendTo(2), Masquerade.ALWAYS)))
                .isEmpty();
        assertThat(compile(Forwarding.of(
                        new Frontend.NodePort(Family.IPV4, Protocol.TCP, 30080),
                        NAME,
                        sendTo(2),
                        Masquerade.OFF_CLUSTER)))
                .isEmpty();
        assertThat(compile(Forwarding.of(
                        new Frontend.VirtualAddress(VIP, Protocol.SCTP, 80), NAME, sendTo(2), Masquerade.OFF_CLUSTER)))
                .isEmpty();
    }

    @Test
    void an_external_address_is_led_for_those_inside_whatever_source_others_need() {
        Ip external = Ip.parse("203.0.113.1");
        for (Frontend frontend : List.of(
                new Frontend.ExternalAddress(external, Protocol.TCP, 80),
                new Frontend.LoadBalancerAddress(external, Protocol.TCP, 80))) {
            assertThat(compile(Forwarding.of(frontend, NAME, sendTo(2), Masquerade.ALWAYS)))
                    .anyMatch(EbpfEntry.Led.class::isInstance);
        }
    }

    @Test
    void where_the_proxy_does_not_know_who_is_a_pod_insiders_are_led_only_as_all_others() {
        Forwarding divided =
                Forwarding.of(FRONTEND, NAME, sendTo(2), Masquerade.FROM_NODE).withInside(new Verdict.Reject());
        assertThat(new EbpfCompiler(new LocalPods.Unknown())
                        .compile(List.of(divided), Detail.FULL)
                        .entries())
                .isEmpty();
        assertThat(compile(divided)).isNotEmpty();
    }

    @Test
    void a_service_that_a_server_of_the_node_answers_is_left_to_its_packets() {
        Forwarding row = Forwarding.of(FRONTEND, NAME, sendTo(2), Masquerade.OFF_CLUSTER);
        EbpfCompiler answered = new EbpfCompiler(LocalPods.within(Scenario.POD_NETWORKS), Set.of(NAME.service()));
        assertThat(answered.compile(List.of(row), Detail.FULL).entries()).isEmpty();
        assertThat(compile(row)).isNotEmpty();
    }

    @Test
    void two_frontends_with_the_same_targets_share_a_set() {
        Frontend other = new Frontend.ExternalAddress(Ip.parse("203.0.113.1"), Protocol.TCP, 80);
        List<EbpfEntry> one = compile(Forwarding.of(FRONTEND, NAME, sendTo(3), Masquerade.OFF_CLUSTER));
        List<EbpfEntry> two = compile(Forwarding.of(other, NAME, sendTo(3), Masquerade.FROM_NODE));
        assertThat(two.stream().filter(EbpfEntry.Endpoint.class::isInstance))
                .hasSize(3)
                .allSatisfy(entry -> assertThat(one).contains(entry));
    }

    @Test
    void other_targets_are_another_set() {
        List<Long> numbers = Stream.of(sendTo(1), sendTo(2), sendTo(3))
                .map(verdict -> new TargetSet(Protocol.TCP, verdict.targets()).number())
                .toList();
        assertThat(numbers).doesNotHaveDuplicates();
    }

    @Test
    void a_target_has_as_many_slots_as_its_weight_says_and_none_for_weight_0() {
        Forwarding row = Forwarding.of(FRONTEND, NAME, weighted(3, 0, 1), Masquerade.OFF_CLUSTER)
                .with(new Balance(new Affinity.None(), Scheduler.WRR));
        assertThat(compile(row).stream()
                        .filter(EbpfEntry.Endpoint.class::isInstance)
                        .map(Object::toString)
                        .map(line -> line.substring(line.indexOf(" . ") + 3)))
                .containsExactly(
                        "0 : 10.244.2.1:8080/tcp",
                        "1 : 10.244.2.1:8080/tcp",
                        "2 : 10.244.2.3:8080/tcp",
                        "3 : 10.244.2.1:8080/tcp");
        assertThat(compile(row)).anyMatch(entry -> entry instanceof EbpfEntry.Led led && led.byTurns());
    }

    @Test
    void weights_that_are_too_large_become_smaller_in_proportion() {
        Verdict.SendTo targets = weighted(65_535, 1, 32_768);
        assertThat(Slots.of(targets.targets(), Scheduler.WRR)).hasSizeBetween(4_000, 4_200);
    }

    @Test
    void a_scheduler_that_counts_connections_is_noted_and_one_that_hashes_addresses_is_left_below() {
        Forwarding row = Forwarding.of(FRONTEND, NAME, sendTo(2), Masquerade.OFF_CLUSTER);
        assertThat(compiled(row.with(new Balance(new Affinity.None(), Scheduler.LC)))
                        .notes())
                .singleElement()
                .satisfies(note -> assertThat(note.asked()).isEqualTo("the scheduler lc"));
        assertThat(compile(row.with(new Balance(new Affinity.None(), Scheduler.SH))))
                .isEmpty();
    }

    private static String text(Scenario scenario) {
        List<ScenarioNode> nodes = scenario.nodes();
        Program<EbpfEntry> first = besidesFoundation(nodes.getFirst());
        StringBuilder text = new StringBuilder(
                "# %s: besides the foundation\n%s".formatted(nodes.getFirst().name(), first.text()));
        for (ScenarioNode node : nodes.subList(1, nodes.size())) {
            List<String> lines = difference(first, besidesFoundation(node));
            text.append("\n# %s: %s %s\n"
                    .formatted(
                            node.name(),
                            lines.isEmpty() ? "like" : "unlike",
                            nodes.getFirst().name()));
            lines.forEach(text::append);
        }
        return text.toString();
    }

    private static List<String> difference(Program<EbpfEntry> from, Program<EbpfEntry> to) {
        Patch<EbpfEntry> patch = Patch.between(from, to).sorted();
        return Stream.of(
                        patch.removed().stream().map("-%s\n"::formatted),
                        patch.changed().stream().map(change -> "-%s\n+%s\n".formatted(change.before(), change.after())),
                        patch.added().stream().map("+%s\n"::formatted))
                .flatMap(lines -> lines)
                .toList();
    }

    /// The hooks name the build that they run: no file could hold that.
    private static Program<EbpfEntry> besidesFoundation(ScenarioNode node) {
        return Program.of(program(node)
                .entries()
                .filter(EbpfEntry.Element.class::isInstance)
                .toList());
    }

    private static Program<EbpfEntry> program(ScenarioNode node) {
        try (EbpfBackend backend = EbpfBackend.open(node.facts(), new EbpfSite("", ""))) {
            return Program.of(backend.compiler(), node.table());
        }
    }

    private static List<EbpfEntry> compile(Forwarding row) {
        return compiled(row).entries();
    }

    private static Compiled<EbpfEntry> compiled(Forwarding row) {
        return new EbpfCompiler(LocalPods.within(Scenario.POD_NETWORKS)).compile(List.of(row), Detail.FULL);
    }

    private static Verdict.SendTo weighted(int... weights) {
        return new Verdict.SendTo(IntStream.range(0, weights.length)
                .mapToObj(i -> new Target(new IpPort(Ip.parse("10.244.2.1").plus(i), 8080), false, false, weights[i]))
                .toList());
    }

    private static Verdict.SendTo sendTo(int count) {
        return new Verdict.SendTo(Stream.iterate(1, i -> i + 1)
                .limit(count)
                .map(i -> new Target(new IpPort(Ip.parse("10.244.2.0").plus(i), 8080), i == 1))
                .toList());
    }
}
