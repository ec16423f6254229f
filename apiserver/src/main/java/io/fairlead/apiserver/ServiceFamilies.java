package io.fairlead.apiserver;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Decides of which families a Service has addresses, and writes that into its spec (A8).
final class ServiceFamilies {
    private static final String REQUIRE = "RequireDualStack";
    private static final String SINGLE = "SingleStack";

    private final List<Family> available;

    /// `available` are the families of the cluster, the usual one first.
    ServiceFamilies(List<Family> available) {
        this.available = List.copyOf(available);
    }

    /// The families, in the order of the addresses; a problem where the Service asks for what the cluster lacks.
    List<Problem> decide(JsonNode old, ObjectNode spec, boolean headless) {
        boolean headlessWithoutSelector = headless && spec.path("selector").isEmpty();
        List<Family> asked = asked(spec);
        Tree.putIfAbsent(spec, "ipFamilyPolicy", asked.size() > 1 || headlessWithoutSelector ? REQUIRE : SINGLE);
        String policy = Json.text(spec, "ipFamilyPolicy");
        List<Problem> problems = problems(asked, policy, headlessWithoutSelector);
        if (problems.isEmpty()) {
            // Only a change of the policy adds or drops a family: an upgrade of the cluster does not.
            boolean settled = policy.equals(Json.text(old, "spec", "ipFamilyPolicy"));
            write(spec, settled ? asked : wanted(asked, policy, headlessWithoutSelector));
        }
        return problems;
    }

    private List<Problem> problems(List<Family> asked, String policy, boolean headlessWithoutSelector) {
        List<Problem> problems = new ArrayList<>();
        if (headlessWithoutSelector) {
            return problems;
        }
        for (int i = 0; i < asked.size(); i++) {
            if (!available.contains(asked.get(i))) {
                problems.add(Problem.invalid(
                        "spec.ipFamilies[" + i + "]", asked.get(i), "this family is not configured on this cluster"));
            }
        }
        if (policy.equals(REQUIRE) && available.size() < 2) {
            problems.add(Problem.invalid(
                    "spec.ipFamilyPolicy", policy, "this cluster is not configured for dual-stack services"));
        }
        return problems;
    }

    private List<Family> wanted(List<Family> asked, String policy, boolean headlessWithoutSelector) {
        List<Family> wanted = new ArrayList<>(asked.isEmpty() ? List.of(available.getFirst()) : asked);
        if (policy.equals(SINGLE)) {
            return List.of(wanted.getFirst());
        }
        List<Family> others = headlessWithoutSelector ? List.of(Family.values()) : available;
        others.stream().filter(family -> !wanted.contains(family)).forEach(wanted::add);
        return wanted;
    }

    private static void write(ObjectNode spec, List<Family> families) {
        var list = spec.putArray("ipFamilies");
        families.forEach(family -> list.add(family.toString()));
    }

    private static List<Family> asked(JsonNode spec) {
        List<Family> named = new ArrayList<>();
        for (String text : Json.texts(spec, "ipFamilies")) {
            for (Family family : Family.values()) {
                if (family.toString().equals(text)) {
                    named.add(family);
                }
            }
        }
        List<Family> ofAddresses =
                Json.ips(spec, "clusterIPs").stream().map(Ip::family).toList();
        return Optional.of(named).filter(list -> !list.isEmpty()).orElse(new ArrayList<>(ofAddresses));
    }
}
