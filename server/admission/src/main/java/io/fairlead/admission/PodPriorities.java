package io.fairlead.admission;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.kinds.Tree;
import io.fairlead.objects.Admission;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.WatchCache;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Gives a pod the priority of its PriorityClass; there can be one default class.
final class PodPriorities implements Admission {
    private final WatchCache cache;

    PodPriorities(WatchCache cache) {
        this.cache = cache;
    }

    @Override
    public void admit(Attempt attempt) {
        if (!attempt.kind().equals(Kind.POD)) {
            return;
        }
        if (attempt.isNew()) {
            decide(attempt, Tree.object(attempt.object(), "spec"));
        } else {
            keep(attempt.old().path("spec"), Tree.object(attempt.object(), "spec"));
        }
    }

    /// A client that leaves out what was decided does not mean to change it.
    private static void keep(JsonNode old, ObjectNode spec) {
        for (String field : List.of("priority", "preemptionPolicy")) {
            if (!spec.has(field)) {
                Tree.set(spec, field, old.path(field).deepCopy());
            }
        }
    }

    private void decide(Attempt attempt, ObjectNode spec) {
        Optional<ApiObject> named = classOf(attempt, Json.text(spec, "priorityClassName"));
        named.ifPresent(found -> spec.put("priorityClassName", found.key().name()));
        JsonNode priority = named.<JsonNode>map(ApiObject::tree).orElseGet(Json::object);
        int value = Json.number(priority, 0, "value");
        if (spec.has("priority") && Json.number(spec, 0, "priority") != value) {
            throw refused(
                    attempt,
                    "the integer value of priority (%s) must not be provided in pod spec; priority admission controller computed %d from the given PriorityClass name"
                            .formatted(spec.path("priority"), value));
        }
        spec.put("priority", value);
        if (!spec.has("preemptionPolicy")) {
            String policy = Json.text(priority, "preemptionPolicy");
            spec.put("preemptionPolicy", policy.isEmpty() ? "PreemptLowerPriority" : policy);
        }
    }

    private Optional<ApiObject> classOf(Attempt attempt, String name) {
        if (name.isEmpty()) {
            return cache.of(Kind.PRIORITY_CLASS).list("").items().stream()
                    .filter(object -> Json.flag(object.tree(), false, "globalDefault"))
                    .min(Comparator.comparingInt(object -> Json.number(object.tree(), 0, "value")));
        }
        Optional<ApiObject> found = cache.of(Kind.PRIORITY_CLASS).find(new NamespacedName("", name));
        if (found.isEmpty()) {
            throw refused(attempt, "no PriorityClass with name %s was found".formatted(name));
        }
        return found;
    }

    @Override
    public void check(Attempt attempt) {
        boolean wants =
                attempt.kind().equals(Kind.PRIORITY_CLASS) && Json.flag(attempt.object(), false, "globalDefault");
        String name = Json.text(attempt.object(), "metadata", "name");
        if (wants) {
            cache.of(Kind.PRIORITY_CLASS).list("").items().stream()
                    .filter(object -> Json.flag(object.tree(), false, "globalDefault"))
                    .filter(object -> !object.key().name().equals(name))
                    .findFirst()
                    .ifPresent(other -> {
                        throw refused(
                                attempt,
                                "PriorityClass %s is already marked as default. Only one default can exist"
                                        .formatted(other.key().name()));
                    });
        }
    }

    private static StatusException refused(Attempt attempt, String why) {
        return StatusException.forbidden(attempt.kind(), Json.text(attempt.object(), "metadata", "name"), why);
    }
}
