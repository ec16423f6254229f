package io.fairlead.sync;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Kind;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a proxy tells the users of an object, on its way to the API server; whoever tells never waits.
///
/// Few wait at a time. Where there are more, or the API server refuses one, it is in the log alone.
final class Events {
    private static final Logger LOG = LoggerFactory.getLogger(Events.class);
    private static final int MAX_WAITING = 100;

    private final String component;
    private final InstantSource clock;
    private final BlockingQueue<EventDraft> waiting = new ArrayBlockingQueue<>(MAX_WAITING);

    Events(String component, InstantSource clock) {
        this.component = component;
        this.clock = clock;
    }

    void tell(EventDraft event) {
        if (!waiting.offer(event)) {
            LOG.warn("event lost={} about={}", event.reason(), event.about());
        }
    }

    /// What was told and not sent yet.
    List<EventDraft> waiting() {
        return List.copyOf(waiting);
    }

    /// Sends what was told, until it is interrupted.
    void run(ApiClient client) throws InterruptedException {
        while (true) {
            EventDraft event = waiting.take();
            try {
                client.create(Kind.EVENT, event.tree(component, clock.instant()));
            } catch (ApiException e) {
                LOG.warn("event={} about={} refused=\"{}\"", event.reason(), event.about(), e.getMessage());
            }
        }
    }
}
