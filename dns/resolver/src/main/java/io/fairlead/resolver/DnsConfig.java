package io.fairlead.resolver;

import io.fairlead.api.IpPort;
import io.fairlead.zone.ZoneSettings;
import java.util.List;
import java.util.function.Consumer;

/// How a server of names is set up.
///
/// @param addresses where it answers, by UDP and TCP
/// @param pages where it answers probes and Prometheus over HTTP; nowhere if empty
/// @param local names that are answered otherwise
/// @param workers how many threads answer by UDP
/// @param maxConcurrent how many questions may wait for upstream at once
/// @param log whether each question is logged
public record DnsConfig(
        List<IpPort> addresses,
        List<IpPort> pages,
        ZoneSettings zone,
        List<Forward> forwards,
        LocalNames local,
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
                addresses,
                List.of(),
                ZoneSettings.DEFAULT,
                List.of(),
                LocalNames.NONE,
                CacheSettings.DEFAULT,
                workers,
                1000,
                false);
    }

    public DnsConfig withAddresses(List<IpPort> other) {
        return with(draft -> draft.addresses = other);
    }

    public DnsConfig withPages(List<IpPort> other) {
        return with(draft -> draft.pages = other);
    }

    public DnsConfig withZone(ZoneSettings other) {
        return with(draft -> draft.zone = other);
    }

    public DnsConfig withForwards(List<Forward> other) {
        return with(draft -> draft.forwards = other);
    }

    public DnsConfig withLocal(LocalNames other) {
        return with(draft -> draft.local = other);
    }

    public DnsConfig withCache(CacheSettings other) {
        return with(draft -> draft.cache = other);
    }

    public DnsConfig withMaxConcurrent(int other) {
        return with(draft -> draft.maxConcurrent = other);
    }

    public DnsConfig withLog(boolean other) {
        return with(draft -> draft.log = other);
    }

    private DnsConfig with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new DnsConfig(
                draft.addresses,
                draft.pages,
                draft.zone,
                draft.forwards,
                draft.local,
                draft.cache,
                workers,
                draft.maxConcurrent,
                draft.log);
    }

    /// A copy in which one thing is about to differ.
    private static final class Draft {
        private List<IpPort> addresses;
        private List<IpPort> pages;
        private ZoneSettings zone;
        private List<Forward> forwards;
        private LocalNames local;
        private CacheSettings cache;
        private int maxConcurrent;
        private boolean log;

        private Draft(DnsConfig config) {
            addresses = config.addresses;
            pages = config.pages;
            zone = config.zone;
            forwards = config.forwards;
            local = config.local;
            cache = config.cache;
            maxConcurrent = config.maxConcurrent;
            log = config.log;
        }
    }
}
