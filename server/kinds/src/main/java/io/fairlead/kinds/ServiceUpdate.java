package io.fairlead.kinds;

import io.fairlead.api.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What an update of a Service keeps though the client left it out, and drops though the client left it in (A6).
///
/// A field goes only where the client did not touch it: a client that changed it learns of its mistake instead.
final class ServiceUpdate {
    private static final List<String> ADDRESS_FIELDS =
            List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy");
    private static final List<String> BALANCER_FIELDS =
            List.of("allocateLoadBalancerNodePorts", "loadBalancerClass", "loadBalancerSourceRanges");

    private final ObjectNode service;
    private final JsonNode before;
    private final ObjectNode spec;

    private ServiceUpdate(JsonNode old, ObjectNode service) {
        this.service = service;
        this.before = old.path("spec");
        this.spec = Tree.object(service, "spec");
        Tree.putIfAbsent(spec, "type", "ClusterIP");
    }

    static void carryOver(JsonNode old, ObjectNode service) {
        ServiceUpdate update = new ServiceUpdate(old, service);
        update.keepAddresses();
        update.keepNodePorts();
        update.keepHealthPort();
        update.dropWhatTheTypeLacks();
        update.dropSecondFamily();
    }

    private void keepAddresses() {
        if (isType(before, "ExternalName") || isType(spec, "ExternalName")) {
            return;
        }
        if (isEmpty("clusterIP")) {
            copy("clusterIP");
        }
        boolean sameFirst = spec.path("clusterIP").equals(before.path("clusterIP"));
        if (isEmpty("clusterIPs") && sameFirst) {
            copy("clusterIPs");
        } else if (!sameFirst && isUnchanged("clusterIPs")) {
            // The client knows only `clusterIP`, so that is what it means.
            spec.putArray("clusterIPs").add(spec.path("clusterIP"));
        }
        List.of("ipFamilies", "ipFamilyPolicy").stream().filter(this::isEmpty).forEach(this::copy);
    }

    /// By the names of the ports: whatever else changed about one, clients from outside still find it.
    private void keepNodePorts() {
        if (!hasNodePorts(before) || !hasNodePorts(spec) || !Json.flag(spec, true, "allocateLoadBalancerNodePorts")) {
            return;
        }
        Set<Integer> used = new HashSet<>();
        List<ObjectNode> ports = Tree.objects(spec, "ports");
        ports.forEach(port -> used.add(nodePort(port)));
        for (ObjectNode port : ports) {
            if (nodePort(port) == 0) {
                int previous = previousNodePort(Json.text(port, "name"));
                if (previous != 0 && used.add(previous)) {
                    port.put("nodePort", previous);
                }
            }
        }
    }

    private int previousNodePort(String name) {
        return Tree.objects(before, "ports").stream()
                .filter(port -> Json.text(port, "name").equals(name))
                .mapToInt(ServiceUpdate::nodePort)
                .findFirst()
                .orElse(0);
    }

    private void keepHealthPort() {
        if (needsHealthPort(before) && needsHealthPort(spec) && Json.number(spec, 0, "healthCheckNodePort") == 0) {
            copy("healthCheckNodePort");
        }
    }

    private void dropWhatTheTypeLacks() {
        if (isType(spec, "ExternalName") && !isType(before, "ExternalName")) {
            ADDRESS_FIELDS.forEach(this::dropIfUnchanged);
        }
        if (isType(before, "ExternalName") && !isType(spec, "ExternalName")) {
            dropIfUnchanged("externalName");
        }
        if (hasNodePorts(before) && !hasNodePorts(spec)) {
            dropNodePorts();
        }
        if (isType(before, "LoadBalancer") && !isType(spec, "LoadBalancer")) {
            BALANCER_FIELDS.forEach(this::dropIfUnchanged);
        }
        if (!isType(spec, "LoadBalancer")) {
            Tree.object(service, "status").putObject("loadBalancer");
        }
        if (needsHealthPort(before) && !needsHealthPort(spec)) {
            dropIfUnchanged("healthCheckNodePort");
        }
        if (ServiceDefaults.isExternallyAccessible(before) && !ServiceDefaults.isExternallyAccessible(spec)) {
            dropIfUnchanged("externalTrafficPolicy");
        }
    }

    private void dropNodePorts() {
        List<ObjectNode> ports = Tree.objects(spec, "ports");
        Set<Integer> now = new HashSet<>();
        ports.forEach(port -> now.add(nodePort(port)));
        Set<Integer> previous = new HashSet<>(Set.of(0));
        Tree.objects(before, "ports").forEach(port -> previous.add(nodePort(port)));
        if (previous.containsAll(now)) {
            ports.forEach(port -> port.remove("nodePort"));
        }
    }

    /// A client that asks for a single family means the first one (A8).
    private void dropSecondFamily() {
        if (!Json.text(spec, "ipFamilyPolicy").equals("SingleStack")) {
            return;
        }
        for (String field : List.of("clusterIPs", "ipFamilies")) {
            if (isUnchanged(field) && spec.path(field) instanceof ArrayNode list && list.size() > 1) {
                list.remove(1);
            }
        }
    }

    private boolean isEmpty(String field) {
        JsonNode value = spec.path(field);
        return value.isMissingNode()
                || (value.isArray() && value.isEmpty())
                || (value.isString() && value.stringValue().isEmpty());
    }

    private boolean isUnchanged(String field) {
        return spec.path(field).equals(before.path(field));
    }

    private void copy(String field) {
        Tree.set(spec, field, before.path(field).deepCopy());
    }

    private void dropIfUnchanged(String field) {
        if (isUnchanged(field)) {
            spec.remove(field);
        }
    }

    private static int nodePort(JsonNode port) {
        return Json.number(port, 0, "nodePort");
    }

    private static boolean isType(JsonNode spec, String type) {
        return Json.text(spec, "type").equals(type);
    }

    private static boolean hasNodePorts(JsonNode spec) {
        return isType(spec, "NodePort") || isType(spec, "LoadBalancer");
    }

    private static boolean needsHealthPort(JsonNode spec) {
        return isType(spec, "LoadBalancer")
                && Json.text(spec, "externalTrafficPolicy").equals("Local");
    }
}
