package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The rules for containers that are added to a running Pod to look into it: they come, and they never go or change.
public final class EphemeralContainerValidation {
    private static final String FIELD = "ephemeralContainers";
    private static final List<String> FOR_OTHERS =
            List.of("ports", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "resources");

    private EphemeralContainerValidation() {}

    /// A new Pod has none.
    public static List<Problem> checkNew(JsonNode pod) {
        return Json.at(pod, "spec", FIELD).isEmpty()
                ? List.of()
                : List.of(Problem.forbidden("spec." + FIELD, "cannot be set on create"));
    }

    public static List<Problem> checkChange(JsonNode old, JsonNode pod) {
        FieldValidation root = FieldValidation.of(pod);
        FieldValidation spec = root.object("spec");
        Set<String> names = Stream.of("containers", "initContainers")
                .flatMap(field -> Json.list(pod, EphemeralContainerValidation::name, "spec", field).stream())
                .collect(Collectors.toCollection(HashSet::new));
        Set<String> targets = Set.copyOf(Json.list(pod, EphemeralContainerValidation::name, "spec", "containers"));
        spec.objects(FIELD).forEach(container -> check(container, names, targets));
        for (JsonNode before : Json.at(old, "spec", FIELD)) {
            checkKept(before, spec, Json.at(pod, "spec", FIELD));
        }
        return root.problems();
    }

    private static String name(JsonNode container) {
        return Json.text(container, "name");
    }

    private static void check(FieldValidation container, Set<String> names, Set<String> targets) {
        ContainerValidation.checkNameAndImage(container, names);
        FOR_OTHERS.stream()
                .filter(container::says)
                .forEach(field -> container.forbidden(field, "cannot be set for an Ephemeral Container"));
        String target = container.text("targetContainerName");
        if (!target.isEmpty() && !targets.contains(target)) {
            container.invalid("targetContainerName", target, "must be the name of a container of this pod");
        }
    }

    private static void checkKept(JsonNode before, FieldValidation spec, JsonNode now) {
        String name = name(before);
        List<JsonNode> same = now.valueStream()
                .filter(container -> name(container).equals(name))
                .toList();
        if (same.isEmpty()) {
            spec.forbidden(FIELD, "existing ephemeral containers \"%s\" may not be removed".formatted(name));
        } else if (!same.getFirst().equals(before)) {
            spec.forbidden(FIELD, "existing ephemeral containers \"%s\" may not be changed".formatted(name));
        }
    }
}
