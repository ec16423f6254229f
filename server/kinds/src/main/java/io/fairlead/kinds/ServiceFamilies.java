package io.fairlead.kinds;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Decides of which families a Service has addresses, and writes that into its spec (A8).
public final class ServiceFamilies {
    private static final String REQUIRE = "RequireDualStack";
    private static final String SINGLE = "SingleStack";

    private final List<Family> available;

    /// `available` are the families of the cluster, the usual one first.
    public ServiceFamilies(List<Family> available) {
        this.available = List.copyOf(available);
    }

    /// Writes the families in the order of the addresses; problems come back where the Service asks for what the
    /// cluster lacks, or contradicts itself.
    public List<Problem> decide(JsonNode old, ObjectNode spec) {
        boolean headless = Json.text(spec, "clusterIP").equals("None");
        List<Family> asked = asked(spec);
        String policy = Json.text(spec, "ipFamilyPolicy");
        // Its endpoints are written by hand, and may be of families that the cluster has no addresses of.
        if (headless && spec.path("selector").isEmpty()) {
            write(spec, policy.isEmpty() ? REQUIRE : policy, withoutSelector(asked, policy));
            return List.of();
        }
        if (policy.isEmpty()) {
            policy = asked.size() > 1 ? REQUIRE : SINGLE;
        }
        List<Problem> problems = problems(spec, asked, policy);
        if (problems.isEmpty()) {
            write(spec, policy, wanted(asked, policy, isSettled(old, policy)));
        }
        return problems;
    }

    private List<Problem> problems(JsonNode spec, List<Family> asked, String policy) {
        List<Problem> problems = new ArrayList<>();
        String field = "spec.ipFamilyPolicy";
        String rule = "must be 'RequireDualStack' or 'PreferDualStack' when multiple ";
        if (policy.equals(SINGLE) && spec.path("clusterIPs").size() > 1) {
            problems.add(Problem.invalid(field, policy, rule + "cluster IPs are specified"));
        }
        if (policy.equals(SINGLE) && spec.path("ipFamilies").size() > 1) {
            problems.add(Problem.invalid(field, policy, rule + "IP families are specified"));
        }
        if (policy.equals(REQUIRE) && available.size() < 2) {
            problems.add(Problem.invalid(field, policy, "this cluster is not configured for dual-stack services"));
        }
        int named = spec.path("ipFamilies").size();
        for (int i = 0; i < asked.size(); i++) {
            if (!available.contains(asked.get(i))) {
                problems.add(
                        i < named
                                ? Problem.invalid(
                                        "spec.ipFamilies[" + i + "]", asked.get(i), "not configured on this cluster")
                                : Problem.invalid(
                                        "spec.clusterIPs[" + i + "]",
                                        spec.path("clusterIPs"),
                                        asked.get(i) + " is not configured on this cluster"));
            }
        }
        return problems;
    }

    /// True if the client asks for no change: a cluster that gains or loses a family does not change its Services.
    private static boolean isSettled(JsonNode old, String policy) {
        return policy.equals("PreferDualStack")
                && policy.equals(Json.text(old, "spec", "ipFamilyPolicy"))
                && !old.path("spec").path("ipFamilies").isEmpty();
    }

    private List<Family> wanted(List<Family> asked, String policy, boolean settled) {
        List<Family> wanted = new ArrayList<>(asked.isEmpty() ? available.subList(0, 1) : asked);
        if (!policy.equals(SINGLE) && !settled) {
            available.stream().filter(family -> !wanted.contains(family)).forEach(wanted::add);
        }
        return wanted;
    }

    private List<Family> withoutSelector(List<Family> asked, String policy) {
        List<Family> wanted = new ArrayList<>(asked.isEmpty() ? available.subList(0, 1) : asked);
        if (!policy.equals(SINGLE) && wanted.size() == 1) {
            wanted.add(wanted.getFirst() == Family.IPV4 ? Family.IPV6 : Family.IPV4);
        }
        return wanted;
    }

    private static void write(ObjectNode spec, String policy, List<Family> families) {
        spec.put("ipFamilyPolicy", policy);
        ArrayNode list = spec.putArray("ipFamilies");
        families.forEach(family -> list.add(family.toString()));
    }

    /// Those that are named, and then those of further addresses.
    private static List<Family> asked(JsonNode spec) {
        List<Family> asked = new ArrayList<>();
        for (String text : Json.texts(spec, "ipFamilies")) {
            asked.add(text.equals("IPv6") ? Family.IPV6 : Family.IPV4);
        }
        Json.ips(spec, "clusterIPs").stream().skip(asked.size()).map(Ip::family).forEach(asked::add);
        return asked;
    }
}
