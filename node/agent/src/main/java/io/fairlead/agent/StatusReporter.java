package io.fairlead.agent;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.ObjectMeta;
import io.fairlead.api.Pod;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.runtime.ApplyLoop;
import io.fairlead.runtime.ApplyLoop.Reason;
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
final class StatusReporter implements ApplyLoop.Work<PodStatus.View> {
    private static final Logger LOG = LoggerFactory.getLogger(StatusReporter.class);

    private final ApiClient api;
    private final Latest<PodStatus.View> views = new Latest<>();
    private ObjectNode known = Json.object(); // as the API server last gave it; empty before that

    StatusReporter(ApiClient api) {
        this.api = api;
    }

    void offer(PodStatus.View view) {
        views.offer(view);
    }

    void run() throws InterruptedException {
        Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30), RandomGenerator.getDefault());
        new ApplyLoop<>(views, this, backoff).run();
    }

    @Override
    public void apply(PodStatus.View view, Reason reason) throws InterruptedException {
        try {
            known = write(view, known.isEmpty() || isOverruled(view, known) ? read(view) : known);
        } catch (ApiException e) {
            if (e.isConflict()) {
                known = write(view, read(view)); // another client has written: the same again, over what it wrote
            } else if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    @Override
    public boolean isRefusal(RuntimeException failure) {
        return failure instanceof ApiException;
    }

    @Override
    public void refused(RuntimeException refusal, Duration pause) {
        known = Json.object();
        LOG.warn(
                "event=status-failed pod={} retry={}ms reason=\"{}\"",
                views.peek()
                        .map(view -> view.record().key())
                        .map(Object::toString)
                        .orElse(""),
                pause.toMillis(),
                refusal.getMessage());
    }

    /// True if the pod's status says otherwise since: the control plane does so for the pods of a node that was cut
    /// off, and others open and close the readiness gates.
    private static boolean isOverruled(PodStatus.View view, ObjectNode known) {
        ObjectMeta seen = view.pod().metadata();
        return seen.uid().equals(view.record().uid())
                && seen.revision().isAfter(ObjectMeta.of(known).revision())
                && isOther(view.pod().status(), Pod.of(known).status());
    }

    private static boolean isOther(Pod.Status seen, Pod.Status known) {
        return seen.ready() != known.ready() || !seen.passedGates().equals(known.passedGates());
    }

    /// The pod with what an agent before this one wrote, or another client.
    private ObjectNode read(PodStatus.View view) throws InterruptedException {
        return api.find(Kind.POD, view.record().key())
                .filter(pod ->
                        Json.text(pod, "metadata", "uid").equals(view.record().uid()))
                .orElse(Json.object());
    }

    // The list of conditions is replaced as a whole, so it must be the one that was read.
    private ObjectNode write(PodStatus.View view, ObjectNode before) throws InterruptedException {
        if (before.isEmpty()) {
            return before; // gone, or another pod of the same name: this status belongs to neither
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
