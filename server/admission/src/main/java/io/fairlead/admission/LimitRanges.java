package io.fairlead.admission;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Quantity;
import io.fairlead.kinds.Amounts;
import io.fairlead.kinds.Tree;
import io.fairlead.objects.Admission;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.WatchCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Holds new pods and claims to the LimitRanges of their namespace, and gives containers what those say by default.
final class LimitRanges implements Admission {
    private static final String NOTE = "kubernetes.io/limit-ranger";

    private final WatchCache cache;

    LimitRanges(WatchCache cache) {
        this.cache = cache;
    }

    @Override
    public void admit(Attempt attempt) {
        if (!attempt.isNew() || !attempt.kind().equals(Kind.POD)) {
            return;
        }
        List<String> notes = new ArrayList<>();
        items(attempt, "Container").forEach(item -> {
            ObjectNode spec = Tree.object(attempt.object(), "spec");
            for (ObjectNode container : Tree.objects(spec, "containers")) {
                fill(container, item, "container", notes);
            }
            for (ObjectNode container : Tree.objects(spec, "initContainers")) {
                fill(container, item, "init container", notes);
            }
        });
        if (!notes.isEmpty()) {
            Tree.object(Tree.object(attempt.object(), "metadata"), "annotations")
                    .put(NOTE, "LimitRanger plugin set: " + String.join("; ", notes));
        }
    }

    private static void fill(ObjectNode container, JsonNode item, String word, List<String> notes) {
        ObjectNode resources = Tree.object(container, "resources");
        for (String field : List.of("requests", "limits")) {
            List<String> set = new ArrayList<>();
            item.path(field.equals("limits") ? "default" : "defaultRequest")
                    .propertyStream()
                    .filter(entry -> !resources.path(field).has(entry.getKey()))
                    .forEach(entry -> {
                        Tree.object(resources, field).set(entry.getKey(), entry.getValue());
                        set.add(entry.getKey());
                    });
            if (!set.isEmpty()) {
                notes.add("%s %s for %s %s"
                        .formatted(
                                String.join(", ", set.stream().sorted().toList()),
                                field.substring(0, field.length() - 1),
                                word,
                                Json.text(container, "name")));
            }
        }
    }

    @Override
    public void check(Attempt attempt) {
        if (!attempt.isNew()) {
            return;
        }
        List<String> faults = new ArrayList<>();
        JsonNode object = attempt.object();
        if (attempt.kind().equals(Kind.POD)) {
            items(attempt, "Container")
                    .forEach(item -> containers(object)
                            .forEach(container -> new Bounds(item, container.path("resources")).check(faults)));
            items(attempt, "Pod")
                    .forEach(
                            item -> new Bounds(item, PodAmounts.of(object, "requests"), PodAmounts.of(object, "limits"))
                                    .check(faults));
        } else if (attempt.kind().equals(Kind.PERSISTENT_VOLUME_CLAIM)) {
            items(attempt, "PersistentVolumeClaim").forEach(item -> {
                Map<String, Quantity> asked = Amounts.at(object, "spec", "resources", "requests");
                new Bounds(item, asked, asked).check(faults);
            });
        }
        if (!faults.isEmpty()) {
            throw StatusException.forbidden(
                    attempt.kind(),
                    Json.text(object, "metadata", "name"),
                    faults.size() == 1 ? faults.getFirst() : "[" + String.join(", ", faults) + "]");
        }
    }

    private static Stream<JsonNode> containers(JsonNode pod) {
        return Stream.of("containers", "initContainers")
                .flatMap(field -> Tree.objects(pod.path("spec"), field).stream());
    }

    private Stream<JsonNode> items(Attempt attempt, String type) {
        String namespace = Json.text(attempt.object(), "metadata", "namespace");
        return cache.of(Kind.LIMIT_RANGE).list(namespace).items().stream()
                .map(ApiObject::tree)
                .flatMap(range -> Json.at(range, "spec", "limits").valueStream())
                .filter(item -> Json.text(item, "type").equals(type));
    }

    /// One item of a LimitRange, and what is asked of it.
    private record Bounds(JsonNode item, Map<String, Quantity> requests, Map<String, Quantity> limits) {
        Bounds(JsonNode item, JsonNode resources) {
            this(item, Amounts.at(resources, "requests"), Amounts.at(resources, "limits"));
        }

        void check(List<String> faults) {
            Amounts.at(item, "min").forEach((name, least) -> checkMin(name, least, faults));
            Amounts.at(item, "max").forEach((name, most) -> checkMax(name, most, faults));
            Amounts.at(item, "maxLimitRequestRatio").forEach((name, most) -> checkRatio(name, most, faults));
        }

        private void checkMin(String name, Quantity least, List<String> faults) {
            Quantity request = requests.get(name);
            Quantity limit = limits.get(name);
            String rule = "minimum %s usage per %s is %s".formatted(name, type(), shown("min", name));
            if (request == null) {
                faults.add(rule + ".  No request is specified");
            } else if (request.compareTo(least) < 0) {
                faults.add(rule + ", but request is " + request);
            } else if (limit != null && limit.compareTo(least) < 0) {
                faults.add(rule + ", but limit is " + limit);
            }
        }

        private void checkMax(String name, Quantity most, List<String> faults) {
            Quantity request = requests.get(name);
            Quantity limit = limits.get(name);
            String rule = "maximum %s usage per %s is %s".formatted(name, type(), shown("max", name));
            if (limit == null) {
                faults.add(rule + ".  No limit is specified");
            } else if (limit.compareTo(most) > 0) {
                faults.add(rule + ", but limit is " + limit);
            } else if (request != null && request.compareTo(most) > 0) {
                faults.add(rule + ", but request is " + request);
            }
        }

        private void checkRatio(String name, Quantity most, List<String> faults) {
            Quantity request = requests.getOrDefault(name, Quantity.NONE);
            Quantity limit = limits.getOrDefault(name, Quantity.NONE);
            boolean within = !request.isZero()
                    && !limit.isZero()
                    && limit.amount().compareTo(request.amount().multiply(most.amount())) <= 0;
            if (!within) {
                faults.add("%s max limit to request ratio per %s is %s, but request is %s and limit is %s"
                        .formatted(name, type(), shown("maxLimitRequestRatio", name), request, limit));
            }
        }

        private String type() {
            return Json.text(item, "type");
        }

        private String shown(String field, String name) {
            return item.path(field).path(name).asString("");
        }
    }
}
