package io.fairlead.kinds;

import io.fairlead.api.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.ObjectNode;

/// What a Service is where its author did not say (A1).
final class ServiceDefaults {
    private static final int AFFINITY_SECONDS = 10_800;

    private ServiceDefaults() {}

    static void fill(ObjectNode service) {
        ObjectNode spec = Tree.object(service, "spec");
        Tree.putIfAbsent(spec, "type", "ClusterIP");
        fillAffinity(spec);
        Tree.objects(spec, "ports").forEach(ServiceDefaults::fillPort);
        fillAddresses(spec);
        fillPolicies(spec);
        fillStatus(service);
    }

    /// A Service always shows where its load balancer would stand; one that has an address is a VIP until it says no.
    static void fillStatus(ObjectNode service) {
        ObjectNode balancer = Tree.object(Tree.object(service, "status"), "loadBalancer");
        if (!Json.text(service, "spec", "type").equals("LoadBalancer")) {
            return; // so that a status which is sent without its spec has to say it
        }
        for (ObjectNode ingress : Tree.objects(balancer, "ingress")) {
            if (!Json.text(ingress, "ip").isEmpty()) {
                Tree.putIfAbsent(ingress, "ipMode", "VIP");
            }
        }
    }

    /// True if traffic from outside the cluster can reach the Service by an address of its own.
    static boolean isExternallyAccessible(JsonNode spec) {
        return switch (Json.text(spec, "type")) {
            case "NodePort", "LoadBalancer" -> true;
            case "ClusterIP" -> !spec.path("externalIPs").isEmpty();
            default -> false;
        };
    }

    private static void fillAffinity(ObjectNode spec) {
        Tree.putIfAbsent(spec, "sessionAffinity", "None");
        if (Json.text(spec, "sessionAffinity").equals("ClientIP")) {
            ObjectNode client = Tree.object(Tree.object(spec, "sessionAffinityConfig"), "clientIP");
            Tree.putIfAbsent(client, "timeoutSeconds", AFFINITY_SECONDS);
        } else if (Json.text(spec, "sessionAffinity").equals("None")) {
            spec.remove("sessionAffinityConfig");
        }
    }

    private static void fillPort(ObjectNode port) {
        Tree.putIfAbsent(port, "protocol", "TCP");
        JsonNode target = port.path("targetPort");
        boolean unset = target.isMissingNode()
                || (target.isString() && target.stringValue().isEmpty())
                || (target.isIntegralNumber() && target.intValue() == 0);
        if (unset) {
            port.set("targetPort", port.has("port") ? port.path("port") : IntNode.valueOf(0));
        }
        if (port.path("nodePort").isIntegralNumber() && Json.number(port, 0, "nodePort") == 0) {
            port.remove("nodePort");
        }
    }

    /// `clusterIP` and `clusterIPs[0]` are one thing with two names (A7).
    private static void fillAddresses(ObjectNode spec) {
        String first = Json.text(spec, "clusterIP");
        JsonNode all = spec.path("clusterIPs");
        if (!first.isEmpty() && (all.isMissingNode() || (all.isArray() && all.isEmpty()))) {
            spec.putArray("clusterIPs").add(first);
        }
    }

    private static void fillPolicies(ObjectNode spec) {
        String type = Json.text(spec, "type");
        if (!type.equals("ExternalName")) {
            Tree.putIfAbsent(spec, "internalTrafficPolicy", "Cluster");
        }
        if (isExternallyAccessible(spec)) {
            Tree.putIfAbsent(spec, "externalTrafficPolicy", "Cluster");
        }
        if (type.equals("LoadBalancer") && !spec.has("allocateLoadBalancerNodePorts")) {
            spec.put("allocateLoadBalancerNodePorts", true);
        }
    }
}
