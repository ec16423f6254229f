package io.fairlead.forwarding;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import java.util.Comparator;
import java.util.Optional;

/// Whom a row of the forwarding table belongs to: a Service, a port name and a protocol.
public record ServicePortName(NamespacedName service, String port, Protocol protocol)
        implements Comparable<ServicePortName> {
    private static final Comparator<ServicePortName> ORDER = Comparator.comparing(ServicePortName::service)
            .thenComparing(ServicePortName::port)
            .thenComparing(ServicePortName::protocol);

    /// The one that [#toString] shows as `text`; nothing if that names no Service.
    public static Optional<ServicePortName> find(String text, Protocol protocol) {
        int slash = text.indexOf('/');
        int colon = text.indexOf(':') < 0 ? text.length() : text.indexOf(':');
        if (slash < 0 || slash > colon) {
            return Optional.empty();
        }
        NamespacedName service = new NamespacedName(text.substring(0, slash), text.substring(slash + 1, colon));
        String port = colon == text.length() ? "" : text.substring(colon + 1);
        return Optional.of(new ServicePortName(service, port, protocol));
    }

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
