package io.fairlead.agent;

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
        ObjectNode known = Json.object();
        PodStatus.View view = views.take();
        while (true) {
            try {
                known = write(view, known.isEmpty() || isOverruled(view, known) ? read(view) : known);
                backoff.reset();
                view = views.take();
            } catch (ApiException e) {
                if (e.isConflict()) {
                    known = Json.object(); // somebody else has written: the same again, over what it says now
                } else if (e.isNotFound()) {
                    view = views.take();
                } else {
                    LOG.warn(
                            "pod={} status=unwritten reason=\"{}\"",
                            view.record().key(),
                            e.getMessage());
                    view = views.take(backoff.next()).orElse(view);
                }
            }
        }
    }

    /// True if somebody said otherwise since: the control plane does so for the pods of a node that was cut off, and
    /// others open and close the readiness gates.
    private static boolean isOverruled(PodStatus.View view, ObjectNode known) {
        ObjectMeta seen = view.pod().metadata();
        return seen.uid().equals(view.record().uid())
                && seen.revision().isAfter(ObjectMeta.of(known).revision())
                && isOther(view.pod().status(), Pod.of(known).status());
    }

    private static boolean isOther(Pod.Status seen, Pod.Status known) {
        return seen.ready() != known.ready() || !seen.passedGates().equals(known.passedGates());
    }

    /// The pod with what an agent before this one wrote, or somebody else.
    private ObjectNode read(PodStatus.View view) throws InterruptedException {
        return api.find(Kind.POD, view.record().key())
                .filter(pod ->
                        Json.text(pod, "metadata", "uid").equals(view.record().uid()))
                .orElse(Json.object());
    }

    // The list of conditions is replaced as a whole, so it must be the one that was read.
    private ObjectNode write(PodStatus.View view, ObjectNode before) throws InterruptedException {
        if (before.isEmpty()) {
            return before; // gone, or another pod of the same name: this status is nobody's
        }
        ObjectNode status = PodStatus.of(view, before.path("status"), Instant.now());
        if (!PodStatus.differs(status, before.path("status"))) {
            return before;
        }
        ObjectNode patch = Json.object();
        patch.putObject("metadata")
                .put("uid", view.record().uid())
                .put("resourceVersion", ObjectMeta.of(before).revision().toString());
        patch.set("status", status);
        return api.patchStatus(Kind.POD, view.record().key(), patch);
    }
}
