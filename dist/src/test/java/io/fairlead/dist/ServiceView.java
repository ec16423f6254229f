package io.fairlead.dist;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.EndpointSlice.Endpoint;
import io.fairlead.api.Service;
import io.fairlead.api.ServicePolicies.TrafficPolicy;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What the API said of a Service from one moment on.
record ServiceView(long since, @Nullable Service service, List<Endpoint> endpoints) {
    static ServiceView of(long since, @Nullable Service service, Collection<EndpointSlice> slices) {
        return new ServiceView(
                since,
                service,
                slices.stream().flatMap(slice -> slice.endpoints().stream()).toList());
    }

    /// The endpoints that a caller may reach: the ready ones; where none is, those that end but still serve.
    List<Endpoint> allowed(Caller.Place caller) {
        List<Endpoint> ready = promised(caller);
        return ready.isEmpty() ? among(caller, endpoint -> endpoint.serving() && endpoint.terminating()) : ready;
    }

    /// The endpoints of which a caller must reach one: the ready ones. One that ends may be gone at any moment.
    List<Endpoint> promised(Caller.Place caller) {
        return among(caller, Endpoint::ready);
    }

    /// As people read it in a report; times count from `start`.
    String text(long start) {
        String endpointText = endpoints.stream()
                .map(endpoint -> endpoint.podName() + "@" + endpoint.nodeName() + (endpoint.ready() ? "" : " unready")
                        + (endpoint.terminating() ? " terminating" : ""))
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "%.3f s %s [%s]",
                (since - start) / 1e9,
                service == null ? "gone" : service.type() + " " + service.policies(),
                endpointText);
    }

    private boolean isOpen(Caller.Place caller) {
        return service != null && (!caller.external() || service.type() != Service.Type.CLUSTER_IP);
    }

    private List<Endpoint> among(Caller.Place caller, Predicate<Endpoint> condition) {
        if (!isOpen(caller)) {
            return List.of();
        }
        return endpoints.stream()
                .filter(condition)
                .filter(endpoint -> !isLocal(caller) || endpoint.nodeName().equals(caller.node()))
                .toList();
    }

    private boolean isLocal(Caller.Place caller) {
        if (service == null) {
            return false;
        }
        TrafficPolicy policy = caller.external()
                ? service.policies().external()
                : service.policies().internal();
        return policy == TrafficPolicy.LOCAL;
    }
}
