package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.forwarding.Program;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ScenariosTest {
    @ParameterizedTest
    @MethodSource("io.fairlead.testkit.Scenario#all")
    void every_node_forwards_what_the_scenario_says(Scenario scenario) {
        Golden.check(scenario.file("forwarding.txt"), scenario.forwardingText());
    }

    @ParameterizedTest
    @MethodSource("io.fairlead.testkit.Scenario#all")
    void every_flow_ends_where_the_scenario_says(Scenario scenario) {
        MemoryBackend backend = new MemoryBackend(new MemoryKernel());
        assertThat(scenario.flows()).isNotEmpty();
        FlowCheck.check(scenario, node -> new MemoryTracer(Program.of(backend.compiler(), node.table()), node.facts()));
    }
}
