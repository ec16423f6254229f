package io.fairlead.objects;

import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import io.fairlead.kinds.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Gives Services their node ports: one for each port, and one for health checks (A3–A5, A16).
final class ServicePorts {
    private final PortRange range;
    private final RandomGenerator random;

    ServicePorts(PortRange range, RandomGenerator random) {
        this.range = range;
        this.random = random;
    }

    void allocate(ServiceAllocation allocation, ObjectNode spec) {
        List<ObjectNode> ports = Tree.objects(spec, "ports");
        for (int i = 0; i < ports.size(); i++) {
            int port = nodePort(ports.get(i));
            if (port != 0) {
                honour(allocation, field(i), port);
            }
        }
        if (givesNodePorts(spec)) {
            for (int i = 0; i < ports.size(); i++) {
                ObjectNode port = ports.get(i);
                if (nodePort(port) == 0) {
                    String field = field(i);
                    port.put("nodePort", sibling(ports, port).orElseGet(() -> any(allocation, field)));
                }
            }
        }
        allocateHealthPort(allocation, spec, ports);
    }

    private static String field(int index) {
        return "spec.ports[" + index + "].nodePort";
    }

    private static boolean givesNodePorts(JsonNode spec) {
        return switch (Json.text(spec, "type")) {
            case "NodePort" -> true;
            case "LoadBalancer" -> Json.flag(spec, true, "allocateLoadBalancerNodePorts");
            default -> false;
        };
    }

    /// The node port of the same Service port in another protocol: clients expect DNS on one number (A4).
    private static Optional<Integer> sibling(List<ObjectNode> ports, JsonNode port) {
        String protocol = Json.text(port, "protocol");
        List<Integer> ofProtocol = new ArrayList<>();
        List<Integer> ofOthers = new ArrayList<>();
        for (JsonNode other : ports) {
            boolean same = Json.text(other, "protocol").equals(protocol);
            boolean sameNumber = Json.number(other, 0, "port") == Json.number(port, 0, "port");
            if (nodePort(other) != 0 && (same || sameNumber)) {
                (same ? ofProtocol : ofOthers).add(nodePort(other));
            }
        }
        return ofOthers.stream().filter(number -> !ofProtocol.contains(number)).findFirst();
    }

    private void allocateHealthPort(ServiceAllocation allocation, ObjectNode spec, List<ObjectNode> ports) {
        boolean needed = Json.text(spec, "type").equals("LoadBalancer")
                && Json.text(spec, "externalTrafficPolicy").equals("Local");
        if (!needed) {
            spec.remove("healthCheckNodePort");
            return;
        }
        String field = "spec.healthCheckNodePort";
        int given = Json.number(spec, 0, "healthCheckNodePort");
        if (given == 0) {
            spec.put("healthCheckNodePort", any(allocation, field));
        } else if (ports.stream().anyMatch(port -> nodePort(port) == given)) {
            throw refused(allocation, field, given, "provided port is already allocated");
        } else {
            honour(allocation, field, given);
        }
    }

    private void honour(ServiceAllocation allocation, String field, int port) {
        String text = Integer.toString(port);
        if (!allocation.had(Claims.NODE_PORTS, text) && !range.contains(port)) {
            throw refused(
                    allocation,
                    field,
                    port,
                    "provided port is not in the valid range. The range of valid ports is " + range);
        }
        if (!allocation.take(Claims.NODE_PORTS, text)) {
            throw refused(allocation, field, port, "provided port is already allocated");
        }
    }

    private int any(ServiceAllocation allocation, String field) {
        return ClaimRange.of(range)
                .takeAny(random, port -> allocation.takeNew(Claims.NODE_PORTS, port))
                .map(Integer::parseInt)
                .orElseThrow(
                        () -> refused(allocation, field, 0, "failed to allocate a nodePort: range is full: " + range));
    }

    private static StatusException refused(ServiceAllocation allocation, String field, int port, String why) {
        return allocation.refused(List.of(Problem.invalid(field, port, why)));
    }

    private static int nodePort(JsonNode port) {
        return Json.number(port, 0, "nodePort");
    }
}
