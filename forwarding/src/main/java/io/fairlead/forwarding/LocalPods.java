package io.fairlead.forwarding;

import io.fairlead.api.Cidr;
import java.util.List;

/// How the pods of this node are told from everybody else: the local detector.
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

    /// Not at all: then nobody is masqueraded for coming from elsewhere, and no pod is inside.
    record Unknown() implements LocalPods {}

    /// By address, or not at all where no network is known.
    static LocalPods within(List<Cidr> networks) {
        return networks.isEmpty() ? new Unknown() : new Networks(networks);
    }
}
