package io.fairlead.routes;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.EndpointSlice.Endpoint;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Where the requests for a port of a Service go now.
public sealed interface ServiceUpstream {
    /// To one of these; sorted, and never empty.
    record Endpoints(List<IpPort> targets) implements ServiceUpstream {
        public Endpoints {
            targets = List.copyOf(targets);
        }
    }

    /// To a name that is resolved when a request comes.
    record External(String name, int port) implements ServiceUpstream {}

    /// Nowhere: 503, and a sentence that says why.
    record Nowhere(String sentence) implements ServiceUpstream {}

    static ServiceUpstream of(Snapshot snapshot, ServicePort wanted) {
        Optional<Service> found = snapshot.services().find(wanted.service());
        if (found.isEmpty()) {
            return new Nowhere("there is no Service " + wanted.service());
        }
        Service service = found.get();
        Optional<Service.Port> port = port(service, wanted.port());
        if (service.type() == Service.Type.EXTERNAL_NAME) {
            return external(service, wanted, port);
        }
        if (port.isEmpty()) {
            return new Nowhere("Service %s has no port %s".formatted(wanted.service(), wanted.port()));
        }
        List<EndpointSlice> slices = snapshot.slicesOf(wanted.service());
        SortedSet<IpPort> ready = targets(slices, port.get(), Endpoint::ready);
        SortedSet<IpPort> usable = ready.isEmpty()
                ? targets(slices, port.get(), endpoint -> endpoint.serving() && endpoint.terminating())
                : ready;
        return usable.isEmpty()
                ? new Nowhere("Service %s has no endpoint that is ready".formatted(wanted.service()))
                : new Endpoints(List.copyOf(usable));
    }

    private static ServiceUpstream external(Service service, ServicePort wanted, Optional<Service.Port> port) {
        boolean number = wanted.port().matches("[0-9]{1,5}");
        if ((port.isEmpty() && !number) || !service.externalName().matches("[A-Za-z0-9._-]{1,253}")) {
            return new Nowhere("Service %s leads to no name and port".formatted(wanted.service()));
        }
        return new External(
                service.externalName(), port.map(Service.Port::port).orElseGet(() -> Integer.parseInt(wanted.port())));
    }

    static Optional<Service.Port> port(Service service, String wanted) {
        return service.ports().stream()
                .filter(port -> port.protocol() == Protocol.TCP)
                .filter(port -> wanted.equals(ServicePort.FIRST)
                        || port.name().equals(wanted)
                        || Integer.toString(port.port()).equals(wanted))
                .findFirst();
    }

    private static SortedSet<IpPort> targets(
            List<EndpointSlice> slices, Service.Port port, Predicate<Endpoint> condition) {
        SortedSet<IpPort> targets = new TreeSet<>();
        for (EndpointSlice slice : slices) {
            slice.ports().stream()
                    .filter(candidate -> candidate.name().equals(port.name())
                            && candidate.protocol() == port.protocol()
                            && candidate.port() > 0)
                    .forEach(behind -> slice.endpoints().stream()
                            .filter(condition)
                            .flatMap(endpoint -> endpoint.addresses().stream().limit(1))
                            .forEach(ip -> targets.add(new IpPort(ip, behind.port()))));
        }
        return targets;
    }
}
