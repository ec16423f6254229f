package io.fairlead.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Snapshot;
import io.fairlead.zone.ZoneSettings.PodMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ZoneStepsTest {
    @ParameterizedTest
    @EnumSource(PodMode.class)
    void a_zone_reached_by_a_thousand_steps_equals_one_compiled_from_scratch(PodMode pods) {
        RandomCluster cluster = new RandomCluster(20260101);
        ZoneSettings settings = ZoneSettings.DEFAULT.withPods(pods).withZoneScoped(true);
        Zone zone = Zone.of(Snapshot.EMPTY, settings);
        for (int step = 0; step < 1000; step++) {
            Snapshot snapshot = cluster.step();
            zone = zone.at(snapshot);
            Zone fresh = Zone.of(snapshot, settings);
            assertThat(zone.names()).as("names after step %d", step).isEqualTo(fresh.names());
            assertThat(zone.byService()).as("Services after step %d", step).isEqualTo(fresh.byService());
        }
        assertThat(zone.size()).as("the walk ends somewhere").isGreaterThan(40);
    }
}
