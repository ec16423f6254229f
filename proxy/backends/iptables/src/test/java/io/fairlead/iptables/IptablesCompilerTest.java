package io.fairlead.iptables;

import io.fairlead.api.Cidr;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Program;
import io.fairlead.testkit.FlowCheck;
import io.fairlead.testkit.Golden;
import io.fairlead.testkit.NodePrograms;
import io.fairlead.testkit.Scenario;
import io.fairlead.testkit.ScenarioNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The compiler against every scenario: what it writes, and what becomes of connections.
final class IptablesCompilerTest {
    private static final NodeFacts NODE = NodeFacts.of("node-a", Scenario.POD_NETWORKS)
            .withServiceNetworks(List.of(Cidr.parse("10.96.0.0/16"), Cidr.parse("fd00:96::/112")));

    @ParameterizedTest
    @MethodSource("io.fairlead.testkit.Scenario#all")
    void what_is_compiled_is_in_the_golden_file(Scenario scenario) {
        Golden.check(scenario.file("iptables.rules"), text(scenario));
    }

    @ParameterizedTest
    @MethodSource("io.fairlead.testkit.Scenario#all")
    void connections_go_where_the_scenario_says(Scenario scenario) {
        FlowCheck.check(scenario, node -> new IptablesTracer(program(node), node.addresses()));
    }

    @Test
    void the_foundation_is_in_the_golden_file() {
        Golden.check(
                Path.of("src/test/resources/foundation.rules"), foundation(NODE).text());
    }

    private static String text(Scenario scenario) {
        return NodePrograms.text(scenario, node -> NodePrograms.added(foundation(node.facts()), program(node)));
    }

    private static Program<IptablesEntry> foundation(NodeFacts node) {
        return Program.of(new IptablesCompiler(node, Traits.USUAL).foundation(node));
    }

    static Program<IptablesEntry> program(ScenarioNode node) {
        return program(node.table(), node.facts());
    }

    static Program<IptablesEntry> program(ForwardingTable table, NodeFacts node) {
        IptablesCompiler compiler = new IptablesCompiler(node, Traits.USUAL);
        List<IptablesEntry> entries = new ArrayList<>(compiler.foundation(node));
        table.rows().values().forEach(rows -> entries.addAll(compiler.entries(rows, Comments.ALL)));
        return Program.of(entries);
    }
}
