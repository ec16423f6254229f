package io.fairlead.zone;

import io.fairlead.api.Ip;
import java.util.List;

/// How the names of a cluster are given.
///
/// @param origin the domain of the cluster
/// @param ttl for how many seconds an answer may be kept, also one that says no
/// @param pods whether the dashed address of a pod is a name
/// @param zoneScoped whether headless Services have the names of one zone's endpoints
/// @param emptyServices whether a Service with an address but without a ready endpoint has a name
/// @param podNames whether an endpoint without a hostname is called as its pod, not by its dashed address
/// @param servers the addresses of the cluster's DNS
public record ZoneSettings(
        Name origin,
        int ttl,
        PodMode pods,
        boolean zoneScoped,
        boolean emptyServices,
        boolean podNames,
        List<Ip> servers) {
    public static final int MAX_TTL = 3600;

    public static final ZoneSettings DEFAULT =
            new ZoneSettings(Name.of("cluster.local"), 5, PodMode.INSECURE, false, true, false, List.of());

    public ZoneSettings {
        servers = List.copyOf(servers);
        if (ttl < 0 || ttl > MAX_TTL) {
            throw new IllegalArgumentException("ttl must be 0 to %d, not %d".formatted(MAX_TTL, ttl));
        }
    }

    /// Which names below `pod` there are.
    public enum PodMode {
        /// None.
        DISABLED,
        /// Every address, whether a pod has it or not.
        INSECURE,
        /// The addresses of the pods of the namespace.
        VERIFIED
    }

    public ZoneSettings withOrigin(Name other) {
        return new ZoneSettings(other, ttl, pods, zoneScoped, emptyServices, podNames, servers);
    }

    public ZoneSettings withTtl(int other) {
        return new ZoneSettings(origin, other, pods, zoneScoped, emptyServices, podNames, servers);
    }

    public ZoneSettings withPods(PodMode other) {
        return new ZoneSettings(origin, ttl, other, zoneScoped, emptyServices, podNames, servers);
    }

    public ZoneSettings withZoneScoped(boolean other) {
        return new ZoneSettings(origin, ttl, pods, other, emptyServices, podNames, servers);
    }

    public ZoneSettings withEmptyServices(boolean other) {
        return new ZoneSettings(origin, ttl, pods, zoneScoped, other, podNames, servers);
    }

    public ZoneSettings withPodNames(boolean other) {
        return new ZoneSettings(origin, ttl, pods, zoneScoped, emptyServices, other, servers);
    }

    public ZoneSettings withServers(List<Ip> other) {
        return new ZoneSettings(origin, ttl, pods, zoneScoped, emptyServices, podNames, other);
    }
}
