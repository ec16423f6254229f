package io.fairlead.userspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Balance;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Trace;
import io.fairlead.forwarding.Trace.Delivery;
import io.fairlead.forwarding.Verdict;
import io.fairlead.testkit.FlowCheck;
import io.fairlead.testkit.Golden;
import io.fairlead.testkit.Scenario;
import io.fairlead.testkit.ScenarioNode;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class UserspaceCompilerTest {
    private static final UserspaceCompiler COMPILER = new UserspaceCompiler();
    private static final IpPort FIRST = IpPort.parse("10.244.1.2:8080");
    private static final IpPort SECOND = IpPort.parse("10.244.2.2:8080");

    @ParameterizedTest
    @MethodSource("io.fairlead.testkit.Scenario#all")
    void what_is_compiled_is_in_the_golden_file(Scenario scenario) {
        Golden.check(
                scenario.file("userspace.txt"),
                scenario.nodes().stream()
                        .map(node ->
                                "# %s\n%s".formatted(node.name(), program(node).text()))
                        .collect(Collectors.joining("\n")));
    }

    @ParameterizedTest
    @MethodSource("io.fairlead.testkit.Scenario#all")
    void connections_go_where_the_scenario_says(Scenario scenario) {
        FlowCheck.check(scenario, node -> new ByNature(node.table(), node.facts()));
    }

    @Test
    void a_pod_sees_the_node_as_its_client() {
        Program<UserspaceEntry> program = program(row(Protocol.TCP, new Target(FIRST, true)));
        assertThat(trace(program)).isEqualTo(new Trace.Delivered(Set.of(new Delivery(FIRST, true))));
    }

    @Test
    void a_target_of_no_weight_gets_nothing() {
        Program<UserspaceEntry> program =
                program(row(Protocol.TCP, new Target(FIRST, true), new Target(SECOND, true, false, 0)));
        assertThat(trace(program)).isEqualTo(new Trace.Delivered(Set.of(new Delivery(FIRST, true))));
    }

    @Test
    void what_cannot_be_done_is_noted() {
        assertThat(COMPILER.compile(List.of(row(Protocol.SCTP, new Target(FIRST, true))), Detail.FULL)
                        .notes())
                .singleElement()
                .asString()
                .contains("SCTP")
                .contains("refused");
        Forwarding maglev =
                row(Protocol.TCP, new Target(FIRST, true)).with(new Balance(new Affinity.None(), Scheduler.MH));
        assertThat(COMPILER.compile(List.of(maglev), Detail.FULL).notes())
                .singleElement()
                .asString()
                .contains("asked scheduler mh, done scheduler sh");
        assertThat(COMPILER.compile(List.of(row(Protocol.TCP, new Target(FIRST, true))), Detail.FULL)
                        .notes())
                .isEmpty();
    }

    private static Trace trace(Program<UserspaceEntry> program) {
        Packet packet = new Packet(
                Ip.parse("198.51.100.10"), IpPort.parse("10.96.0.10:80"), Protocol.TCP, Packet.Entrance.INTERFACE);
        return new UserspaceTracer(program, List.of()).trace(packet);
    }

    private static Forwarding row(Protocol protocol, Target... targets) {
        return Forwarding.of(
                new Frontend.VirtualAddress(Ip.parse("10.96.0.10"), protocol, 80),
                new ServicePortName(new NamespacedName("default", "web"), "http", protocol),
                new Verdict.SendTo(List.of(targets)),
                Masquerade.OFF_CLUSTER);
    }

    private static Program<UserspaceEntry> program(Forwarding row) {
        List<UserspaceEntry> entries = new java.util.ArrayList<>(COMPILER.foundation(NamespaceMachine.NODE));
        entries.addAll(COMPILER.compile(List.of(row), Detail.FULL).entries());
        return Program.of(entries);
    }

    private static Program<UserspaceEntry> program(ScenarioNode node) {
        return Program.of(COMPILER, node.table());
    }
}
