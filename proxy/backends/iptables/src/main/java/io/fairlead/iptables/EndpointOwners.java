package io.fairlead.iptables;

import io.fairlead.forwarding.ServicePortName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Which port of a Service each endpoint's chain belongs to, told by the rules that lead there: in a large table no
/// comment does.
///
/// The chains of one port have names that end alike, so the line of any of its frontends tells whose they all are.
final class EndpointOwners {
    private final Map<String, ServicePortName> ports = new HashMap<>();
    private final Map<String, String> choosers = new HashMap<>();

    /// The line of a frontend of `port` leads to `chain`.
    void frontend(ServicePortName port, String chain) {
        ports.put(ChainNames.hash(chain), port);
    }

    /// A rule of `chain`, which chooses, leads to an endpoint's chain.
    void choice(String chain, String endpoint) {
        choosers.put(endpoint, ChainNames.hash(chain));
    }

    Optional<ServicePortName> find(String endpoint) {
        return Optional.ofNullable(choosers.get(endpoint)).map(ports::get);
    }
}
