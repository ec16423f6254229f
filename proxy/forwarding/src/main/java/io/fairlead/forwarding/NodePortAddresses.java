package io.fairlead.forwarding;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Which addresses of the node answer at node ports: one policy, and the same in every mode.
public sealed interface NodePortAddresses {
    /// The words that stand in a list for addresses, beside networks.
    Set<String> WORDS = Set.of("primary", "localhost", "all");

    /// What `localhost` stands for. Only the modes that can lead from there answer there.
    List<Cidr> LOOPBACK = List.of(Cidr.parse("127.0.0.0/8"), Cidr.parse("::1/128"));

    /// All that the machine has.
    record All() implements NodePortAddresses {}

    /// Those by which the cluster knows the node: [NodeFacts#addresses].
    record Primary() implements NodePortAddresses {}

    /// Those of the machine that are inside these networks; a family without a network is open everywhere.
    record Within(List<Cidr> networks) implements NodePortAddresses {
        public Within {
            networks = List.copyOf(networks);
        }
    }

    /// The primary addresses, and those inside these networks; a family with neither is closed.
    record PrimaryAnd(List<Cidr> networks) implements NodePortAddresses {
        public PrimaryAnd {
            networks = List.copyOf(networks);
        }
    }

    /// What a list of networks and words says, each adding to the others; the primary addresses where it says nothing.
    static NodePortAddresses of(List<String> texts) {
        List<Cidr> networks = texts.stream()
                .flatMap(text -> text.equals("localhost") ? LOOPBACK.stream() : Cidr.find(text).stream())
                .distinct()
                .toList();
        boolean everywhere =
                Stream.of(Family.values()).map(NodePortAddresses::everywhere).allMatch(networks::contains);
        if (texts.contains("all") || everywhere) {
            return new All();
        }
        if (texts.contains("primary") || networks.isEmpty()) {
            return networks.isEmpty() ? new Primary() : new PrimaryAnd(networks);
        }
        return new Within(networks);
    }

    /// The networks of one family where node ports answer, if the machine has the address; a network of prefix 0 is
    /// everywhere.
    default List<Cidr> networks(Family family, List<Ip> primary) {
        return switch (this) {
            case All _ -> List.of(everywhere(family));
            case Primary _ -> ofFamily(single(primary), family);
            case PrimaryAnd(var networks) -> {
                List<Cidr> own = ofFamily(Stream.concat(single(primary), networks.stream()), family);
                yield own.contains(everywhere(family)) ? List.of(everywhere(family)) : own;
            }
            case Within(var networks) -> {
                List<Cidr> own = ofFamily(networks.stream(), family);
                yield own.isEmpty() ? List.of(everywhere(family)) : own;
            }
        };
    }

    private static Stream<Cidr> single(List<Ip> addresses) {
        return addresses.stream().map(ip -> new Cidr(ip, ip.family().bits()));
    }

    private static List<Cidr> ofFamily(Stream<Cidr> networks, Family family) {
        return networks.filter(network -> network.family() == family)
                .distinct()
                .sorted()
                .toList();
    }

    private static Cidr everywhere(Family family) {
        return Cidr.parse(family == Family.IPV4 ? "0.0.0.0/0" : "::/0");
    }
}
