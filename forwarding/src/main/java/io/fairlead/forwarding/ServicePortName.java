package io.fairlead.forwarding;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import java.util.Comparator;

/// Whom a row of the forwarding table belongs to: a Service, a port name and a protocol.
public record ServicePortName(NamespacedName service, String port, Protocol protocol)
        implements Comparable<ServicePortName> {
    private static final Comparator<ServicePortName> ORDER = Comparator.comparing(ServicePortName::service)
            .thenComparing(ServicePortName::port)
            .thenComparing(ServicePortName::protocol);

    @Override
    public int compareTo(ServicePortName other) {
        return ORDER.compare(this, other);
    }

    /// `default/web:http`; without a colon where the port has no name.
    @Override
    public String toString() {
        return port.isEmpty() ? service.toString() : service + ":" + port;
    }
}
