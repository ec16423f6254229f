package io.fairlead.announce;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Kind;
import io.fairlead.api.Lease;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.client.EventSender;
import io.fairlead.client.Interest;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/// Answers the neighbours of this node for those addresses of load balancers that are its own.
///
/// It works in the network namespace of this JVM. When its tasks end, the answers end; others take the
/// addresses when the Lease of this node has run out. A restart that is quicker moves nothing.
public final class Announcer {
    static final String LABEL = "fairlead.io/announcer";

    private final AnnounceConfig config;
    private final ApiClient client;
    private final Latest<Announced> state = new Latest<>();
    private final EventSender events = new EventSender("fairlead-announcer", InstantSource.system());
    private final AnnouncerMetrics metrics;

    /// Between the loop and the others: whether heartbeats are needed, what is announced, and the
    /// Events for users.
    record Doors(Latest<Boolean> needed, Latest<Announced> state, Consumer<EventDraft> events) {}

    public Announcer(AnnounceConfig config, ApiClient client, PrometheusRegistry registry) {
        this.config = config;
        this.client = client;
        this.metrics = new AnnouncerMetrics(registry, this::announced);
    }

    /// What the Snapshots of an announcer must hold, beside Services and their slices. A cluster that does not
    /// show us Leases has nothing announced, but what else is in the Snapshot must not wait for them.
    public static List<Interest> interests() {
        return List.of(
                Interest.all(Kind.NODE),
                Interest.labelled(Kind.LEASE, LABEL).in(Lease.NODES).ifThere());
    }

    /// Starts the loops; they end with the group.
    public void run(Latest<Snapshot> snapshots, TaskGroup tasks) {
        Latest<Boolean> needed = new Latest<>();
        Doors doors = new Doors(needed, state, events::send);
        tasks.keep("announce-heartbeat", () -> {
            needed.again();
            new Heartbeat(config, client).run(needed);
        });
        tasks.keep("announce-events", () -> events.run(client));
        tasks.keep("announce", () -> {
            snapshots.again(); // after a failure, what was taken already
            try (Speakers speakers = new Speakers(tasks, metrics)) {
                new AnnounceLoop(config, doors, metrics, speakers).run(snapshots);
            }
        });
    }

    /// Who announces what, as this node sees it.
    public String text() {
        return announced().text();
    }

    private Announced announced() {
        return state.peek().orElse(Announced.NOTHING);
    }
}
