package io.fairlead.resolver;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Snapshot;
import io.fairlead.testkit.Scenario;
import io.fairlead.yaml.Yaml;
import io.fairlead.zone.Zone;
import io.fairlead.zone.ZoneSettings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class DnsExcerptTest {
    @ParameterizedTest
    @MethodSource("io.fairlead.testkit.Scenario#withNames")
    void every_name_is_as_if_all_had_been_kept(Scenario scenario) {
        for (ZoneSettings settings : List.of(
                ZoneSettings.DEFAULT,
                ZoneSettings.DEFAULT.withPods(ZoneSettings.PodMode.VERIFIED).withZoneScoped(true),
                ZoneSettings.DEFAULT.withPodNames(true).withEmptyServices(false))) {
            assertThat(Zone.of(kept(scenario.snapshot()), settings).text())
                    .isEqualTo(Zone.of(scenario.snapshot(), settings).text());
        }
    }

    @Test
    void what_no_name_is_made_of_is_dropped() {
        EndpointSlice slice = EndpointSlice.of(Yaml.parseAll("""
            {metadata: {namespace: a, name: b, uid: x, labels: {kubernetes.io/service-name: b, more: y},
                        annotations: {endpoints.kubernetes.io/last-change-trigger-time: "2026-01-01T00:00:00Z", more: z}},
             addressType: IPv4, endpoints: [{addresses: [10.0.0.1], targetRef: {name: p, uid: u}, hostname: h}]}
            """).getFirst());
        EndpointSlice kept = (EndpointSlice) DnsExcerpt.of(slice);
        assertThat(kept.metadata().uid()).isEmpty();
        assertThat(kept.metadata().labels()).containsOnlyKeys("kubernetes.io/service-name");
        assertThat(kept.metadata().annotations()).containsOnlyKeys("endpoints.kubernetes.io/last-change-trigger-time");
        assertThat(kept.endpoints().getFirst().podUid()).isEmpty();
        assertThat(kept.endpoints().getFirst().hostname()).isEqualTo("h");
    }

    private static Snapshot kept(Snapshot whole) {
        Snapshot kept = Snapshot.EMPTY;
        for (Kind kind : List.of(Kind.SERVICE, Kind.ENDPOINT_SLICE, Kind.NAMESPACE, Kind.POD)) {
            for (KubernetesObject object : whole.objects(kind).values().toList()) {
                kept = kept.with(DnsExcerpt.of(object));
            }
        }
        return kept.at(whole.revision());
    }
}
