package io.fairlead.sync;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import io.fairlead.client.EventSender;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reports what another program did to the rules of this node, once it is put right: in the log, as an Event on the
/// Node, and as a metric.
final class DriftReport {
    private static final Logger LOG = LoggerFactory.getLogger(DriftReport.class);

    /// How many differences are named; others are counted.
    private static final int NAMED = 5;

    private static final int LONGEST = 200;

    private final String node;
    private final EventSender events;
    private final Counter repairs;
    private String mode = ""; // of the loop alone, as what follows
    private List<String> findings = List.of();
    private boolean drifted;

    DriftReport(String node, EventSender events, PrometheusRegistry registry) {
        this.node = node;
        this.events = events;
        this.repairs = Counter.builder()
                .name("fairlead_program_repairs_total")
                .help("How often what another program changed was put right.")
                .register(registry);
    }

    /// Another program changed something; the next round puts it right.
    void seen(String mode, List<String> findings) {
        this.mode = mode;
        this.findings = List.copyOf(findings);
        this.drifted = true;
    }

    void synced(Snapshot snapshot) {
        if (!drifted) {
            return;
        }
        drifted = false;
        repairs.inc();
        String what = text(findings);
        LOG.warn("event=drift-repaired mode={} differences={} what=\"{}\"", mode, findings.size(), what);
        NamespacedName name = new NamespacedName("", node);
        snapshot.nodes()
                .find(name)
                .ifPresent(known -> events.send(new EventDraft(
                        Kind.NODE,
                        name,
                        known.metadata().uid(),
                        "Warning",
                        "RulesRepaired",
                        "another program changed the rules of mode %s, which is put right: %s".formatted(mode, what))));
    }

    static String text(List<String> findings) {
        if (findings.isEmpty()) {
            return "it is not known what was changed";
        }
        List<String> named = findings.stream()
                .limit(NAMED)
                .map(line -> line.replace('\n', ' '))
                .map(line -> line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line)
                .toList();
        int more = findings.size() - named.size();
        return String.join("; ", named) + (more > 0 ? "; and %d more".formatted(more) : "");
    }
}
