package io.fairlead.resolver;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.yaml.Yaml;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class ProgrammingTimesTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final String COUNT = "coredns_kubernetes_dns_programming_duration_seconds_count";

    @Test
    void a_slice_counts_once_from_the_change_that_it_was_written_for() {
        ProgrammingTimes times = new ProgrammingTimes(START);
        Snapshot first = snapshot("None", "2026-01-01T00:00:10Z");
        times.answered(Snapshot.EMPTY, first, START.plusMillis(10_003));
        times.answered(first, first.with(slice("2026-01-01T00:00:10Z")), START.plusSeconds(60));
        assertThat(times.text())
                .contains(
                        COUNT + "{service_kind=\"headless_with_selector\"} 1",
                        "_bucket{service_kind=\"headless_with_selector\",le=\"0.002\"} 0",
                        "_bucket{service_kind=\"headless_with_selector\",le=\"0.004\"} 1");
    }

    @Test
    void what_was_before_the_server_is_no_delay_of_it_and_a_cluster_ip_is_another_kind() {
        ProgrammingTimes times = new ProgrammingTimes(START);
        times.answered(Snapshot.EMPTY, snapshot("None", "2025-12-31T23:00:00Z"), START);
        times.answered(Snapshot.EMPTY, snapshot("None", "yesterday"), START);
        assertThat(times.text()).doesNotContain(COUNT);
        times.answered(Snapshot.EMPTY, snapshot("10.96.0.10", "2026-01-01T00:00:00Z"), START.plusMillis(1));
        assertThat(times.text()).contains(COUNT + "{service_kind=\"cluster_ip\"} 1");
    }

    private static Snapshot snapshot(String clusterIp, String trigger) {
        return Snapshot.EMPTY
                .with(slice(trigger))
                .with(Service.of(Yaml.parseAll("""
                    {metadata: {namespace: default, name: web},
                     spec: {clusterIP: %s, selector: {app: web}, ports: [{port: 80}]}}
                    """.formatted(clusterIp)).getFirst()));
    }

    private static EndpointSlice slice(String trigger) {
        return EndpointSlice.of(Yaml.parseAll("""
            {metadata: {namespace: default, name: web-1, labels: {kubernetes.io/service-name: web},
                        annotations: {endpoints.kubernetes.io/last-change-trigger-time: "%s"}},
             addressType: IPv4, ports: [{port: 80}], endpoints: [{addresses: [10.244.1.1]}]}
            """.formatted(trigger)).getFirst());
    }

    @Test
    void a_slice_that_names_a_time_far_away_counts_from_now() {
        ProgrammingTimes times = new ProgrammingTimes(START);
        times.answered(Snapshot.EMPTY, snapshot("None", "+999999999-12-31T23:59:59Z"), START);
        assertThat(times.text()).contains(COUNT + "{service_kind=\"headless_with_selector\"} 1");
    }
}
