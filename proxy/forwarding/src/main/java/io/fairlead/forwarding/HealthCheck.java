package io.fairlead.forwarding;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Service;
import io.fairlead.api.ServicePolicies.TrafficPolicy;
import java.util.List;
import java.util.Optional;

/// What a load balancer in front of the cluster asks this node: at `port`, whether it has pods of a Service.
///
/// @param localEndpoints how many ready pods the node has, counted by address; those that go down do not count, though
///     they serve to the end
public record HealthCheck(NamespacedName service, int port, int localEndpoints) {

    static Optional<HealthCheck> find(Service service, List<EndpointSlice> slices, NodeFacts node) {
        int port = service.policies().healthCheckNodePort();
        boolean asked = ServiceRows.isOurs(service)
                && service.type() == Service.Type.LOAD_BALANCER
                && service.policies().external() == TrafficPolicy.LOCAL
                && port != 0;
        return asked
                ? Optional.of(new HealthCheck(service.key(), port, Targets.readyOnThisNode(slices, node)))
                : Optional.empty();
    }
}
