package io.fairlead.kinds;

import io.fairlead.api.Problem;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// The rules for Event, as core/v1 writes it.
public final class EventValidation {
    private static final List<String> TYPES = List.of("Normal", "Warning");
    private static final List<String> HOMES_OF_CLUSTER_EVENTS = List.of("default", "kube-system");
    private static final int MESSAGE_LIMIT = 1024;

    private EventValidation() {}

    public static List<Problem> check(JsonNode event) {
        FieldValidation root = FieldValidation.of(event);
        FieldValidation about = root.object("involvedObject");
        String namespace = root.object("metadata").text("namespace");
        String aboutNamespace = about.text("namespace");
        boolean fits = aboutNamespace.isEmpty()
                ? HOMES_OF_CLUSTER_EVENTS.contains(namespace)
                : aboutNamespace.equals(namespace);
        if (!fits) {
            about.invalid("namespace", aboutNamespace, "does not match event.namespace");
        }
        root.number("count", 0);
        root.object("source");
        root.object("series").number("count", 0);
        List.of("message", "firstTimestamp", "lastTimestamp").forEach(root::text);
        if (!root.text("eventTime").isEmpty()) {
            checkNew(root);
        }
        return root.problems();
    }

    /// What an event must say that is of the new form (events.k8s.io): there `eventTime` is always given.
    private static void checkNew(FieldValidation root) {
        for (String field : List.of("reportingComponent", "reportingInstance", "action", "reason")) {
            if (root.text(field).isEmpty()) {
                root.required(field, "");
            }
        }
        if (root.choice("type", TYPES).isEmpty()) {
            root.required("type", "");
        }
        if (root.text("message").length() > MESSAGE_LIMIT) {
            root.invalid("message", "", "can have at most " + MESSAGE_LIMIT + " characters");
        }
    }
}
