package io.fairlead.balancers;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The addresses that must not be given to another Service, and why not. It grows while addresses are given.
final class TakenAddresses {
    /// Of two Services with one address, the older has it.
    static final Comparator<Service> OLDEST_FIRST = Comparator.<Service, String>comparing(
                    service -> service.metadata().creationTimestamp())
            .thenComparing(Service::key);

    private record Block(AddressRange range, String purpose) {}

    private final Map<Ip, NamespacedName> balanced = new HashMap<>();
    private final Map<NamespacedName, SortedSet<Ip>> byService = new HashMap<>();
    private final Map<Ip, String> others = new HashMap<>();
    private final List<Block> blocks = new ArrayList<>();

    private TakenAddresses() {}

    static TakenAddresses in(Snapshot snapshot, AddressClaims claims) {
        TakenAddresses taken = new TakenAddresses();
        snapshot.services().values().sorted(OLDEST_FIRST).forEach(taken::addService);
        claims.live().forEach(taken::balance);
        snapshot.nodes().values().forEach(taken::addNode);
        snapshot.serviceCidrs()
                .values()
                .forEach(cidr -> taken.addBlocks(cidr.cidrs(), "the cluster addresses of Services"));
        return taken;
    }

    private void addService(Service service) {
        service.loadBalancer().ingress().stream()
                .flatMap(ingress -> ingress.address().stream())
                .forEach(ip -> balance(ip, service.key()));
        service.externalIps()
                .forEach(ip -> others.putIfAbsent(ip, "is an external address of Service " + service.key()));
    }

    private void balance(Ip ip, NamespacedName service) {
        if (balanced.putIfAbsent(ip, service) == null) {
            byService.computeIfAbsent(service, _ -> new TreeSet<>()).add(ip);
        }
    }

    private void addNode(Node node) {
        String sentence = "is an address of node " + node.name();
        node.internalIps().forEach(ip -> others.putIfAbsent(ip, sentence));
        node.externalIps().forEach(ip -> others.putIfAbsent(ip, sentence));
        addBlocks(node.podCidrs(), "the pods of node " + node.name());
    }

    private void addBlocks(List<Cidr> cidrs, String purpose) {
        cidrs.forEach(cidr ->
                blocks.add(new Block(AddressRange.of(cidr), "is in %s, which is for %s".formatted(cidr, purpose))));
    }

    void give(Ip ip, NamespacedName service) {
        balanced.put(ip, service);
    }

    /// The load balancer's addresses that this Service has or has claimed, and that are not those of an older one.
    Stream<Ip> of(NamespacedName service) {
        return byService.getOrDefault(service, new TreeSet<>()).stream();
    }

    /// Why the address cannot be given, behind the address as a sentence; nothing if it can.
    Optional<String> reason(Ip ip) {
        return Optional.ofNullable(balanced.get(ip))
                .map(service -> "is given to Service " + service)
                .or(() -> Optional.ofNullable(others.get(ip)))
                .or(() -> block(ip).map(Block::purpose));
    }

    /// The last address of the taken block around `ip`; nothing if `ip` is free.
    Optional<Ip> endOfBlock(Ip ip) {
        return block(ip).map(block -> block.range().to()).or(() -> reason(ip).map(_ -> ip));
    }

    private Optional<Block> block(Ip ip) {
        return blocks.stream().filter(block -> block.range().contains(ip)).findFirst();
    }
}
