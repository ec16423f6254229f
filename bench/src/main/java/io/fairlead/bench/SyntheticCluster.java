package io.fairlead.bench;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ObjectMeta;
import io.fairlead.api.PortReference;
import io.fairlead.api.Protocol;
import io.fairlead.api.Revision;
import io.fairlead.api.Service;
import io.fairlead.api.ServicePolicies;
import io.fairlead.api.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Services with one port and a number of endpoints each, as large as one likes.
record SyntheticCluster(int services, int endpoints) {
    private static final Ip FIRST_VIP = Ip.parse("10.96.0.0");
    private static final Ip FIRST_POD = Ip.parse("10.128.0.0");

    Snapshot snapshot() {
        Snapshot snapshot = Snapshot.EMPTY;
        for (int i = 0; i < services; i++) {
            snapshot = snapshot.with(service(i)).with(slice(i, 0));
        }
        return snapshot;
    }

    Service service(int i) {
        Service.Port port = new Service.Port("http", Protocol.TCP, 80, new PortReference.ByNumber(8080), 0, "");
        return new Service(
                metadata("svc-" + i, Map.of()),
                Service.Type.CLUSTER_IP,
                List.of(FIRST_VIP.plus(i + 1)),
                false,
                List.of(port),
                Map.of("app", "svc-" + i),
                false,
                ServicePolicies.USUAL,
                List.of(),
                Service.LoadBalancer.NONE,
                List.of(Family.IPV4),
                "");
    }

    /// The endpoints of one Service; another `generation` has another last endpoint.
    EndpointSlice slice(int i, int generation) {
        List<EndpointSlice.Endpoint> pods = IntStream.range(0, endpoints)
                .mapToObj(e ->
                        endpoint(e == endpoints - 1 ? pod(i, e).plus(1L << 20).plus(generation) : pod(i, e)))
                .toList();
        return new EndpointSlice(
                metadata("svc-" + i + "-1", Map.of(EndpointSlice.SERVICE_NAME, "svc-" + i)),
                "IPv4",
                pods,
                List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080, "")));
    }

    private Ip pod(int i, int e) {
        return FIRST_POD.plus((long) i * endpoints + e);
    }

    private static EndpointSlice.Endpoint endpoint(Ip ip) {
        return new EndpointSlice.Endpoint(
                List.of(ip), true, true, false, "another-node", "", "", "", "", EndpointSlice.Hints.NONE);
    }

    private static ObjectMeta metadata(String name, Map<String, String> labels) {
        return new ObjectMeta(
                new NamespacedName("default", name),
                name,
                Revision.ZERO,
                labels,
                Map.of(),
                List.of(),
                List.of(),
                1,
                "",
                "");
    }
}
