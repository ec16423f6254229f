package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// The rules for PriorityClass.
public final class PriorityValidation {
    /// The classes that every cluster has, and their values.
    public static final Map<String, Integer> SYSTEM =
            Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000);

    private static final int HIGHEST = 1_000_000_000;
    private static final String PREFIX = "system-";

    private PriorityValidation() {}

    static List<Problem> check(JsonNode priority) {
        FieldValidation root = FieldValidation.of(priority);
        String name = Json.text(priority, "metadata", "name");
        int value = root.number("value", 0);
        if (name.startsWith(PREFIX) && !SYSTEM.getOrDefault(name, -1).equals(value)) {
            root.object("metadata").forbidden("name", "priority class names with '" + PREFIX + "' prefix are reserved");
        } else if (!name.startsWith(PREFIX) && value > HIGHEST) {
            root.forbidden("value", "maximum allowed value of a user defined priority is " + HIGHEST);
        }
        root.choice("preemptionPolicy", List.of("Never", "PreemptLowerPriority"));
        return root.problems();
    }

    static List<Problem> checkChange(JsonNode old, JsonNode priority) {
        List<Problem> problems = new ArrayList<>();
        if (Json.number(old, 0, "value") != Json.number(priority, 0, "value")) {
            problems.add(Problem.forbidden("value", "may not be changed in an update."));
        }
        String policy = Json.text(priority, "preemptionPolicy");
        if (!Json.text(old, "preemptionPolicy").equals(policy)) {
            problems.add(Problem.invalid("preemptionPolicy", policy, "field is immutable"));
        }
        return problems;
    }
}
