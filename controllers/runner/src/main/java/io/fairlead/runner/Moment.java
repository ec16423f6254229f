package io.fairlead.runner;

import io.fairlead.api.Kind;
import io.fairlead.api.Lease;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentMap;
import io.fairlead.api.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// What a controller knows of time when it looks: the hour, and when it saw each Lease renewed.
///
/// Heartbeats are timed by our own watching, not by the times that nodes write: their clocks may differ from ours,
/// and a control plane that was away must not take its own silence for theirs.
///
/// @param time   what the clock says, for what is written
/// @param uptime how long we have been watching
/// @param beats  how long we had been watching when each Lease was last seen to change
public record Moment(Instant time, Duration uptime, PersistentMap<NamespacedName, Duration> beats) {

    /// The beginning of watching.
    public static Moment start(Instant time) {
        return new Moment(time, Duration.ZERO, PersistentMap.empty());
    }

    public Moment later(Instant time, Duration passed) {
        return new Moment(time, uptime.plus(passed), beats);
    }

    /// The same moment, with the heartbeats that are new in `now`.
    public Moment seeing(Snapshot before, Snapshot now) {
        PersistentMap<NamespacedName, Duration> seen = beats;
        for (NamespacedName lease : Lookup.changed(Kind.LEASE, before, now)) {
            seen = now.leases().contains(lease) ? seen.with(lease, uptime) : seen.without(lease);
        }
        return new Moment(time, uptime, seen);
    }

    /// How long ago the node was last heard of; nothing of one that has no Lease.
    public Optional<Duration> silence(String node) {
        return beats.find(Lease.ofNode(node)).map(uptime::minus);
    }

    /// How long ago `timestamp` was, as the API writes times; 0 where it is none, or still to come.
    public Duration since(String timestamp) {
        try {
            Duration age = Duration.between(Instant.parse(timestamp), time);
            return age.isNegative() ? Duration.ZERO : age;
        } catch (DateTimeParseException e) {
            return Duration.ZERO;
        }
    }

    /// The hour as the API writes it.
    public String timestamp() {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
