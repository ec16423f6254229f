package io.fairlead.kinds;

import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.NameValidation;
import io.fairlead.api.NameValidation.LetterCase;
import io.fairlead.api.Problem;
import io.fairlead.api.Service;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// The rules for the spec of a Service (A7–A11), after its defaults have been filled in.
public final class ServiceValidation {
    private static final List<String> TYPES = Stream.of(Service.Type.values())
            .map(Service.Type::toString)
            .sorted()
            .toList();
    private static final List<String> POLICIES = List.of("Cluster", "Local");
    private static final List<String> DISTRIBUTIONS = List.of("PreferClose", "PreferSameNode", "PreferSameZone");
    private static final int LONGEST_AFFINITY_SECONDS = 86_400;

    private ServiceValidation() {}

    /// What is wrong with a new Service.
    public static List<Problem> check(JsonNode service, LetterCase letterCase) {
        FieldValidation root = FieldValidation.of(service);
        checkSpec(root, MissingNode.getInstance(), service, letterCase);
        return root.problems();
    }

    /// What is wrong with what `old` is to become.
    public static List<Problem> checkUpdate(JsonNode old, JsonNode service, LetterCase letterCase) {
        FieldValidation root = FieldValidation.of(service);
        new ServiceChangeValidation(old, service, root.object("spec")).check();
        checkSpec(root, old.path("spec"), service, letterCase);
        return root.problems();
    }

    private static void checkSpec(FieldValidation root, JsonNode old, JsonNode service, LetterCase letterCase) {
        FieldValidation spec = root.object("spec");
        Service.Type type = Service.Type.of(spec.choice("type", TYPES));
        boolean headless = spec.text("clusterIP").equals("None");
        new ServicePortValidation(spec, letterCase).check(type, headless);
        MetadataValidation.checkLabels(spec, "selector");
        spec.flag("publishNotReadyAddresses", false);
        checkAffinity(spec);
        checkExternalName(spec, type);
        new ServiceAddressValidation(spec, old, service.path("spec")).check(type, headless);
        checkExternalIps(spec, Set.copyOf(Json.texts(old, "externalIPs")));
        checkTraffic(spec, type);
        LoadBalancerValidation.checkSpec(spec, old, type);
        LoadBalancerValidation.checkOldRanges(root, type);
        checkHealthPort(spec);
    }

    private static void checkAffinity(FieldValidation spec) {
        String affinity = spec.choice("sessionAffinity", List.of("ClientIP", "None"));
        if (!spec.has("sessionAffinityConfig")) {
            return;
        }
        if (!affinity.equals("ClientIP")) {
            spec.forbidden("sessionAffinityConfig", "must not be set when session affinity is None");
            return;
        }
        FieldValidation client = spec.object("sessionAffinityConfig").object("clientIP");
        int seconds = client.number("timeoutSeconds", 1);
        if (seconds < 1 || seconds > LONGEST_AFFINITY_SECONDS) {
            client.invalid(
                    "timeoutSeconds", seconds, "must be greater than 0 and less than " + LONGEST_AFFINITY_SECONDS);
        }
    }

    private static void checkExternalName(FieldValidation spec, Service.Type type) {
        String name = spec.text("externalName");
        if (type != Service.Type.EXTERNAL_NAME) {
            return;
        }
        String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        if (bare.isEmpty()) {
            spec.required("externalName", "");
        } else if (Ip.find(name).isEmpty()) {
            spec.check("externalName", name, NameValidation.subdomain(LetterCase.LOWER, bare));
        }
    }

    private static void checkExternalIps(FieldValidation spec, Set<String> before) {
        for (FieldValidation item : spec.texts("externalIPs")) {
            Optional<String> broken = AddressValidation.newIp(item.text(), before);
            item.check(broken.or(() -> Ip.find(item.text()).flatMap(AddressValidation::ordinary)));
        }
    }

    private static void checkTraffic(FieldValidation spec, Service.Type type) {
        boolean reachable = switch (type) {
            case NODE_PORT, LOAD_BALANCER -> true;
            case CLUSTER_IP -> !spec.texts("externalIPs").isEmpty();
            case EXTERNAL_NAME -> false;
        };
        String policy = spec.choice("externalTrafficPolicy", POLICIES);
        if (!policy.isEmpty() && !reachable) {
            spec.invalid("externalTrafficPolicy", policy, "may only be set for externally-accessible services");
        }
        spec.choice("internalTrafficPolicy", POLICIES);
        spec.choice("trafficDistribution", DISTRIBUTIONS);
    }

    private static void checkHealthPort(FieldValidation spec) {
        int port = spec.number("healthCheckNodePort", 0);
        boolean used = spec.text("type").equals("LoadBalancer")
                && spec.text("externalTrafficPolicy").equals("Local");
        if (port == 0) {
            return;
        }
        if (used) {
            spec.checkPort("healthCheckNodePort", port);
        } else {
            spec.invalid(
                    "healthCheckNodePort",
                    port,
                    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
        }
    }
}
