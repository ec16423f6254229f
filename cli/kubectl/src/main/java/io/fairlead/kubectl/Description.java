package io.fairlead.kubectl;

import io.fairlead.api.Json;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// The text that a description becomes: lines of `Name:<tab>value`.
///
/// @param now ages are counted to it
record Description(StringBuilder text, Instant now) {
    static final String NONE = "<none>";
    private static final int LONG = 140;
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss Z", Locale.ROOT)
            .withZone(ZoneId.systemDefault());

    Description(Instant now) {
        this(new StringBuilder(), now);
    }

    /// Words of a line, with tabs between them.
    void line(String words) {
        text.append(words).append('\n');
    }

    /// A line for a value that is there.
    void lineIf(String title, String value) {
        if (!value.isEmpty()) {
            line("%s:\t%s".formatted(title, value));
        }
    }

    /// Name, namespace, labels and annotations.
    void heading(JsonNode object) {
        line("Name:\t%s".formatted(Json.text(object, "metadata", "name")));
        lineIf("Namespace", Json.text(object, "metadata", "namespace"));
        labels("Labels", Json.map(object, "metadata", "labels"));
        annotations("Annotations", Json.map(object, "metadata", "annotations"));
    }

    void labels(String title, Map<String, String> labels) {
        String lines = new TreeMap<>(labels)
                .entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .collect(Collectors.joining("\n\t"));
        line("%s:\t%s".formatted(title, lines.isEmpty() ? NONE : lines));
    }

    void annotations(String title, Map<String, String> annotations) {
        Map<String, String> shown = new TreeMap<>(annotations);
        shown.remove(ApplyPatch.LAST_APPLIED);
        String lines = shown.entrySet().stream()
                .map(entry -> annotation(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining("\n\t"));
        line("%s:\t%s".formatted(title, lines.isEmpty() ? NONE : lines));
    }

    private static String annotation(String key, String value) {
        String stripped = value.endsWith("\n") ? value.substring(0, value.length() - 1) : value;
        if (stripped.length() + key.length() + 2 <= LONG && !stripped.contains("\n")) {
            return key + ": " + stripped;
        }
        return stripped.lines()
                .map(line -> "\n\t  " + (line.length() > LONG - 2 ? line.substring(0, LONG - 2) + "..." : line))
                .collect(Collectors.joining("", key + ":", ""));
    }

    /// What the API server and the controllers said about the object, the oldest first.
    void events(List<JsonNode> events) {
        if (events.isEmpty()) {
            line("Events:\t%s".formatted(NONE));
            return;
        }
        StringBuilder rows = new StringBuilder(
                "Events:\n  Type\tReason\tAge\tFrom\tMessage\n" + "  ----\t------\t----\t----\t-------\n");
        for (JsonNode event : events) {
            String source = Json.text(event, "source", "component");
            rows.append("  %s\t%s\t%s\t%s\t%s\n"
                    .formatted(
                            Json.text(event, "type"),
                            Json.text(event, "reason"),
                            interval(event),
                            source.isEmpty() ? Json.text(event, "reportingComponent") : source,
                            Json.text(event, "message").strip()));
        }
        text.append(rows);
    }

    private String interval(JsonNode event) {
        String begun = Json.text(event, "eventTime");
        String first = age(begun.isEmpty() ? Json.text(event, "firstTimestamp") : begun);
        if (event.has("series")) {
            String last = age(Json.text(event, "series", "lastObservedTime"));
            return "%s (x%d over %s)".formatted(last, Json.number(event, 1, "series", "count"), first);
        }
        int count = Json.number(event, 1, "count");
        return count > 1 ? "%s (x%d over %s)".formatted(age(Json.text(event, "lastTimestamp")), count, first) : first;
    }

    /// How long ago that was, as kubectl rounds it.
    String age(String timestamp) {
        return timestamp.isEmpty() ? "<unknown>" : Ages.text(java.time.Duration.between(Instant.parse(timestamp), now));
    }

    /// `Tue, 02 Jan 2024 10:00:00 +0000`.
    static String date(String timestamp) {
        return timestamp.isEmpty() ? "" : DATE.format(Instant.parse(timestamp));
    }

    /// `app=web,tier=db`.
    static String joined(Map<String, String> labels) {
        String text = new TreeMap<>(labels)
                .entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .collect(Collectors.joining(","));
        return text.isEmpty() ? NONE : text;
    }
}
