package io.fairlead.resolver;

import io.fairlead.api.IpPort;
import io.fairlead.zone.ZoneSettings;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// How a server of names is set up.
///
/// @param addresses where it answers, by UDP and TCP
/// @param pages where it answers probes and Prometheus over HTTP; nowhere if empty
/// @param local names that are answered otherwise
/// @param workers how many threads answer by UDP
/// @param search whether the server walks the search path of pods
/// @param lameDuck for how long it goes on answering when it is asked to end, and says that it is not ready
/// @param log whether each question is logged
public record DnsConfig(
        List<IpPort> addresses,
        List<IpPort> pages,
        ZoneSettings zone,
        List<Forward> forwards,
        LocalNames local,
        CacheSettings cache,
        int workers,
        UpstreamSettings upstream,
        SearchPath search,
        Duration lameDuck,
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
                UpstreamSettings.DEFAULT,
                SearchPath.NOT_WALKED,
                Duration.ZERO,
                false);
    }

    public DnsConfig withAddresses(List<IpPort> other) {
        return with(draft -> draft.addresses = other);
    }

    /// At these addresses too.
    public DnsConfig with(List<IpPort> more) {
        return withAddresses(
                Stream.concat(addresses.stream(), more.stream()).distinct().toList());
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

    public DnsConfig withUpstream(UpstreamSettings other) {
        return with(draft -> draft.upstream = other);
    }

    public DnsConfig withSearch(SearchPath other) {
        return with(draft -> draft.search = other);
    }

    public DnsConfig withLameDuck(Duration other) {
        return with(draft -> draft.lameDuck = other);
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
                draft.upstream,
                draft.search,
                draft.lameDuck,
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
        private UpstreamSettings upstream;
        private SearchPath search;
        private Duration lameDuck;
        private boolean log;

        private Draft(DnsConfig config) {
            addresses = config.addresses;
            pages = config.pages;
            zone = config.zone;
            forwards = config.forwards;
            local = config.local;
            cache = config.cache;
            upstream = config.upstream;
            search = config.search;
            lameDuck = config.lameDuck;
            log = config.log;
        }
    }
}
