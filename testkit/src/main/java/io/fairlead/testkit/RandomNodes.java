package io.fairlead.testkit;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.NodePortAddresses;
import io.fairlead.forwarding.Packet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// One to five nodes at random, each set up in its own way.
final class RandomNodes {
    private final Dice dice;

    RandomNodes(Dice dice) {
        this.dice = dice;
    }

    List<NodeFacts> nodes() {
        return IntStream.rangeClosed(0, dice.below(5)).mapToObj(this::node).toList();
    }

    private NodeFacts node(int number) {
        return NodeFacts.of("node-" + number, Scenario.POD_NETWORKS)
                .withPods(localPods(number))
                .withZone(dice.oneIn(6) ? "" : "zone-" + number % 2)
                .withAddresses(List.of(
                        Ip.parse("10.210.0.11").plus(number),
                        Ip.parse("fd00:210::11").plus(number)))
                .withServiceNetworks(dice.oneIn(6) ? List.of() : Scenario.SERVICE_NETWORKS)
                .withNodePortAddresses(dice.one(List.of(
                        new NodePortAddresses.All(),
                        new NodePortAddresses.Primary(),
                        new NodePortAddresses.Within(networks("10.210.0.0/28", "192.0.2.0/24")),
                        new NodePortAddresses.Within(networks("192.0.2.0/24")))))
                .withMasqueradeAll(dice.oneIn(5));
    }

    /// Half of the nodes know the pods of the whole cluster by address.
    private LocalPods localPods(int number) {
        return switch (dice.below(12)) {
            case 0 -> LocalPods.within(podNetworks(number));
            case 1 -> LocalPods.within(networks("10.244.0.0/23", "10.244.2.0/23", "fd00:244::/46", "fd00:244:4::/46"));
            case 2 -> LocalPods.within(networks("10.244.0.0/16"));
            case 3 -> new LocalPods.Bridge(Packet.BRIDGE);
            case 4 -> new LocalPods.InterfacePrefix(Packet.BRIDGE.substring(0, 3));
            case 5 -> new LocalPods.Unknown();
            default -> LocalPods.within(Scenario.POD_NETWORKS);
        };
    }

    /// Where the addresses of its pods come from.
    static List<Cidr> podNetworks(int number) {
        return networks("10.244.%d.0/24".formatted(number + 1), "fd00:244:%d::/64".formatted(number + 1));
    }

    private static List<Cidr> networks(String... texts) {
        return Stream.of(texts).map(Cidr::parse).toList();
    }
}
