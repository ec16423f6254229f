package io.fairlead.forwarding;

import io.fairlead.api.Cidr;
import java.util.List;

/// What a table depends on besides the Services: the node we stand on, and the addresses of all pods.
public record NodeFacts(String name, List<Cidr> podNetworks) {
    public NodeFacts {
        podNetworks = List.copyOf(podNetworks);
    }
}
