package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Node;
import io.fairlead.api.Snapshot;
import io.fairlead.client.EventSender;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

final class DriftReportTest {
    private final EventSender events = new EventSender("test", InstantSource.system());
    private final DriftReport report = new DriftReport(TestCluster.NODE.name(), events, new PrometheusRegistry());
    private final Snapshot snapshot = TestCluster.withPod(1)
            .with(Node.of((ObjectNode) Json.parse("{\"metadata\": {\"name\": \"node-a\", \"uid\": \"n1\"}}")));

    @Test
    void what_was_changed_is_one_event_on_the_node_once_it_is_put_right() {
        report.synced(snapshot);
        assertThat(events.waiting()).isEmpty();

        report.seen("ipvs", List.of("missing: -A -t 10.96.0.10:80 -s rr", "not ours: address 10.96.7.7"));
        assertThat(events.waiting()).as("before it is put right").isEmpty();
        report.synced(snapshot);
        report.synced(snapshot);

        assertThat(events.waiting())
                .extracting(EventDraft::kind, EventDraft::reason, EventDraft::message)
                .containsExactly(tuple(
                        Kind.NODE,
                        "RulesRepaired",
                        "another program changed the rules of mode ipvs, which is put right:"
                                + " missing: -A -t 10.96.0.10:80 -s rr; not ours: address 10.96.7.7"));
    }

    @Test
    void many_differences_are_counted_and_long_ones_cut() {
        List<String> many = IntStream.range(0, 8)
                .mapToObj(i -> "missing: " + "x".repeat(300) + i)
                .toList();
        assertThat(DriftReport.text(many)).endsWith("; and 3 more").hasSizeLessThan(1_100);
    }
}
