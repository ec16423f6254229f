package io.fairlead.dist;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// When a node could not be reached, or its proxy could not follow; times are those of [System#nanoTime].
final class Outages {
    /// What was out.
    enum Kind {
        /// The proxy is not there, or has not caught up: it leads as it did before.
        BLIND,
        /// No packet comes or goes.
        LOST,
        /// Another program emptied its rules, which may be missing until they are repaired.
        FLUSHED
    }

    /// One outage; it lasts until `to`, which is the end of time while it goes on.
    record Outage(String node, Kind kind, long from, long to) {}

    private final List<Outage> outages = new ArrayList<>();

    synchronized void begin(String node, Kind kind) {
        if (!isOut(node, kind)) {
            outages.add(new Outage(node, kind, System.nanoTime(), Long.MAX_VALUE));
        }
    }

    synchronized void end(String node, Kind kind) {
        outages.replaceAll(outage ->
                isOpen(outage, node, kind) ? new Outage(node, kind, outage.from(), System.nanoTime()) : outage);
    }

    /// An outage whose end is known.
    synchronized void lasting(String node, Kind kind, Duration length) {
        long now = System.nanoTime();
        outages.add(new Outage(node, kind, now, now + length.toNanos()));
    }

    synchronized boolean isOut(String node, Kind kind) {
        return outages.stream().anyMatch(outage -> isOpen(outage, node, kind));
    }

    /// How long ago the last outage of the kind began.
    synchronized Duration sinceLast(String node, Kind kind) {
        return outages.stream()
                .filter(outage -> outage.node().equals(node) && outage.kind() == kind)
                .reduce((_, later) -> later)
                .map(outage -> Duration.ofNanos(System.nanoTime() - outage.from()))
                .orElse(Duration.ofDays(1));
    }

    /// Whether the node was out at any moment of a time.
    synchronized boolean overlaps(String node, Kind kind, Span span) {
        return outages.stream()
                .anyMatch(outage -> outage.node().equals(node)
                        && outage.kind() == kind
                        && outage.from() <= span.to()
                        && outage.to() >= span.from());
    }

    /// A time that begins no later than the outages in it.
    synchronized Span widened(String node, Kind kind, Span span) {
        long from = outages.stream()
                .filter(outage -> outage.node().equals(node) && outage.kind() == kind)
                .filter(outage -> outage.from() <= span.to() && outage.to() >= span.from())
                .mapToLong(Outage::from)
                .min()
                .orElse(span.from());
        return new Span(Math.min(from, span.from()), span.to());
    }

    private static boolean isOpen(Outage outage, String node, Kind kind) {
        return outage.node().equals(node) && outage.kind() == kind && outage.to() == Long.MAX_VALUE;
    }
}
