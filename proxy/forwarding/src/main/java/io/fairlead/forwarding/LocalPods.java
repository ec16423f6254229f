package io.fairlead.forwarding;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import java.util.List;

/// How the proxy tells the pods of this node from all other clients: the local detector.
public sealed interface LocalPods {
    /// By source address: the pods of the node, or of the whole cluster where each node sees only its own.
    record Networks(List<Cidr> networks) implements LocalPods {
        public Networks {
            networks = List.copyOf(networks);
        }
    }

    /// By the bridge that they are on.
    record Bridge(String interfaceName) implements LocalPods {}

    /// By the name of the interface that leads to them, `veth…`.
    record InterfacePrefix(String prefix) implements LocalPods {}

    /// Not at all: then no client is masqueraded for coming from elsewhere, and no pod is inside.
    record Unknown() implements LocalPods {}

    /// Whether the proxy can know pods of this family.
    default boolean isKnown(Family family) {
        return switch (this) {
            case Networks(var networks) -> networks.stream().anyMatch(network -> network.family() == family);
            case Bridge _, InterfacePrefix _ -> true;
            case Unknown _ -> false;
        };
    }

    /// By address, or not at all where no network is known.
    static LocalPods within(List<Cidr> networks) {
        return networks.isEmpty() ? new Unknown() : new Networks(networks);
    }
}
