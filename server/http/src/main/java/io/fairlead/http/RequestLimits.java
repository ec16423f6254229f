package io.fairlead.http;

import io.fairlead.access.User;
import io.fairlead.api.Kind;
import io.fairlead.objects.StatusException;
import io.fairlead.runtime.FairPlaces;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// How many requests are answered at the same time, and whose: taken once it is known who sends one.
///
/// Each level has places of its own, and within it users come by turns: a client that floods the server waits for
/// itself, and neither for it do nodes, administrators, the controllers or other clients wait. A request that finds no
/// place in time gets a 429.
final class RequestLimits implements Filter {
    /// Who shares places with whom.
    enum Level {
        /// A busy server is not a dead one.
        HEALTH,
        /// Leases and the status of nodes: a busy cluster does not lose its nodes.
        HEARTBEATS,
        /// A watch or a session with a pod waits more than it works.
        WATCHES,
        /// Administrators, nodes and the cluster's own programs.
        OWN,
        TENANTS,
        /// Clients that do not say who they are.
        STRANGERS
    }

    private static final Set<String> SESSIONS = Set.of("log", "exec", "attach", "portforward", "proxy");
    private static final int MOST_WAITING = 100;
    private static final Duration NOT_AT_ALL = Duration.ZERO;

    /// Places for reads and for writes.
    private record Places(FairPlaces reads, FairPlaces writes) {
        static Places of(int reads, int writes, int parts, Limits limits) {
            return new Places(shared(reads, parts, limits), shared(writes, parts, limits));
        }

        /// One user has no more than one of so many parts.
        private static FairPlaces shared(int places, int parts, Limits limits) {
            int part = Math.max(1, places / parts);
            return new FairPlaces(new FairPlaces.Limits(places, part, MOST_WAITING, limits.patience()));
        }

        static Places counted(int all, int mostOfOne) {
            FairPlaces places = new FairPlaces(new FairPlaces.Limits(all, mostOfOne, 0, NOT_AT_ALL));
            return new Places(places, places);
        }
    }

    private final Map<Level, Places> places = new EnumMap<>(Level.class);
    private final ServerMetrics metrics;

    RequestLimits(Limits limits, ServerMetrics metrics) {
        this.metrics = metrics;
        places.put(Level.HEARTBEATS, Places.counted(10_000, 16));
        places.put(Level.WATCHES, Places.counted(100_000, 10_000));
        places.put(Level.OWN, Places.of(limits.reads(), limits.writes(), 1, limits));
        places.put(Level.TENANTS, Places.of(limits.reads(), limits.writes(), 4, limits));
        places.put(
                Level.STRANGERS,
                Places.of(Math.max(1, limits.reads() / 8), Math.max(1, limits.writes() / 8), 1, limits));
        places.forEach((level, both) -> metrics.tellOf(
                level.name(),
                () -> both.reads.taken() + (both.reads == both.writes ? 0 : both.writes.taken()),
                () -> both.reads.waiting() + (both.reads == both.writes ? 0 : both.writes.waiting())));
    }

    @Override
    public Answer answer(Exchange exchange, Next next) throws InterruptedException {
        Level level = level(exchange.sender(), exchange.request());
        if (level != Level.HEALTH && !exchange.hasPlace()) {
            exchange.hold(take(level, exchange));
        }
        if (exchange.isGone()) {
            throw StatusException.of(499, "ClientClosedRequest", "the client took its request back");
        }
        return next.answer(exchange);
    }

    private FairPlaces.Place take(Level level, Exchange exchange) throws InterruptedException {
        Places both = places.get(level);
        if (both == null) {
            throw new IllegalStateException("no places for " + level);
        }
        FairPlaces asked = exchange.request().method().equals("GET") ? both.reads : both.writes;
        Optional<FairPlaces.Place> place = asked.take(exchange.sender().name());
        if (place.isEmpty()) {
            metrics.rejected(level.name());
            throw StatusException.tooManyRequests();
        }
        return place.get();
    }

    static Level level(User sender, ApiRequest request) {
        if (isHealth(request.path())) {
            return Level.HEALTH;
        }
        if (sender.findNode().isPresent() && isHeartbeat(request)) {
            return Level.HEARTBEATS;
        }
        if (isWatch(request) || isSession(request)) {
            return Level.WATCHES;
        }
        if (sender.equals(User.ANONYMOUS)) {
            return Level.STRANGERS;
        }
        return sender.isOfCluster() ? Level.OWN : Level.TENANTS;
    }

    /// Only what is answered with a stream of changes: `?watch=true` alone says nothing.
    private static boolean isWatch(ApiRequest request) {
        return request.method().equals("GET")
                && request.isWatch()
                && request.target().filter(path -> path.subresource().isEmpty()).isPresent();
    }

    private static boolean isHeartbeat(ApiRequest request) {
        return request.target()
                .filter(path -> path.kind().equals(Kind.LEASE)
                        || (path.kind().equals(Kind.NODE) && path.subresource().equals("status")))
                .filter(path -> !path.isCollection() || request.method().equals("POST"))
                .isPresent();
    }

    private static boolean isSession(ApiRequest request) {
        return request.target()
                .filter(found -> SESSIONS.contains(found.subresource()))
                .isPresent();
    }

    private static boolean isHealth(String path) {
        return path.startsWith("/healthz") || path.startsWith("/livez") || path.startsWith("/readyz");
    }
}
