package io.fairlead.client;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Kind;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Events of one component on their way to the API server; the caller of [#send] never waits.
///
/// Few wait at a time. Where there are more, or the API server refuses one, it is in the log alone.
public final class EventSender {
    private static final Logger LOG = LoggerFactory.getLogger(EventSender.class);
    private static final int MAX_WAITING = 100;

    private final String component;
    private final InstantSource clock;
    private final BlockingQueue<EventDraft> waiting = new ArrayBlockingQueue<>(MAX_WAITING);

    public EventSender(String component, InstantSource clock) {
        this.component = component;
        this.clock = clock;
    }

    public void send(EventDraft event) {
        if (!waiting.offer(event)) {
            LOG.warn(
                    "event=event-dropped reason={} object={} cause=\"{} others wait\"",
                    event.reason(),
                    event.about(),
                    MAX_WAITING);
        }
    }

    /// What has not been sent yet.
    public List<EventDraft> waiting() {
        return List.copyOf(waiting);
    }

    /// Sends what comes, until it is interrupted.
    public void run(ApiClient client) throws InterruptedException {
        while (true) {
            EventDraft event = waiting.take();
            try {
                client.create(Kind.EVENT, event.tree(component, clock.instant()));
            } catch (ApiException e) {
                LOG.warn(
                        "event=event-refused reason={} object={} cause=\"{}\"",
                        event.reason(),
                        event.about(),
                        e.getMessage());
            }
        }
    }
}
