package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.testkit.Scenario;
import io.fairlead.testkit.ScenarioNode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RememberedTest {
    static Stream<Scenario> scenarios() {
        return Scenario.all();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void what_is_remembered_is_enough_to_lead_every_connection(Scenario scenario) {
        Snapshot all = scenario.snapshot();
        Snapshot remembered = Snapshot.EMPTY;
        for (Kind kind : List.of(Kind.SERVICE, Kind.ENDPOINT_SLICE)) {
            List<KubernetesObject> objects =
                    all.all(kind).stream().map(Remembered::of).toList();
            assertThat(objects).extracting(KubernetesObject::kind).containsOnly(kind);
            remembered = remembered.withAll(kind, objects);
        }
        for (ScenarioNode node : scenario.nodes()) {
            ForwardingTable table = ForwardingTable.of(remembered, node.facts());
            assertThat(table.text())
                    .isEqualTo(ForwardingTable.of(all, node.facts()).text());
            assertThat(table.healthChecks())
                    .isEqualTo(ForwardingTable.of(all, node.facts()).healthChecks());
        }
    }
}
