package io.fairlead.nftables;

import static io.fairlead.nftables.Layout.FIRST_REGISTER;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.nftables.Expression.Choose;
import io.fairlead.nftables.Expression.Dnat;
import io.fairlead.nftables.Expression.Drop;
import io.fairlead.nftables.Expression.Goto;
import io.fairlead.nftables.Expression.Lookup;
import io.fairlead.nftables.NftablesEntry.Chain;
import io.fairlead.nftables.NftablesEntry.Content;
import io.fairlead.nftables.NftablesEntry.Element;
import io.fairlead.nftables.NftablesEntry.Hook;
import java.util.ArrayList;
import java.util.List;

/// A way to lead a connection on: what is looked up, who is masqueraded, and among how many endpoints to choose.
///
/// Each plan is one chain, shared by all Services that need it: `numgen` wants its modulus as a constant.
record Plan(Entrance entrance, Masquerade masquerade, int count) {
    // When a new chain looks into a map, the kernel walks that map: 40 ms where it has 100,000 elements. So the usual
    // plans are there before the first element comes, and a Service that grows from 10 endpoints to 11 costs nothing.
    private static final int STANDING = 16;

    /// By what a connection is recognised, and so in which sets its frontend stands.
    enum Entrance {
        /// A virtual address and a port.
        ADDRESS("n", SetShape.SERVICE, SetShape.ENDPOINT, SetShape.REJECTED, SetShape.DROPPED),
        /// A port of the node's own addresses.
        NODE_PORT(
                "p",
                SetShape.NODEPORT,
                SetShape.NODEPORT_ENDPOINT,
                SetShape.NODEPORT_REJECTED,
                SetShape.NODEPORT_DROPPED);

        private final String letter;
        private final SetShape services;
        private final SetShape endpoints;
        private final SetShape rejected;
        private final SetShape dropped;

        Entrance(String letter, SetShape services, SetShape endpoints, SetShape rejected, SetShape dropped) {
            this.letter = letter;
            this.services = services;
            this.endpoints = endpoints;
            this.rejected = rejected;
            this.dropped = dropped;
        }

        /// The chain for packets that find no endpoint.
        String fallback() {
            return letter + "-first";
        }

        SetShape services() {
            return services;
        }

        SetShape endpoints() {
            return endpoints;
        }

        SetShape rejected() {
            return rejected;
        }

        SetShape dropped() {
            return dropped;
        }
    }

    /// What stands in the maps of Services, and leads to the chain; the count can be read from it.
    Bytes key() {
        int nodePort = entrance == Entrance.NODE_PORT ? 1 << 29 : 0;
        int unusual = isUsual() ? 0 : 1 << 28;
        return Bytes.number(nodePort | unusual | count);
    }

    String chain() {
        String name = entrance.letter + count;
        return isUsual() ? name : name + "-" + masquerade;
    }

    /// A ClusterIP keeps the address of a pod; a node port of no one.
    private boolean isUsual() {
        return switch (entrance) {
            case ADDRESS -> masquerade == Masquerade.OFF_CLUSTER;
            case NODE_PORT -> masquerade == Masquerade.ALWAYS;
        };
    }

    /// The plans that are part of the foundation.
    static List<Plan> standing() {
        List<Plan> plans = new ArrayList<>();
        for (int count = 1; count <= STANDING; count++) {
            plans.add(new Plan(Entrance.ADDRESS, Masquerade.OFF_CLUSTER, count));
            plans.add(new Plan(Entrance.NODE_PORT, Masquerade.ALWAYS, count));
        }
        return plans;
    }

    boolean isStanding() {
        return isUsual() && count <= STANDING;
    }

    /// The chain, and the element that leads to it.
    List<NftablesEntry> entries(Family family, List<Cidr> podNetworks) {
        return List.of(
                new Chain(family, chain(), Hook.NONE, rules(family, podNetworks)),
                new Element(family, SetShape.PLAN, key(), new Content.Goto(chain()), ""));
    }

    private List<Rule> rules(Family family, List<Cidr> podNetworks) {
        List<Rule> rules = new ArrayList<>();
        switch (masquerade) {
            case OFF_CLUSTER -> rules.addAll(markUnlessFrom(podNetworks, family));
            case NEVER, FROM_NODE -> {}
            case ALWAYS -> rules.add(new Rule(Steps.markForMasquerade()));
        }
        rules.add(choose(entrance, count, family));
        rules.add(Rule.of(new Goto(entrance.fallback())));
        return rules;
    }

    /// Where a packet goes on that found no endpoint at the index it chose.
    ///
    /// Its look-ups may see the state before and after a change: an old plan, and fewer endpoints. The first
    /// endpoint is always there. If even that is gone, dropping makes the client send again, where going on would
    /// let the packet out to an address that nobody has.
    static Chain fallback(Entrance entrance, Family family) {
        return new Chain(
                family, entrance.fallback(), Hook.NONE, List.of(choose(entrance, 1, family), Rule.of(new Drop())));
    }

    private static Rule choose(Entrance entrance, int count, Family family) {
        List<Expression> load = switch (entrance) {
            case ADDRESS -> Steps.loadAddressAndPort(family);
            case NODE_PORT -> Steps.loadPort();
        };
        int index = FIRST_REGISTER + SetShape.length(entrance.endpoints().key(), family) / 4 - 1;
        return new Rule(load)
                .then(
                        new Choose(count, index),
                        new Lookup(entrance.endpoints(), FIRST_REGISTER, FIRST_REGISTER),
                        new Dnat(FIRST_REGISTER, FIRST_REGISTER + Layout.addressRegisters(family)));
    }

    /// Nothing if the pod network is not known: then nobody can be told to be outside.
    private static List<Rule> markUnlessFrom(List<Cidr> podNetworks, Family family) {
        List<Expression> outside = podNetworks.stream()
                .filter(network -> network.family() == family)
                .flatMap(network -> Steps.isOutside(network, Field.SOURCE).stream())
                .toList();
        return outside.isEmpty() ? List.of() : List.of(new Rule(outside).then(Steps.markForMasquerade()));
    }
}
