package io.fairlead.resolver;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.util.concurrent.ThreadLocalRandom;

/// How many questions a second of one client go upstream: a second's worth at once, and no more than that a second.
///
/// The memory is bounded: clients share a fixed number of places by chance, so that one may pay for another.
final class SourceRates {
    private static final int PLACES = 4096;
    private static final long SECOND = 1_000_000_000L;

    private final int perSecond;
    private final long seed = ThreadLocalRandom.current().nextLong();
    private final Bucket[] places = new Bucket[PLACES];

    /// What one place may still send.
    private static final class Bucket {
        private double left;
        private long at;
    }

    SourceRates(int perSecond, long now) {
        this.perSecond = perSecond;
        for (int i = 0; i < PLACES; i++) {
            places[i] = new Bucket();
            places[i].left = perSecond;
            places[i].at = now;
        }
    }

    /// Whether one more question of the client may go upstream; `now` is in nanoseconds of one clock.
    boolean allow(Ip client, long now) {
        if (perSecond == 0) {
            return true;
        }
        Bucket bucket = places[place(client)];
        synchronized (bucket) {
            double gained = (double) (now - bucket.at) * perSecond / SECOND;
            bucket.left = Math.min(perSecond, bucket.left + Math.max(0, gained));
            bucket.at = now;
            if (bucket.left < 1) {
                return false;
            }
            bucket.left--;
            return true;
        }
    }

    /// An IPv6 client has a whole network to choose its address from: the network counts.
    private int place(Ip client) {
        boolean ipv4 = client.family() == Family.IPV4;
        long bits = (ipv4 ? client.low() : client.high()) ^ seed;
        bits = (bits ^ (bits >>> 32)) * 0x9E3779B97F4A7C15L;
        return (int) (bits >>> 52);
    }
}
