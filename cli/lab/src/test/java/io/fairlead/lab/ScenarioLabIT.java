package io.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.sync.ModeTable;
import io.fairlead.testkit.Flow;
import io.fairlead.testkit.ModeMatrix;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.testkit.Scenario;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every flow of every scenario, sent for real, in every mode that this kernel has: the modes side by side, each in
/// namespaces of its own.
@RequiresRoot
final class ScenarioLabIT {
    private static final String NAME = "fllab" + ProcessHandle.current().pid();
    private static final ModeMatrix TABLE = ModeMatrix.parse(ModeTable.text());
    private static final ModeMatrix SEEN =
            new ModeMatrix(LabMode.HERE.stream().map(LabMode::column).distinct().toList());

    private static LabGroups groups;

    @BeforeAll
    static void makeGroups() {
        groups = new LabGroups(NAME);
    }

    /// What was seen of a mode is what the table says of it.
    @AfterAll
    static void removeGroups() throws IOException {
        groups.close();
        SEEN.kinds()
                .forEach(kind -> LabMode.HERE.stream()
                        .filter(mode -> !SEEN.cell(kind, mode.column()).equals("-"))
                        .forEach(mode -> assertThat(SEEN.cell(kind, mode.column()))
                                .as("%s in the mode %s", kind, mode)
                                .isEqualTo(TABLE.cell(kind, mode.column()))));
        System.out.println(SEEN.text());
    }

    @ParameterizedTest
    @MethodSource("io.fairlead.testkit.Scenario#all")
    void every_flow_becomes_what_the_scenario_says(Scenario scenario) throws Exception {
        Map<LabMode, Future<SoftAssertions>> checks = new EnumMap<>(LabMode.class);
        try (ExecutorService threads = Executors.newFixedThreadPool(LabMode.HERE.size())) {
            for (LabMode mode : LabMode.HERE) {
                checks.put(mode, threads.submit(() -> check(scenario, mode)));
            }
            for (Future<SoftAssertions> check : checks.values()) {
                check.get().assertAll();
            }
        }
    }

    private static SoftAssertions check(Scenario scenario, LabMode mode) throws IOException {
        SoftAssertions all = new SoftAssertions();
        try (ScenarioLab lab = ScenarioLab.build(scenario, NAME + mode.letter(), mode, Optional.of(groups))) {
            // Java speaks no SCTP here: those flows are traced, not sent.
            scenario.flows().stream()
                    .filter(flow -> flow.protocol() != Protocol.SCTP)
                    .forEach(flow -> all.check(() -> check(lab, flow, mode)));
        }
        return all;
    }

    private static void check(ScenarioLab lab, Flow flow, LabMode mode) {
        String kind = ModeMatrix.kind(lab.scenario(), flow);
        Set<String> named = Set.of(TABLE.cell(kind, mode.column()).split("; "));
        try {
            Set<String> differences = new FlowCheck(lab, named).check(flow);
            SEEN.add(kind, mode.column(), String.join("; ", differences));
        } catch (AssertionError e) {
            throw new AssertionError("in the mode %s: %s".formatted(mode, e.getMessage()), e);
        }
    }

    @Test
    void a_flow_that_becomes_something_else_is_found() throws IOException {
        Scenario scenario = Scenario.named("clusterip-three-nodes");
        try (ScenarioLab lab = ScenarioLab.build(scenario, NAME, LabMode.NFTABLES, Optional.of(groups))) {
            FlowCheck check = new FlowCheck(lab, Set.of());
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
