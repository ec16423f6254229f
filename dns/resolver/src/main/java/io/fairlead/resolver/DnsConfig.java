package io.fairlead.resolver;

import io.fairlead.api.IpPort;
import io.fairlead.zone.ZoneSettings;
import java.util.List;

/// How a server of names is set up.
///
/// @param addresses where it answers, by UDP and TCP
/// @param pages where it answers probes and Prometheus over HTTP; nowhere if empty
/// @param workers how many threads answer by UDP
/// @param maxConcurrent how many questions may wait for upstream at once
/// @param log whether each question is logged
public record DnsConfig(
        List<IpPort> addresses,
        List<IpPort> pages,
        ZoneSettings zone,
        List<Forward> forwards,
        CacheSettings cache,
        int workers,
        int maxConcurrent,
        boolean log) {

    public DnsConfig {
        addresses = List.copyOf(addresses);
        pages = List.copyOf(pages);
        forwards = List.copyOf(forwards);
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("no address to answer at");
        }
        if (workers < 1) {
            throw new IllegalArgumentException("workers must be at least 1, not " + workers);
        }
    }

    /// At these addresses, all else as it is usual.
    public static DnsConfig at(List<IpPort> addresses, int workers) {
        return new DnsConfig(
                addresses, List.of(), ZoneSettings.DEFAULT, List.of(), CacheSettings.DEFAULT, workers, 1000, false);
    }

    public DnsConfig withZone(ZoneSettings other) {
        return new DnsConfig(addresses, pages, other, forwards, cache, workers, maxConcurrent, log);
    }

    public DnsConfig withForwards(List<Forward> other) {
        return new DnsConfig(addresses, pages, zone, other, cache, workers, maxConcurrent, log);
    }

    public DnsConfig withPages(List<IpPort> other) {
        return new DnsConfig(addresses, other, zone, forwards, cache, workers, maxConcurrent, log);
    }

    public DnsConfig withLog(boolean other) {
        return new DnsConfig(addresses, pages, zone, forwards, cache, workers, maxConcurrent, other);
    }
}
