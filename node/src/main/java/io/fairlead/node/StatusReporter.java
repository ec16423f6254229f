package io.fairlead.node;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.ObjectMeta;
import io.fairlead.api.Pod;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.runtime.Backoff;
import io.fairlead.runtime.Latest;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Writes the newest status of one pod to the API, and only when it changed; an API that is away never holds up the
/// pod itself.
final class StatusReporter {
    private static final Logger LOG = LoggerFactory.getLogger(StatusReporter.class);

    private final ApiClient api;
    private final Latest<PodStatus.View> views = new Latest<>();

    StatusReporter(ApiClient api) {
        this.api = api;
    }

    void offer(PodStatus.View view) {
        views.offer(view);
    }

    void run() throws InterruptedException {
        Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30), RandomGenerator.getDefault());
        ObjectNode written = Json.object();
        PodStatus.View view = views.take();
        while (true) {
            try {
                written = write(view, written.isEmpty() || isOverruled(view, written) ? read(view) : written);
                backoff.reset();
                view = views.take();
            } catch (ApiException e) {
                // Gone, or another pod of the same name: this status is nobody's.
                boolean hopeless = e.isNotFound() || e.isConflict();
                if (!hopeless) {
                    LOG.warn(
                            "pod={} status=unwritten reason=\"{}\"",
                            view.record().key(),
                            e.getMessage());
                }
                view = hopeless ? views.take() : views.take(backoff.next()).orElse(view);
            }
        }
    }

    /// True if somebody said otherwise since: the control plane does so for the pods of a node that was cut off.
    private static boolean isOverruled(PodStatus.View view, ObjectNode written) {
        ObjectMeta seen = view.pod().metadata();
        return seen.uid().equals(view.record().uid())
                && seen.revision().compareTo(ObjectMeta.of(written).revision()) > 0
                && view.pod().status().ready() != Pod.of(written).status().ready();
    }

    /// The pod with what an agent before this one wrote, or somebody else.
    private ObjectNode read(PodStatus.View view) throws InterruptedException {
        return api.find(Kind.POD, view.record().key())
                .filter(pod ->
                        Json.text(pod, "metadata", "uid").equals(view.record().uid()))
                .orElse(Json.object());
    }

    private ObjectNode write(PodStatus.View view, ObjectNode before) throws InterruptedException {
        ObjectNode status = PodStatus.of(view, before.path("status"), Instant.now());
        if (!PodStatus.differs(status, before.path("status"))) {
            return before;
        }
        ObjectNode patch = Json.object();
        patch.putObject("metadata").put("uid", view.record().uid());
        patch.set("status", status);
        return api.patchStatus(Kind.POD, view.record().key(), patch);
    }
}
