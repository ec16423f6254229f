package io.fairlead.controllers;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import tools.jackson.databind.node.ObjectNode;

/// How an Event about an object is written.
final class EventTree {
    private static final String COMPONENT = "fairlead-controllers";

    private EventTree() {}

    static ObjectNode of(Write.Report report, Instant now) {
        KubernetesObject about = report.about();
        String namespace =
                about.key().namespace().isEmpty() ? "default" : about.key().namespace();
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        ObjectNode event =
                Json.object().put("apiVersion", Kind.EVENT.apiVersion()).put("kind", Kind.EVENT.name());
        event.putObject("metadata")
                .put("generateName", about.key().name() + ".")
                .put("namespace", namespace);
        event.putObject("involvedObject")
                .put("apiVersion", about.kind().apiVersion())
                .put("kind", about.kind().name())
                .put("namespace", about.key().namespace())
                .put("name", about.key().name())
                .put("uid", about.metadata().uid());
        event.put("type", report.type())
                .put("reason", report.reason())
                .put("message", report.message())
                .put("firstTimestamp", time)
                .put("lastTimestamp", time)
                .put("count", 1);
        event.putObject("source").put("component", COMPONENT);
        return event;
    }
}
