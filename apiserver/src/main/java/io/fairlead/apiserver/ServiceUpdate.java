package io.fairlead.apiserver;

import io.fairlead.api.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What an update of a Service keeps though the client left it out, and drops though the client left it in (A6).
final class ServiceUpdate {
    private static final List<String> FAMILY_FIELDS = List.of("ipFamilies", "ipFamilyPolicy");

    private final JsonNode old;
    private final ObjectNode service;
    private final JsonNode before;
    private final ObjectNode spec;

    private ServiceUpdate(JsonNode old, ObjectNode service) {
        this.old = old;
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
    }

    private void keepAddresses() {
        if (isType(before, "ExternalName") || isType(spec, "ExternalName")) {
            return;
        }
        String first = Json.text(spec, "clusterIP");
        boolean said = !first.isEmpty() || !spec.path("clusterIPs").isEmpty();
        boolean sameFirst = first.equals(Json.text(before, "clusterIP"))
                && spec.path("clusterIPs").isEmpty();
        if (!said || sameFirst) {
            copy("clusterIP");
            copy("clusterIPs");
        }
        FAMILY_FIELDS.stream().filter(field -> spec.path(field).isEmpty()).forEach(this::copyIfAbsent);
    }

    private void keepNodePorts() {
        if (!hasNodePorts(before) || !hasNodePorts(spec) || !Json.flag(spec, true, "allocateLoadBalancerNodePorts")) {
            return;
        }
        Set<String> used = new HashSet<>();
        List<ObjectNode> ports = Tree.objects(spec, "ports");
        ports.forEach(port -> used.add(nodePortOf(port)));
        for (ObjectNode port : ports) {
            if (Json.number(port, 0, "nodePort") != 0) {
                continue;
            }
            Tree.putIfAbsent(port, "protocol", "TCP");
            oldPort(port)
                    .filter(previous -> used.add(nodePortOf(previous)))
                    .ifPresent(previous -> port.set("nodePort", previous.path("nodePort")));
        }
    }

    private Optional<ObjectNode> oldPort(JsonNode port) {
        return Tree.objects(before, "ports").stream()
                .filter(previous -> Json.text(previous, "name").equals(Json.text(port, "name"))
                        && Json.text(previous, "protocol").equals(Json.text(port, "protocol"))
                        && Json.number(previous, 0, "nodePort") != 0)
                .findFirst();
    }

    private static String nodePortOf(JsonNode port) {
        return Json.text(port, "protocol") + "/" + Json.number(port, 0, "nodePort");
    }

    private void keepHealthPort() {
        if (needsHealthPort(before) && needsHealthPort(spec) && Json.number(spec, 0, "healthCheckNodePort") == 0) {
            copy("healthCheckNodePort");
        }
    }

    /// A field that the new type does not have goes, unless the client changed it too: then it is told of its mistake.
    private void dropWhatTheTypeLacks() {
        if (isType(spec, "ExternalName") && !isType(before, "ExternalName")) {
            dropIfUnchanged("clusterIP");
            dropIfUnchanged("clusterIPs");
            FAMILY_FIELDS.forEach(this::dropIfUnchanged);
            dropIfUnchanged("internalTrafficPolicy");
        }
        if (isType(before, "ExternalName") && !isType(spec, "ExternalName")) {
            dropIfUnchanged("externalName");
        }
        if (hasNodePorts(before) && !hasNodePorts(spec)) {
            dropNodePorts();
        }
        if (isType(before, "LoadBalancer") && !isType(spec, "LoadBalancer")) {
            List.of("allocateLoadBalancerNodePorts", "loadBalancerClass", "loadBalancerSourceRanges")
                    .forEach(this::dropIfUnchanged);
            Tree.object(service, "status").putObject("loadBalancer");
        }
        if (needsHealthPort(before) && !needsHealthPort(spec)) {
            dropIfUnchanged("healthCheckNodePort");
        }
        if (!ServiceDefaults.isExternallyAccessible(spec)) {
            dropIfUnchanged("externalTrafficPolicy");
        }
    }

    private void dropNodePorts() {
        Set<String> previous = new HashSet<>();
        Tree.objects(before, "ports").forEach(port -> previous.add(nodePortOf(port)));
        Tree.objects(spec, "ports").stream()
                .filter(port -> previous.contains(nodePortOf(port)))
                .forEach(port -> port.remove("nodePort"));
    }

    private void copy(String field) {
        Tree.set(spec, field, before.path(field).deepCopy());
    }

    private void copyIfAbsent(String field) {
        if (!spec.has(field) && before.has(field)) {
            copy(field);
        }
    }

    private void dropIfUnchanged(String field) {
        if (spec.path(field).equals(Json.at(old, "spec", field))) {
            spec.remove(field);
        }
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
