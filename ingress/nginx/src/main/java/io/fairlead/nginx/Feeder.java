package io.fairlead.nginx;

import io.fairlead.api.Secret;
import io.fairlead.routes.Feed;
import io.fairlead.routes.HostRoutes;
import io.fairlead.routes.PathRoute;
import io.fairlead.routes.Profile;
import io.fairlead.routes.RouteTable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Tells nginx what changed. A host whose profile it does not have yet waits for the reload that brings it.
final class Feeder {
    private final Nginx nginx;
    private final IngressMetrics metrics;
    private final Set<String> waiting = new TreeSet<>();
    private @Nullable RouteTable fed;
    private SortedMap<String, String> common = new TreeMap<>();

    Feeder(Nginx nginx, IngressMetrics metrics) {
        this.nginx = nginx;
        this.metrics = metrics;
    }

    /// We no longer know what nginx knows: next time we send it everything.
    void forget() {
        fed = null;
        waiting.clear();
    }

    boolean isBehind() {
        return fed == null || !waiting.isEmpty();
    }

    void feed(RouteTable table, SharedSettings wanted, Optional<Secret> certificate, Set<Profile> profiles) {
        SortedMap<String, String> shared = Feed.common(wanted.settings(), certificate);
        RouteTable before = fed;
        SortedMap<String, String> records = before == null ? Feed.all(table) : Feed.between(before, table);
        for (String host : waiting) {
            records.putAll(Feed.host(table, host));
        }
        waiting.clear();
        records.keySet().removeIf(key -> waits(table, key, profiles));
        if (before == null || !shared.equals(common)) {
            records.putAll(shared);
        }
        if (before != null && records.isEmpty()) {
            fed = table;
            return;
        }
        writePasswords(table, records.keySet());
        if (before == null) {
            records.values().removeIf(String::isEmpty);
        }
        nginx.feed(records, before == null);
        metrics.fed();
        fed = table;
        common = shared;
    }

    private boolean waits(RouteTable table, String key, Set<Profile> profiles) {
        if (!key.startsWith(Feed.HOST)) {
            return false;
        }
        String host = key.substring(Feed.HOST.length());
        boolean waits = routes(table, host).anyMatch(route -> !profiles.contains(route.profile()));
        if (waits) {
            waiting.add(host);
        }
        return waits;
    }

    private static Stream<PathRoute> routes(RouteTable table, String host) {
        return table.hosts().find(host).stream()
                .flatMap(found -> Stream.concat(found.routes().stream(), found.fallback().stream()));
    }

    private void writePasswords(RouteTable table, Set<String> keys) {
        keys.stream()
                .filter(key -> key.startsWith(Feed.HOST))
                .map(key -> table.hosts().find(key.substring(Feed.HOST.length())))
                .flatMap(Optional::stream)
                .map(HostRoutes::routes)
                .flatMap(List::stream)
                .filter(route -> !route.settled().passwords().isEmpty())
                .forEach(route -> nginx.keepPasswords(
                        route.settled().passwordFile(),
                        route.settled().passwords().getBytes(StandardCharsets.UTF_8)));
    }
}
