package io.fairlead.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.testkit.FlowCheck;
import io.fairlead.testkit.Golden;
import io.fairlead.testkit.Scenario;
import io.fairlead.testkit.ScenarioNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The compiler against every scenario: what it writes, and what becomes of connections.
final class IpvsCompilerTest {
    private static final NodeFacts NODE = NodeFacts.of("node-a", Scenario.POD_NETWORKS)
            .withServiceNetworks(List.of(Cidr.parse("10.96.0.0/16"), Cidr.parse("fd00:96::/112")));

    @ParameterizedTest
    @MethodSource("io.fairlead.testkit.Scenario#all")
    void what_is_compiled_is_in_the_golden_file(Scenario scenario) {
        Golden.check(scenario.file("ipvs.txt"), text(scenario));
    }

    @ParameterizedTest
    @MethodSource("io.fairlead.testkit.Scenario#all")
    void connections_go_where_the_scenario_says(Scenario scenario) {
        FlowCheck.check(scenario, node -> new IpvsTracer(program(node), node.addresses()));
    }

    @Test
    void the_foundation_is_in_the_golden_file() {
        Golden.check(
                Path.of("src/test/resources/foundation.txt"), foundation(NODE).text());
    }

    /// What the rows of the first node add to the foundation, and where the other nodes differ.
    private static String text(Scenario scenario) {
        List<ScenarioNode> nodes = scenario.nodes();
        List<String> first = added(nodes.getFirst());
        StringBuilder text = new StringBuilder(
                "# %s: besides the foundation\n".formatted(nodes.getFirst().name()));
        first.forEach(text::append);
        for (ScenarioNode node : nodes.subList(1, nodes.size())) {
            List<String> own = added(node);
            boolean alike = own.equals(first);
            text.append("\n# %s: %s %s\n"
                    .formatted(
                            node.name(),
                            alike ? "like" : "unlike",
                            nodes.getFirst().name()));
            first.stream()
                    .filter(line -> !own.contains(line))
                    .forEach(line -> text.append('-').append(line));
            own.stream()
                    .filter(line -> !first.contains(line))
                    .forEach(line -> text.append('+').append(line));
        }
        return text.toString();
    }

    private static List<String> added(ScenarioNode node) {
        Patch<IpvsEntry> patch =
                Patch.between(foundation(node.facts()), program(node)).sorted();
        List<String> lines = new ArrayList<>();
        Stream.concat(patch.added().stream(), patch.changed().stream().map(Patch.Change::after))
                .forEach(entry -> lines.add(entry + "\n"));
        assertThat(patch.removed()).isEmpty();
        return lines;
    }

    private static Program<IpvsEntry> foundation(NodeFacts node) {
        return Program.of(new IpvsCompiler(node, "rr").foundation(node));
    }

    static Program<IpvsEntry> program(ScenarioNode node) {
        return program(node.table(), node.facts());
    }

    static Program<IpvsEntry> program(ForwardingTable table, NodeFacts node) {
        IpvsCompiler compiler = new IpvsCompiler(node, "rr");
        List<IpvsEntry> entries = new ArrayList<>(compiler.foundation(node));
        table.rows()
                .values()
                .forEach(rows ->
                        entries.addAll(compiler.compile(rows, Detail.FULL).entries()));
        return Program.of(entries);
    }
}
