package io.fairlead.testkit;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Packet.Entrance;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Packets at random, each the first of a connection, as one node sees them.
///
/// Most are for a row of its table, or nearly so; the others for an address that some Service may have, or none.
final class RandomPackets {
    private static final int FIRST_NODE_PORT = 30000;
    private static final List<Cidr> CLUSTER = Stream.of(
                    "10.244.0.0/16", "10.210.0.0/24", "fd00:244::/32", "fd00:210::/64")
            .map(Cidr::parse)
            .toList();

    private final Dice dice;
    private final NodeFacts node;
    private final List<Forwarding> rows;
    private final List<Cidr> pods;

    RandomPackets(Dice dice, NodeFacts node, List<Cidr> pods, ForwardingTable table) {
        this.dice = dice;
        this.node = node;
        this.rows = table.all().toList();
        this.pods = pods;
    }

    Packet packet() {
        return rows.isEmpty() || dice.oneIn(4) ? anywhere() : to(dice.one(rows));
    }

    private Packet to(Forwarding row) {
        Ip address = row.frontend().address().orElseGet(() -> own(row.frontend().family()));
        int port = dice.oneIn(8) ? 81 : row.frontend().port();
        Protocol protocol = dice.oneIn(8) ? Protocol.UDP : row.frontend().protocol();
        return packet(
                new IpPort(address, port),
                protocol,
                Stream.concat(targets(row), balanced(row)).toList());
    }

    /// One number more than there are Services: no Service has its addresses.
    private Packet anywhere() {
        Ip address = Ip.parse(dice.one(List.of(
                        "10.96.0.1%d",
                        "203.0.113.1%d",
                        "203.0.113.2%d",
                        "203.0.113.3%d",
                        "203.0.113.4%d",
                        "203.0.113.50",
                        "10.210.0.1%d",
                        "10.244.1.%d",
                        "fd00:96::1%d",
                        "2001:db8:1::1%d",
                        "2001:db8:1::2%d",
                        "fd00:210::1%d",
                        "fd00:244:1::%d"))
                .formatted(dice.below(RandomServices.SERVICES + 1)));
        int port = dice.one(List.of(80, 8081, 81, FIRST_NODE_PORT + dice.below(RandomServices.SERVICES)));
        return packet(new IpPort(address, port), dice.one(List.of(Protocol.values())), List.of());
    }

    /// From one of `callers`, or of those who may call anything.
    private Packet packet(IpPort destination, Protocol protocol, List<Ip> callers) {
        Family family = destination.ip().family();
        List<Ip> senders = new ArrayList<>(callers);
        senders.addAll(List.of(own(family), own(family), destination.ip()));
        senders.addAll(others(family));
        Ip source =
                dice.one(senders.stream().filter(ip -> mayCome(ip, destination)).toList());
        return new Packet(source, destination, protocol, entrance(source));
    }

    private List<Ip> others(Family family) {
        String network = family == Family.IPV4 ? "10.244.%d.%d" : "fd00:244:%d::%d";
        Stream<String> pods = IntStream.of(1, 1, 1, 2, 2, 2, 3, 3, 4, 5)
                .mapToObj(number -> network.formatted(number, 1 + dice.below(4)));
        Stream<String> outside = family == Family.IPV4
                ? Stream.of("198.51.100.10", "192.0.2.9", "203.0.113.200", "10.210.0.15")
                : Stream.of("2001:db8::10", "2001:db8::9", "fd00:210::15");
        return Stream.concat(pods, outside).map(Ip::parse).toList();
    }

    /// From other nodes one comes for node ports alone: all else was led where it was sent.
    private boolean mayCome(Ip source, IpPort destination) {
        boolean inCluster = CLUSTER.stream().anyMatch(network -> network.contains(source));
        return !inCluster
                || entrance(source) != Entrance.INTERFACE
                || (destination.port() >= FIRST_NODE_PORT
                        && destination.ip().equals(own(destination.ip().family())));
    }

    private Entrance entrance(Ip source) {
        if (node.addresses().contains(source)) {
            return Entrance.NODE;
        }
        return pods.stream().anyMatch(network -> network.contains(source)) ? Entrance.POD : Entrance.INTERFACE;
    }

    private Ip own(Family family) {
        return node.addresses().stream()
                .filter(ip -> ip.family() == family)
                .findFirst()
                .orElseThrow();
    }

    /// A pod may call itself.
    private static Stream<Ip> targets(Forwarding row) {
        return Stream.of(row.verdict(), row.inside())
                .flatMap(verdict ->
                        verdict instanceof Verdict.SendTo(List<Target> targets) ? targets.stream() : Stream.of())
                .map(target -> target.address().ip())
                .distinct();
    }

    /// What a load balancer's address may do as a source, its others may not.
    private Stream<Ip> balanced(Forwarding row) {
        return rows.stream()
                .filter(other -> other.service().equals(row.service()))
                .map(Forwarding::frontend)
                .filter(other -> other.family() == row.frontend().family())
                .flatMap(other -> other instanceof Frontend.LoadBalancerAddress(Ip ip, var _, var _)
                        ? Stream.of(ip)
                        : Stream.of());
    }
}
