package io.fairlead.objects;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Problem;
import io.fairlead.kinds.ServiceFamilies;
import io.fairlead.kinds.Stamp;
import io.fairlead.kinds.Tree;
import io.fairlead.store.Store;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Gives Services their cluster addresses and node ports, in the call that writes them (A2–A5, decision 039).
public final class ServiceAllocator implements Allocator {
    private final Claims claims;
    private final ServiceCidrs cidrs;
    private final Stamp stamp;
    private final ServicePorts ports;
    private final ClusterAddresses addresses;

    public ServiceAllocator(
            Claims claims, ServiceCidrs cidrs, Stamp stamp, PortRange nodePorts, ClusterAddresses addresses) {
        this.addresses = addresses;
        this.claims = claims;
        this.cidrs = cidrs;
        this.stamp = stamp;
        this.ports = new ServicePorts(nodePorts, stamp.random());
    }

    @Override
    public Allocation allocate(JsonNode old, ObjectNode service) {
        ServiceAllocation allocation = new ServiceAllocation(claims, old, service);
        List<Problem> problems = addresses.check(old, service);
        if (!problems.isEmpty()) {
            throw allocation.refused(problems);
        }
        ObjectNode spec = Tree.object(allocation.service(), "spec");
        allocateAddresses(allocation, old, spec);
        ports.allocate(allocation, spec);
        return allocation.decided();
    }

    @Override
    public List<Store.Put> claims(Allocation allocation) {
        NamespacedName service = Claims.owner(allocation.object());
        return allocation.taken().stream()
                .map(item -> claims.put(item.kind(), item.text(), service))
                .toList();
    }

    @Override
    public void keep(Allocation allocation) throws InterruptedException {
        release(allocation.freed(), Claims.owner(allocation.object()));
    }

    @Override
    public void giveBack(Allocation allocation, List<Store.Outcome> outcomes) throws InterruptedException {
        for (int i = 0; i < allocation.taken().size(); i++) {
            if (outcomes.get(i) instanceof Store.Outcome.Done(var revision)) {
                ServiceNeeds.Item item = allocation.taken().get(i);
                claims.release(new Claims.Claim(item.kind(), item.text(), revision));
            }
        }
    }

    @Override
    public void release(JsonNode service) throws InterruptedException {
        release(ServiceNeeds.of(service).items(), Claims.owner(service));
    }

    private void release(Collection<ServiceNeeds.Item> items, NamespacedName service) throws InterruptedException {
        for (ServiceNeeds.Item item : items) {
            claims.release(item.kind(), item.text(), service);
        }
    }

    private void allocateAddresses(ServiceAllocation allocation, JsonNode old, ObjectNode spec) {
        if (Json.text(spec, "type").equals("ExternalName")) {
            return;
        }
        List<Cidr> blocks = cidrs.blocks();
        ServiceFamilies families =
                new ServiceFamilies(blocks.stream().map(Cidr::family).distinct().toList());
        List<Problem> problems = families.decide(old, spec);
        if (!problems.isEmpty()) {
            throw allocation.refused(problems);
        }
        if (Json.text(spec, "clusterIP").equals("None")) {
            return;
        }
        List<Ip> given = Json.ips(spec, "clusterIPs");
        ArrayNode addresses = spec.putArray("clusterIPs");
        List<String> wanted = Json.texts(spec, "ipFamilies");
        for (int i = 0; i < wanted.size(); i++) {
            addresses.add(
                    i < given.size()
                            ? honourAddress(allocation, blocks, given.get(i))
                            : anyAddress(allocation, blocks, wanted.get(i)));
        }
        spec.put("clusterIP", addresses.path(0).asString());
    }

    private static String honourAddress(ServiceAllocation allocation, List<Cidr> blocks, Ip ip) {
        String text = ip.toString();
        boolean known = allocation.had(Claims.ADDRESSES, text);
        if (!known && blocks.stream().noneMatch(block -> ServiceCidrs.isUsable(block, ip))) {
            String ranges =
                    String.join(", ", blocks.stream().map(Cidr::toString).toList());
            throw refused(
                    allocation,
                    text,
                    "the provided IP (" + text + ") is not in the valid range. The range of valid IPs is " + ranges);
        }
        if (!allocation.take(Claims.ADDRESSES, text)) {
            throw refused(allocation, text, "provided IP is already allocated");
        }
        return text;
    }

    private static StatusException refused(ServiceAllocation allocation, String ip, String why) {
        JsonNode list = Json.object().putArray("clusterIPs").add(ip);
        return allocation.refused(
                List.of(Problem.invalid("spec.clusterIPs", list, "failed to allocate IP " + ip + ": " + why)));
    }

    private String anyAddress(ServiceAllocation allocation, List<Cidr> blocks, String family) {
        List<Cidr> candidates = blocks.stream()
                .filter(block -> block.family().toString().equals(family))
                .toList();
        for (Cidr block : candidates) {
            Optional<String> taken =
                    ClaimRange.of(block).takeAny(stamp.random(), ip -> allocation.takeNew(Claims.ADDRESSES, ip));
            if (taken.isPresent()) {
                return taken.get();
            }
        }
        throw allocation.refused(List.of(Problem.invalid(
                "spec.clusterIPs", "", "failed to allocate a serviceIP: range is full: " + candidates)));
    }
}
