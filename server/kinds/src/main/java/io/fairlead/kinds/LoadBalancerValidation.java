package io.fairlead.kinds;

import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.NameValidation;
import io.fairlead.api.NameValidation.LetterCase;
import io.fairlead.api.Problem;
import io.fairlead.api.Service;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The rules for what a Service says to its load balancer (A10), and for what that says in a status (A15, A17).
public final class LoadBalancerValidation {
    private static final String OLD_RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges";
    private static final String RANGES = "LoadBalancerSourceRanges";
    private static final String ONLY_LOAD_BALANCER = "may only be used when `type` is 'LoadBalancer'";

    private LoadBalancerValidation() {}

    /// The fields of `spec` that belong to load balancers; `old` is the spec as it was.
    static void checkSpec(FieldValidation spec, JsonNode old, Service.Type type) {
        Set<String> before = new HashSet<>();
        Json.texts(old, "loadBalancerSourceRanges").forEach(range -> before.add(range.strip()));
        List<FieldValidation> ranges = spec.texts("loadBalancerSourceRanges");
        // Spaces around a block were taken once, and so they are today. The field is spelled as Kubernetes spells it.
        for (int i = 0; i < ranges.size(); i++) {
            String range = ranges.get(i).text();
            spec.check(RANGES + "[" + i + "]", range, AddressValidation.newCidr(range.strip(), before));
        }
        spec.flag("allocateLoadBalancerNodePorts", true);
        String className = spec.text("loadBalancerClass");
        if (type == Service.Type.LOAD_BALANCER) {
            if (!className.isEmpty()) {
                spec.check("loadBalancerClass", className, NameValidation.qualifiedName(className));
            }
            return;
        }
        if (!ranges.isEmpty()) {
            spec.forbidden(RANGES, ONLY_LOAD_BALANCER);
        }
        spec.forbidIfPresent("allocateLoadBalancerNodePorts", ONLY_LOAD_BALANCER);
        spec.forbidIfPresent("loadBalancerClass", ONLY_LOAD_BALANCER);
    }

    /// The annotation that said what `loadBalancerSourceRanges` says, before there was that field.
    static void checkOldRanges(FieldValidation root, Service.Type type) {
        FieldValidation metadata = root.object("metadata");
        String ranges = metadata.map("annotations").getOrDefault(OLD_RANGES, "").strip();
        if (ranges.isEmpty()) {
            return;
        }
        String field = "annotations[" + OLD_RANGES + "]";
        if (type != Service.Type.LOAD_BALANCER) {
            metadata.forbidden(field, ONLY_LOAD_BALANCER);
        }
        for (String range : ranges.split(",", -1)) {
            metadata.check(field, ranges, AddressValidation.cidr(range.strip()));
        }
    }

    /// `status.loadBalancer` of a Service.
    public static List<Problem> checkStatus(JsonNode service) {
        FieldValidation root = FieldValidation.of(service);
        FieldValidation balancer = root.object("status").object("loadBalancer");
        List<FieldValidation> ingress = balancer.objects("ingress");
        if (!ingress.isEmpty() && !Json.text(service, "spec", "type").equals("LoadBalancer")) {
            balancer.forbidden("ingress", "may only be used when `spec.type` is \"LoadBalancer\"");
            return root.problems();
        }
        ingress.forEach(LoadBalancerValidation::checkIngress);
        return root.problems();
    }

    /// `status.loadBalancer` of an Ingress.
    static List<Problem> checkIngressStatus(JsonNode object) {
        FieldValidation root = FieldValidation.of(object);
        for (FieldValidation ingress :
                root.object("status").object("loadBalancer").objects("ingress")) {
            String ip = ingress.text("ip");
            if (!ip.isEmpty()) {
                ingress.check("ip", ip, AddressValidation.ip(ip));
            }
            checkHostname(ingress);
        }
        return root.problems();
    }

    private static void checkIngress(FieldValidation ingress) {
        String ip = ingress.text("ip");
        if (!ip.isEmpty()) {
            ingress.check("ip", ip, AddressValidation.ip(ip));
            if (!ingress.has("ipMode")) {
                ingress.required("ipMode", "must be specified when `ip` is set");
            }
        } else if (ingress.has("ipMode")) {
            ingress.forbidden("ipMode", "may not be specified when `ip` is not set");
        }
        ingress.choice("ipMode", List.of("Proxy", "VIP"));
        checkHostname(ingress);
        ingress.objects("ports").forEach(LoadBalancerValidation::checkPort);
    }

    static void checkHostname(FieldValidation ingress) {
        String hostname = ingress.text("hostname");
        if (hostname.isEmpty()) {
            return;
        }
        ingress.check("hostname", hostname, NameValidation.subdomain(LetterCase.LOWER, hostname));
        if (Ip.find(hostname).isPresent()) {
            ingress.invalid("hostname", hostname, "must be a DNS name, not an IP address");
        }
    }

    private static void checkPort(FieldValidation port) {
        port.checkPort("port", port.number("port", 0));
        port.choice("protocol", List.of("SCTP", "TCP", "UDP"));
        String error = port.text("error");
        if (!error.isEmpty()) {
            port.check("error", error, NameValidation.qualifiedName(error));
        }
    }
}
