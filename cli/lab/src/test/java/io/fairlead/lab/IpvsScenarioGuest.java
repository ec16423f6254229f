package io.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Protocol;
import io.fairlead.sync.ModeTable;
import io.fairlead.testkit.Flow;
import io.fairlead.testkit.ModeMatrix;
import io.fairlead.testkit.Scenario;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every flow of some scenarios, sent for real through nodes of the mode ipvs. Run by [IpvsLabIT].
final class IpvsScenarioGuest {
    private static final String COLUMN = LabMode.IPVS.column();
    private static final ModeMatrix TABLE = ModeMatrix.parse(ModeTable.text());
    private static final ModeMatrix SEEN = new ModeMatrix(List.of(COLUMN));

    /// What was seen is what the table says.
    @AfterAll
    static void compare() {
        SEEN.kinds()
                .forEach(kind -> assertThat(SEEN.cell(kind, COLUMN)).as(kind).isEqualTo(TABLE.cell(kind, COLUMN)));
        System.out.println(SEEN.text());
    }

    /// Some with much in them: to write the rules of a node takes seconds in the guest.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "dual-stack-policies",
                "hairpin",
                "loadbalancer-external-policy-local",
                "loadbalancer-source-ranges"
            })
    void every_flow_becomes_what_the_scenario_says(String name) throws IOException {
        Scenario scenario = Scenario.named(name);
        SoftAssertions all = new SoftAssertions();
        try (ScenarioLab lab = ScenarioLab.build(scenario, "flvsc", LabMode.IPVS, Optional.empty())) {
            // Java speaks no SCTP here: those flows are traced, not sent.
            scenario.flows().stream()
                    .filter(flow -> flow.protocol() != Protocol.SCTP)
                    .forEach(flow -> all.check(() -> check(lab, flow)));
        }
        all.assertAll();
    }

    private static void check(ScenarioLab lab, Flow flow) {
        String kind = ModeMatrix.kind(lab.scenario(), flow);
        Set<String> differences =
                new FlowCheck(lab, Set.of(TABLE.cell(kind, COLUMN).split("; "))).check(flow);
        SEEN.add(kind, COLUMN, String.join("; ", differences));
    }
}
