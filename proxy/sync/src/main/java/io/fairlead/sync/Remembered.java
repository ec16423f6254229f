package io.fairlead.sync;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.EndpointSlice.Endpoint;
import io.fairlead.api.Ip;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.ObjectMeta;
import io.fairlead.api.Service;
import io.fairlead.client.Excerpt;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a proxy remembers of an object. A large cluster has a hundred thousand endpoints, and to lead connections
/// it need not know the names of the pods behind them.
final class Remembered {
    private static final Set<String> LABELS =
            Set.of(EndpointSlice.SERVICE_NAME, "service.kubernetes.io/headless", Service.PROXY_NAME);

    /// The names of pods and who owns what are most of the text of a large list, and are passed over.
    static final Excerpt EXCERPT =
            new Excerpt(Set.of("targetRef", "hostname", "ownerReferences", "finalizers", "selector"), Remembered::of);

    private Remembered() {}

    /// For a proxy that does not lead external IPs: it never hears of them.
    static Excerpt excerptWithoutExternalIps() {
        Set<String> unread = new HashSet<>(EXCERPT.unread());
        unread.add("externalIPs");
        return new Excerpt(unread, Remembered::withoutExternalIps);
    }

    static KubernetesObject of(KubernetesObject object) {
        return switch (object) {
            case EndpointSlice slice -> slice(slice);
            case Service service -> service(service, service.externalIps());
            default -> object;
        };
    }

    private static KubernetesObject withoutExternalIps(KubernetesObject object) {
        return object instanceof Service service ? service(service, List.of()) : of(object);
    }

    private static EndpointSlice slice(EndpointSlice slice) {
        List<Endpoint> endpoints = slice.endpoints();
        if (endpoints.stream().anyMatch(Remembered::isNamed)) {
            endpoints = endpoints.stream().map(Remembered::nameless).toList();
        }
        return new EndpointSlice(metadata(slice.metadata(), "", ""), slice.addressType(), endpoints, slice.ports());
    }

    private static boolean isNamed(Endpoint endpoint) {
        return !(endpoint.podName().isEmpty()
                && endpoint.podUid().isEmpty()
                && endpoint.hostname().isEmpty());
    }

    private static Endpoint nameless(Endpoint endpoint) {
        return new Endpoint(
                endpoint.addresses(),
                endpoint.ready(),
                endpoint.serving(),
                endpoint.terminating(),
                endpoint.nodeName(),
                "",
                "",
                "",
                endpoint.zone(),
                endpoint.hints());
    }

    private static Service service(Service service, List<Ip> externalIps) {
        // Who is older matters only where two may want one place.
        boolean outside =
                !externalIps.isEmpty() || !service.loadBalancer().ingress().isEmpty();
        return new Service(
                metadata(
                        service.metadata(),
                        service.metadata().uid(),
                        outside ? service.metadata().creationTimestamp() : ""),
                service.type(),
                service.clusterIps(),
                service.headless(),
                service.ports(),
                Map.of(),
                service.publishNotReadyAddresses(),
                service.policies(),
                externalIps,
                service.loadBalancer(),
                service.families(),
                service.externalName());
    }

    private static ObjectMeta metadata(ObjectMeta metadata, String uid, String created) {
        return new ObjectMeta(
                metadata.key(),
                uid,
                metadata.revision(),
                labels(metadata.labels()),
                Map.copyOf(metadata.annotations()),
                List.of(),
                List.of(),
                metadata.generation(),
                created,
                metadata.deletionTimestamp());
    }

    private static Map<String, String> labels(Map<String, String> all) {
        Map<String, String> some = new HashMap<>();
        for (String name : LABELS) {
            String value = all.get(name);
            if (value != null) {
                some.put(name, value);
            }
        }
        return Map.copyOf(some);
    }
}
