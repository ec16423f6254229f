package io.fairlead.routes;

import io.fairlead.api.IngressBackend;
import io.fairlead.api.NamespacedName;

/// A port of a Service, as an Ingress names it: by its name, or by its number.
public record ServicePort(NamespacedName service, String port) implements Comparable<ServicePort> {
    /// The first port of a Service, whatever it is.
    static final String FIRST = "*";

    static ServicePort of(String namespace, IngressBackend backend) {
        return new ServicePort(
                new NamespacedName(namespace, backend.service()),
                backend.portName().isEmpty() ? Integer.toString(backend.portNumber()) : backend.portName());
    }

    @Override
    public int compareTo(ServicePort other) {
        int byService = service.compareTo(other.service);
        return byService != 0 ? byService : port.compareTo(other.port);
    }

    @Override
    public String toString() {
        return service + ":" + port;
    }
}
