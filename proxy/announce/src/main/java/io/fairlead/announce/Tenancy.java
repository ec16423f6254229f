package io.fairlead.announce;

import io.fairlead.api.Ip;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The addresses this node answers for. One that it loses it lets go at once; one that it takes from a node that lives
/// it takes a little later, when that one must have seen the change too: so two answer at no time.
///
/// All times are given: it has no clock.
final class Tenancy {
    /// How long a change may take to reach another node.
    static final Duration GRACE = Duration.ofMillis(500);

    private final String self;
    private final Duration patience;
    private final Map<Ip, Long> heldFrom = new HashMap<>();
    private SortedMap<Ip, String> owners = new TreeMap<>();
    private boolean knowing;

    /// `patience` is how long the others may take to be heard by one who has just begun to listen.
    Tenancy(String self, Duration patience) {
        this.self = self;
        this.patience = patience;
    }

    /// Takes the result of an election; `live` are the nodes that could still be answering.
    void follow(SortedMap<Ip, String> elected, Set<String> live, long now) {
        heldFrom.keySet().removeIf(ip -> !self.equals(elected.get(ip)));
        elected.forEach((ip, owner) -> {
            if (owner.equals(self) && !heldFrom.containsKey(ip)) {
                heldFrom.put(ip, now + delay(ip, live).toNanos());
            }
        });
        owners = new TreeMap<>(elected);
        knowing = true;
    }

    private Duration delay(Ip ip, Set<String> live) {
        if (!knowing) {
            return patience;
        }
        String before = owners.get(ip);
        return before == null || !live.contains(before) ? Duration.ZERO : GRACE;
    }

    /// The view of the cluster is new: what happened before it is not known.
    void startAnew() {
        knowing = false;
    }

    /// Without an election: what is wanted no more goes, the rest stays.
    void keepOnly(Set<Ip> wanted) {
        heldFrom.keySet().retainAll(wanted);
        owners.keySet().retainAll(wanted);
    }

    /// Stops answering, until an election says again that the address is ours.
    void giveUp(Ip ip) {
        heldFrom.remove(ip);
    }

    SortedSet<Ip> held(long now) {
        SortedSet<Ip> held = new TreeSet<>();
        heldFrom.forEach((ip, from) -> {
            if (now - from >= 0) {
                held.add(ip);
            }
        });
        return held;
    }

    /// Who answers for each address, as far as this node knows.
    SortedMap<Ip, String> owners() {
        return owners;
    }
}
