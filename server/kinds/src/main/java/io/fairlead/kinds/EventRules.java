package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The row of Event.
record EventRules() implements KindRules {
    @Override
    public Kind kind() {
        return Kind.EVENT;
    }

    /// What every Event shows, said or not.
    @Override
    public void fillDefaults(ObjectNode event) {
        Tree.object(event, "involvedObject");
        Tree.object(event, "source");
        for (String time : List.of("firstTimestamp", "lastTimestamp", "eventTime")) {
            if (event.path(time).isMissingNode()) {
                event.putNull(time);
            }
        }
        Tree.putIfAbsent(event, "reportingComponent", "");
        Tree.putIfAbsent(event, "reportingInstance", "");
    }

    @Override
    public boolean createsOnUpdate() {
        return true;
    }

    @Override
    public List<Problem> check(JsonNode event) {
        return EventValidation.check(event);
    }

    @Override
    public Map<String, Function<JsonNode, String>> fields() {
        Map<String, Function<JsonNode, String>> fields = KindRules.fieldsAt(
                "involvedObject.kind",
                "involvedObject.namespace",
                "involvedObject.name",
                "involvedObject.uid",
                "involvedObject.apiVersion",
                "involvedObject.resourceVersion",
                "involvedObject.fieldPath",
                "reason",
                "reportingComponent",
                "type");
        fields.put("source", EventRules::component);
        return fields;
    }

    @Override
    public List<Column> columns() {
        return List.of(
                new Column("Last Seen", "string", 0, EventRules::lastSeen),
                Column.blank("Type", KindRules.field("type")),
                Column.blank("Reason", KindRules.field("reason")),
                Column.blank("Object", EventRules::object),
                Column.blank("Subobject", KindRules.field("involvedObject", "fieldPath"))
                        .wide(),
                Column.blank("Source", EventRules::source).wide(),
                Column.blank("Message", event -> Json.text(event, "message").strip()),
                new Column("First Seen", "string", 1, EventRules::firstSeen),
                new Column("Count", "integer", 1, (event, now) -> count(event)),
                Column.blank("Name", KindRules.field("metadata", "name")).wide());
    }

    private static String firstSeen(JsonNode event, Instant now) {
        String first = Json.text(event, "firstTimestamp");
        return Column.since(first.isEmpty() ? Json.text(event, "eventTime") : first, now);
    }

    private static String lastSeen(JsonNode event, Instant now) {
        String last = event.has("series")
                ? Json.text(event, "series", "lastObservedTime")
                : Json.text(event, "lastTimestamp");
        return last.isEmpty() ? firstSeen(event, now) : Column.since(last, now);
    }

    private static int count(JsonNode event) {
        int count = event.has("series") ? Json.number(event, 1, "series", "count") : Json.number(event, 1, "count");
        return Math.max(1, count);
    }

    private static String object(JsonNode event) {
        String kind = Json.text(event, "involvedObject", "kind").toLowerCase(Locale.ROOT);
        String name = Json.text(event, "involvedObject", "name");
        return name.isEmpty() ? kind : kind + "/" + name;
    }

    private static String component(JsonNode event) {
        String component = Json.text(event, "source", "component");
        return component.isEmpty() ? Json.text(event, "reportingComponent") : component;
    }

    private static String source(JsonNode event) {
        String host = Json.text(event, "source", "host");
        String instance = host.isEmpty() ? Json.text(event, "reportingInstance") : host;
        return instance.isEmpty() ? component(event) : component(event) + ", " + instance;
    }
}
