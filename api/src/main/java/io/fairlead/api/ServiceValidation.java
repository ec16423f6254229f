package io.fairlead.api;

import io.fairlead.api.NameValidation.LetterCase;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The rules for the spec of a Service (A7, A9, A10), after its defaults have been filled in.
public final class ServiceValidation {
    private static final List<String> TYPES =
            Stream.of(Service.Type.values()).map(Service.Type::toString).toList();
    private static final List<String> POLICIES = List.of("Cluster", "Local");
    private static final List<Cidr> LOOPBACK = List.of(Cidr.parse("127.0.0.0/8"), Cidr.parse("::1/128"));
    private static final int LONGEST_AFFINITY_SECONDS = 86_400;

    private ServiceValidation() {}

    public static List<Problem> check(JsonNode service, LetterCase letterCase) {
        FieldValidation root = FieldValidation.of(service);
        FieldValidation spec = root.object("spec");
        Service.Type type = Service.Type.of(spec.choice("type", TYPES));
        boolean headless = spec.text("clusterIP").equals("None");
        new ServicePortValidation(spec, letterCase).check(type, headless);
        MetadataValidation.checkLabels(spec, "selector");
        spec.flag("publishNotReadyAddresses", false);
        checkAffinity(spec);
        checkExternalName(spec, type);
        new ServiceAddressValidation(spec).check(type, headless);
        checkExternalAccess(spec, type);
        checkLoadBalancer(spec, type);
        return root.problems();
    }

    /// What may not change in an update (A7, A10).
    public static List<Problem> checkUpdate(JsonNode old, JsonNode service) {
        FieldValidation root = FieldValidation.of(service);
        FieldValidation spec = root.object("spec");
        boolean externalName = isExternalName(old) || isExternalName(service);
        String oldIp = Json.text(old, "spec", "clusterIP");
        String newIp = Json.text(service, "spec", "clusterIP");
        if (!externalName && !oldIp.isEmpty() && !oldIp.equals(newIp)) {
            spec.invalid("clusterIP", newIp, "field is immutable");
        }
        String oldClass = Json.text(old, "spec", "loadBalancerClass");
        String newClass = Json.text(service, "spec", "loadBalancerClass");
        boolean staysLoadBalancer = isLoadBalancer(old) && isLoadBalancer(service);
        if (staysLoadBalancer && !oldClass.equals(newClass)) {
            spec.invalid("loadBalancerClass", newClass, "may not change once the Service is a LoadBalancer");
        }
        int oldPort = Json.number(old, 0, "spec", "healthCheckNodePort");
        int newPort = Json.number(service, 0, "spec", "healthCheckNodePort");
        if (needsHealthPort(old) && needsHealthPort(service) && oldPort != newPort) {
            spec.invalid("healthCheckNodePort", newPort, "field is immutable");
        }
        return root.problems();
    }

    private static boolean isExternalName(JsonNode service) {
        return Json.text(service, "spec", "type").equals("ExternalName");
    }

    private static boolean isLoadBalancer(JsonNode service) {
        return Json.text(service, "spec", "type").equals("LoadBalancer");
    }

    private static boolean needsHealthPort(JsonNode service) {
        return isLoadBalancer(service)
                && Json.text(service, "spec", "externalTrafficPolicy").equals("Local");
    }

    private static void checkAffinity(FieldValidation spec) {
        String affinity = spec.choice("sessionAffinity", List.of("ClientIP", "None"));
        if (!spec.has("sessionAffinityConfig")) {
            return;
        }
        if (!affinity.equals("ClientIP")) {
            spec.forbidden("sessionAffinityConfig", "must not be set when `sessionAffinity` is 'None'");
            return;
        }
        FieldValidation client = spec.object("sessionAffinityConfig").object("clientIP");
        int seconds = client.number("timeoutSeconds", 1);
        if (seconds < 1 || seconds > LONGEST_AFFINITY_SECONDS) {
            client.invalid("timeoutSeconds", seconds, "must be between 1 and " + LONGEST_AFFINITY_SECONDS);
        }
    }

    private static void checkExternalName(FieldValidation spec, Service.Type type) {
        String name = spec.text("externalName");
        if (type != Service.Type.EXTERNAL_NAME) {
            return;
        }
        if (name.isEmpty()) {
            spec.required("externalName", "an ExternalName Service says where it points to");
            return;
        }
        String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        if (Ip.find(name).isEmpty()) {
            spec.check("externalName", name, NameValidation.subdomain(LetterCase.LOWER, bare));
        }
    }

    private static void checkExternalAccess(FieldValidation spec, Service.Type type) {
        List<FieldValidation> externalIps = spec.texts("externalIPs");
        externalIps.forEach(ip -> checkExternalIp(ip));
        spec.choice("internalTrafficPolicy", POLICIES);
        boolean reachable = type == Service.Type.NODE_PORT
                || type == Service.Type.LOAD_BALANCER
                || (type == Service.Type.CLUSTER_IP && !externalIps.isEmpty());
        String policy = spec.choice("externalTrafficPolicy", POLICIES);
        if (!policy.isEmpty() && !reachable) {
            spec.invalid(
                    "externalTrafficPolicy",
                    policy,
                    "may only be set for externally accessible Services (NodePort, LoadBalancer, or with externalIPs)");
        }
        spec.choice("trafficDistribution", List.of("PreferClose", "PreferSameNode", "PreferSameZone"));
    }

    private static void checkExternalIp(FieldValidation item) {
        Optional<Ip> ip = Ip.find(item.text());
        if (ip.isEmpty()) {
            item.invalid("must be an IP address (like 10.9.8.7 or 2001:db8::ffff)");
        } else if (isLoopback(ip.get())) {
            item.invalid("may not be a loopback address");
        }
    }

    private static boolean isLoopback(Ip ip) {
        return LOOPBACK.stream().anyMatch(block -> block.contains(ip));
    }

    private static void checkLoadBalancer(FieldValidation spec, Service.Type type) {
        Set<String> seen = new HashSet<>();
        for (FieldValidation range : spec.texts("loadBalancerSourceRanges")) {
            String text = range.text().strip();
            if (Cidr.find(text).isEmpty()) {
                range.invalid("must be a CIDR (like 10.9.8.0/24 or 2001:db8::/64)");
            } else {
                seen.add(text);
            }
        }
        if (type == Service.Type.LOAD_BALANCER) {
            checkLoadBalancerClass(spec);
            checkHealthPort(spec);
            return;
        }
        String rule = "may only be used when `type` is 'LoadBalancer'";
        if (!seen.isEmpty()) {
            spec.forbidden("loadBalancerSourceRanges", rule);
        }
        spec.forbidIfPresent("allocateLoadBalancerNodePorts", rule);
        spec.forbidIfPresent("loadBalancerClass", rule);
        checkHealthPort(spec);
    }

    private static void checkLoadBalancerClass(FieldValidation spec) {
        spec.flag("allocateLoadBalancerNodePorts", true);
        String name = spec.text("loadBalancerClass");
        if (!name.isEmpty()) {
            spec.check("loadBalancerClass", name, NameValidation.qualifiedName(name));
        }
    }

    private static void checkHealthPort(FieldValidation spec) {
        int port = spec.number("healthCheckNodePort", 0);
        boolean used = spec.text("type").equals("LoadBalancer")
                && spec.text("externalTrafficPolicy").equals("Local");
        if (port != 0 && !used) {
            spec.invalid(
                    "healthCheckNodePort",
                    port,
                    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
        }
    }
}
