package io.fairlead.node;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.runtime.Backoff;
import io.fairlead.runtime.Latest;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
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
        JsonNode written = Json.object();
        PodStatus.View view = views.take();
        while (true) {
            try {
                written = write(view, written.isEmpty() ? read(view) : written);
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

    /// What an agent before this one wrote.
    private JsonNode read(PodStatus.View view) throws InterruptedException {
        return api.find(Kind.POD, view.record().key())
                .filter(pod ->
                        Json.text(pod, "metadata", "uid").equals(view.record().uid()))
                .map(pod -> pod.path("status"))
                .orElse(Json.object());
    }

    private JsonNode write(PodStatus.View view, JsonNode before) throws InterruptedException {
        ObjectNode status = PodStatus.of(view, before, Instant.now());
        if (!PodStatus.differs(status, before)) {
            return before;
        }
        ObjectNode patch = Json.object();
        patch.putObject("metadata").put("uid", view.record().uid());
        patch.set("status", status);
        return api.patchStatus(Kind.POD, view.record().key(), patch).path("status");
    }
}
