package io.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.iptables.IptablesBackend;
import io.fairlead.iptables.Variant;
import io.fairlead.nftables.NftablesBackend;
import io.fairlead.testkit.Flow;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.testkit.Scenario;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Every flow of every scenario, sent for real, in every mode.
@RequiresRoot
final class ScenarioLabIT {
    private static final String NAME = "fllab" + ProcessHandle.current().pid();

    /// A way to program a node, by the name that `--mode` has for it.
    record Mode(String name, Function<NodeFacts, Backend<?>> open) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<Mode> MODES = List.of(
            new Mode("nftables", NftablesBackend::open),
            new Mode("iptables", node -> IptablesBackend.open(node, Variant.NFT)),
            new Mode("iptables-legacy", node -> IptablesBackend.open(node, Variant.LEGACY)));

    static Stream<Arguments> scenarios() {
        return Scenario.all().flatMap(scenario -> MODES.stream().map(mode -> Arguments.of(scenario, mode)));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void every_flow_becomes_what_the_scenario_says(Scenario scenario, Mode mode) throws IOException {
        try (ScenarioLab lab = ScenarioLab.build(scenario, NAME, mode.open())) {
            FlowCheck check = new FlowCheck(lab);
            SoftAssertions all = new SoftAssertions();
            // Java speaks no SCTP here: those flows are traced, not sent.
            scenario.flows().stream()
                    .filter(flow -> flow.protocol() != Protocol.SCTP)
                    .forEach(flow -> all.check(() -> check.check(flow)));
            all.assertAll();
        }
    }

    @Test
    void a_flow_that_becomes_something_else_is_found() throws IOException {
        Scenario scenario = Scenario.named("clusterip-three-nodes");
        try (ScenarioLab lab =
                ScenarioLab.build(scenario, NAME, MODES.getFirst().open())) {
            FlowCheck check = new FlowCheck(lab);
            Flow right = scenario.flows().getFirst();
            Flow.Arrival one = new Flow.Arrival(new NamespacedName("default", "hello-1"), 8080, new Flow.Source.Kept());
            Flow.Arrival other =
                    new Flow.Arrival(new NamespacedName("default", "hello-1"), 8080, new Flow.Source.OfNode("node-a"));
            check.check(right);
            Stream.of(
                            new Flow.Outcome.Reaches(Set.of(one)),
                            new Flow.Outcome.Reaches(Set.of(other)),
                            new Flow.Outcome.Refused(),
                            new Flow.Outcome.Dropped())
                    .map(wrong -> new Flow("wrong", right.sender(), right.destination(), right.protocol(), wrong))
                    .forEach(wrong -> assertThatExceptionOfType(AssertionError.class)
                            .isThrownBy(() -> check.check(wrong))
                            .withMessageContaining("wrong"));
        }
    }
}
