package io.fairlead.dist;

import io.fairlead.dist.Caller.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// Says of a connection whether what became of it was allowed, from what the API said at the time.
///
/// It allows a change this long to reach every kernel, and as long for us to hear of it after they did. The bar
/// is 20 ms; a second is for two cores that run a cluster of ten programs and its clients, where a thread may
/// wait for its turn. A node that must not follow for longer than that, because its proxy was killed or its cable
/// pulled, is known by name.
final class Oracle {
    static final Duration TOLERANCE = Duration.ofSeconds(1);

    /// A connection that should not have been.
    record Offence(String kind, Connection connection, List<ServiceView> views) {
        String text(long start) {
            return String.format(
                    Locale.ROOT,
                    "%s after %.3f s: %s, %.3f s long, answered by \"%s\" %s%n    %s",
                    kind,
                    (connection.span().from() - start) / 1e9,
                    connection.from(),
                    (connection.span().to() - connection.span().from()) / 1e9,
                    connection.pod(),
                    connection.failure(),
                    views.stream().map(view -> view.text(start)).collect(Collectors.joining("\n    ")));
        }
    }

    private final ServiceHistory history;
    private final Outages outages;

    Oracle(ServiceHistory history, Outages outages) {
        this.history = history;
        this.outages = outages;
    }

    Optional<Offence> judge(Connection connection) {
        return connection.failed() ? judgeFailure(connection) : judgeAnswer(connection);
    }

    private Optional<Offence> judgeAnswer(Connection connection) {
        // A proxy that is away leads as it did before it went, to pods that are kept alive until it is back.
        Span span = connection.span().wider(TOLERANCE, TOLERANCE);
        if (outages.overlaps(connection.from().node(), Outages.Kind.BLIND, span)) {
            return Optional.empty();
        }
        List<ServiceView> views = history.during(span);
        boolean allowed = views.stream()
                .flatMap(view -> view.allowed(connection.from()).stream())
                .anyMatch(endpoint -> endpoint.podName().equals(connection.pod()));
        return allowed ? Optional.empty() : Optional.of(new Offence("wrong", connection, views));
    }

    private Optional<Offence> judgeFailure(Connection connection) {
        Span span = connection.span().wider(TOLERANCE, TOLERANCE);
        List<ServiceView> views = known(connection.from().node(), span);
        boolean promised = views.stream()
                .noneMatch(view -> view.promised(connection.from()).isEmpty());
        return promised && !isCut(connection, views, span)
                ? Optional.of(new Offence("failed", connection, views))
                : Optional.empty();
    }

    /// No live path: the node that leads is out, or one of those that the connection may be led to.
    private boolean isCut(Connection connection, List<ServiceView> views, Span span) {
        String leader = connection.from().node();
        return outages.overlaps(leader, Outages.Kind.LOST, span)
                || outages.overlaps(leader, Outages.Kind.FLUSHED, span)
                || views.stream()
                        .flatMap(view -> view.allowed(connection.from()).stream())
                        .anyMatch(endpoint -> outages.overlaps(endpoint.nodeName(), Outages.Kind.LOST, span));
    }

    /// What the kernel of a node may lead by; where its proxy is away, that is older: it leads as it did.
    private List<ServiceView> known(String leader, Span span) {
        return history.during(outages.widened(leader, Outages.Kind.BLIND, span).wider(TOLERANCE, Duration.ZERO));
    }
}
