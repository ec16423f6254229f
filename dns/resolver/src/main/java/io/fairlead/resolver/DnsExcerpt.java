package io.fairlead.resolver;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.EndpointSlice.Endpoint;
import io.fairlead.api.EndpointSlice.Hints;
import io.fairlead.api.Json;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Namespace;
import io.fairlead.api.ObjectMeta;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import io.fairlead.api.ServicePolicies;
import io.fairlead.client.Excerpt;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a server of names keeps of an object: what names are made of, whatever its settings are, and no more.
///
/// A node keeps every Service of its cluster in memory.
final class DnsExcerpt {
    /// What only pods have and is large, and what of Services and slices says nothing about names.
    static final Excerpt EXCERPT = new Excerpt(
            Set.of(
                    "ownerReferences",
                    "finalizers",
                    "hints",
                    "externalIPs",
                    "loadBalancerSourceRanges",
                    "containers",
                    "initContainers",
                    "ephemeralContainers",
                    "volumes"),
            DnsExcerpt::of);

    /// That there is a selector; which is of no interest.
    private static final Map<String, String> SELECTED = Map.of("some", "pods");

    private static final Pod.Spec NO_SPEC = Pod.of(Json.object()).spec();

    private DnsExcerpt() {}

    static KubernetesObject of(KubernetesObject object) {
        return switch (object) {
            case EndpointSlice slice ->
                new EndpointSlice(
                        metadata(slice.metadata()),
                        slice.addressType().intern(),
                        slice.endpoints().stream().map(DnsExcerpt::endpoint).toList(),
                        slice.ports());
            case Service service -> service(service);
            case Pod pod -> new Pod(metadata(pod.metadata()), NO_SPEC, pod.status(), pod.gracePeriodSeconds());
            case Namespace namespace -> new Namespace(metadata(namespace.metadata()));
            default -> object;
        };
    }

    private static Endpoint endpoint(Endpoint endpoint) {
        return new Endpoint(
                endpoint.addresses(),
                endpoint.ready(),
                endpoint.serving(),
                endpoint.terminating(),
                endpoint.nodeName().intern(), // few names, of many endpoints
                endpoint.podName(),
                "",
                endpoint.hostname(),
                endpoint.zone().intern(),
                Hints.NONE);
    }

    private static Service service(Service service) {
        return new Service(
                metadata(service.metadata()),
                service.type(),
                service.clusterIps(),
                service.headless(),
                service.ports(),
                service.selector().isEmpty() ? Map.of() : SELECTED,
                service.publishNotReadyAddresses(),
                ServicePolicies.USUAL,
                List.of(),
                Service.LoadBalancer.NONE,
                service.families(),
                service.externalName());
    }

    private static ObjectMeta metadata(ObjectMeta metadata) {
        return new ObjectMeta(
                metadata.key(),
                "",
                metadata.revision(),
                only(metadata.labels(), EndpointSlice.SERVICE_NAME),
                only(metadata.annotations(), ProgrammingTimes.TRIGGER_TIME),
                List.of(),
                List.of(),
                metadata.generation(),
                "",
                metadata.deletionTimestamp());
    }

    private static Map<String, String> only(Map<String, String> all, String name) {
        String value = all.get(name);
        return value == null ? Map.of() : Map.of(name, value);
    }
}
