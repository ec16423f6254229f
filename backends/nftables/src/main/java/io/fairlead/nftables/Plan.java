package io.fairlead.nftables;

import static io.fairlead.nftables.Layout.FIRST_REGISTER;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.nftables.Expression.Choose;
import io.fairlead.nftables.Expression.Dnat;
import io.fairlead.nftables.Expression.Drop;
import io.fairlead.nftables.Expression.Lookup;
import java.util.ArrayList;
import java.util.List;

/// A way to lead a connection on: what is looked up, who is masqueraded, and among how many endpoints to choose.
///
/// Each plan is one chain, shared by all Services that need it: `numgen` wants its modulus as a constant.
record Plan(Entrance entrance, Masquerade masquerade, int count) {
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

        /// What the names of its chains begin with.
        String letter() {
            return letter;
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
        int always = masquerade == Masquerade.ALWAYS ? 1 << 28 : 0;
        int nodePort = entrance == Entrance.NODE_PORT ? 1 << 29 : 0;
        return Bytes.number(nodePort | always | count);
    }

    String chain() {
        String name = entrance.letter() + count;
        return switch (masquerade) {
            case OFF_CLUSTER -> name;
            case ALWAYS -> name + "-masquerade";
        };
    }

    List<Rule> rules(Family family, List<Cidr> podNetworks) {
        List<Rule> rules = new ArrayList<>();
        switch (masquerade) {
            case OFF_CLUSTER -> rules.addAll(markUnlessFrom(podNetworks, family));
            case ALWAYS -> rules.add(new Rule(Steps.markForMasquerade()));
        }
        rules.add(choose(family, count));
        // The look-ups of one packet may see the state before and after a change: an old plan, and fewer endpoints.
        // Then the index is not there. The first endpoint always is; and if even that is gone, dropping makes the
        // client send again, where going on would let the packet out to an address that nobody has.
        rules.add(choose(family, 1));
        rules.add(Rule.of(new Drop()));
        return rules;
    }

    private Rule choose(Family family, int count) {
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
