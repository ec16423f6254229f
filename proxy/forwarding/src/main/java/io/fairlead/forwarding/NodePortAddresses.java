package io.fairlead.forwarding;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.util.List;
import java.util.stream.Stream;

/// Which addresses of the node answer at node ports: one policy, and the same in every mode.
public sealed interface NodePortAddresses {
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

    /// The networks of one family where node ports answer, if the machine has the address; a network of prefix 0 is
    /// everywhere.
    default List<Cidr> networks(Family family, List<Ip> primary) {
        return switch (this) {
            case All _ -> List.of(everywhere(family));
            case Primary _ ->
                ofFamily(primary.stream().map(ip -> new Cidr(ip, ip.family().bits())), family);
            case Within(var networks) -> {
                List<Cidr> own = ofFamily(networks.stream(), family);
                yield own.isEmpty() ? List.of(everywhere(family)) : own;
            }
        };
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
