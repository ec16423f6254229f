package io.fairlead.apiserver;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Gives Services their cluster addresses and node ports, in the call that writes them (A2–A5, decision 11).
final class ServiceAllocator {
    private final Claims claims;
    private final Stamp stamp;
    private final List<Cidr> cidrs;
    private final PortRange nodePorts;
    private final ServiceFamilies families;

    ServiceAllocator(Claims claims, Stamp stamp, ApiServerConfig config) {
        this.claims = claims;
        this.stamp = stamp;
        this.cidrs = config.serviceCidrs();
        this.nodePorts = config.nodePorts();
        this.families = new ServiceFamilies(cidrs.stream().map(Cidr::family).toList());
    }

    Allocation allocate(JsonNode old, ObjectNode service, boolean dryRun) throws InterruptedException {
        ServiceAllocation allocation = new ServiceAllocation(claims, old, service, dryRun);
        ObjectNode spec = Tree.object(service, "spec");
        boolean complete = false;
        try {
            allocateAddresses(allocation, old, spec);
            allocateNodePorts(allocation, spec);
            allocateHealthPort(allocation, spec);
            complete = true;
            return allocation;
        } finally {
            if (!complete) {
                allocation.undo();
            }
        }
    }

    void release(JsonNode service) throws InterruptedException {
        for (ServiceNeeds.Item item : ServiceNeeds.of(service).items()) {
            claims.release(item.kind(), item.text());
        }
    }

    private void allocateAddresses(ServiceAllocation allocation, JsonNode old, ObjectNode spec) {
        if (Json.text(spec, "type").equals("ExternalName")) {
            return;
        }
        boolean headless = Json.text(spec, "clusterIP").equals("None");
        List<Problem> problems = families.decide(old, spec, headless);
        if (!problems.isEmpty()) {
            throw allocation.refused(problems.getFirst());
        }
        if (headless) {
            spec.putArray("clusterIPs").add("None");
            return;
        }
        List<Ip> given = Json.ips(spec, "clusterIPs");
        ArrayNode addresses = spec.putArray("clusterIPs");
        List<String> wanted = Json.texts(spec, "ipFamilies");
        for (int i = 0; i < wanted.size(); i++) {
            addresses.add(
                    i < given.size() ? honourAddress(allocation, given.get(i)) : anyAddress(allocation, wanted.get(i)));
        }
        spec.put("clusterIP", addresses.path(0).asString());
    }

    private String honourAddress(ServiceAllocation allocation, Ip ip) {
        String text = ip.toString();
        if (!allocation.had(Claims.ADDRESSES, text) && cidrs.stream().noneMatch(cidr -> isUsable(cidr, ip))) {
            throw allocation.refused(addressProblem(
                    text,
                    "provided IP is not in the valid range. The range of valid IPs is "
                            + String.join(
                                    ", ", cidrs.stream().map(Cidr::toString).toList())));
        }
        if (!allocation.take(Claims.ADDRESSES, text)) {
            throw allocation.refused(addressProblem(text, "provided IP is already allocated"));
        }
        return text;
    }

    /// The first address of a block names the network, and the last one of an IPv4 block is for broadcasts.
    private static boolean isUsable(Cidr cidr, Ip ip) {
        boolean broadcast = cidr.family() == Family.IPV4 && ip.equals(cidr.at(cidr.size() - 1));
        return cidr.contains(ip) && !ip.equals(cidr.network()) && !broadcast;
    }

    private static Problem addressProblem(String ip, String why) {
        return Problem.invalid("spec.clusterIPs", ip, "failed to allocate IP " + ip + ": " + why);
    }

    private String anyAddress(ServiceAllocation allocation, String family) {
        Cidr cidr = cidrs.stream()
                .filter(c -> c.family().toString().equals(family))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no service CIDR of family " + family));
        return ClaimRange.of(cidr)
                .takeAny(stamp.random(), ip -> allocation.takeNew(Claims.ADDRESSES, ip))
                .orElseThrow(() -> allocation.refused(Problem.invalid(
                        "spec.clusterIPs", "", "failed to allocate an IP: the range " + cidr + " is full")));
    }

    private void allocateNodePorts(ServiceAllocation allocation, ObjectNode spec) {
        List<ObjectNode> ports = Tree.objects(spec, "ports");
        for (int i = 0; i < ports.size(); i++) {
            int port = Json.number(ports.get(i), 0, "nodePort");
            if (port != 0) {
                honourPort(allocation, "spec.ports[" + i + "].nodePort", port);
            }
        }
        if (!givesNodePorts(spec)) {
            return;
        }
        for (int i = 0; i < ports.size(); i++) {
            ObjectNode port = ports.get(i);
            if (Json.number(port, 0, "nodePort") == 0) {
                String field = "spec.ports[" + i + "].nodePort";
                port.put("nodePort", sibling(ports, port).orElseGet(() -> anyPort(allocation, field)));
            }
        }
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
            int nodePort = Json.number(other, 0, "nodePort");
            boolean same = Json.text(other, "protocol").equals(protocol);
            boolean sameNumber = Json.number(other, 0, "port") == Json.number(port, 0, "port");
            if (nodePort != 0 && (same || sameNumber)) {
                (same ? ofProtocol : ofOthers).add(nodePort);
            }
        }
        return ofOthers.stream().filter(number -> !ofProtocol.contains(number)).findFirst();
    }

    private void allocateHealthPort(ServiceAllocation allocation, ObjectNode spec) {
        boolean needed = Json.text(spec, "type").equals("LoadBalancer")
                && Json.text(spec, "externalTrafficPolicy").equals("Local");
        if (!needed) {
            spec.remove("healthCheckNodePort");
            return;
        }
        int given = Json.number(spec, 0, "healthCheckNodePort");
        if (given != 0) {
            honourPort(allocation, "spec.healthCheckNodePort", given);
        } else {
            spec.put("healthCheckNodePort", anyPort(allocation, "spec.healthCheckNodePort"));
        }
    }

    private void honourPort(ServiceAllocation allocation, String field, int port) {
        String text = Integer.toString(port);
        if (!allocation.had(Claims.NODE_PORTS, text) && !nodePorts.contains(port)) {
            throw allocation.refused(Problem.invalid(
                    field, port, "provided port is not in the valid range. The range of valid ports is " + nodePorts));
        }
        if (!allocation.take(Claims.NODE_PORTS, text)) {
            throw allocation.refused(Problem.invalid(field, port, "provided port is already allocated"));
        }
    }

    private int anyPort(ServiceAllocation allocation, String field) {
        return ClaimRange.of(nodePorts)
                .takeAny(stamp.random(), port -> allocation.takeNew(Claims.NODE_PORTS, port))
                .map(Integer::parseInt)
                .orElseThrow(() -> allocation.refused(Problem.invalid(
                        field, "", "failed to allocate a nodePort: the range " + nodePorts + " is full")));
    }
}
