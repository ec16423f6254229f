package io.fairlead.userspace;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Target;
import io.fairlead.userspace.UserspaceEntry.Action.Relay;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/// Chooses among the targets of one portal: the one that the client had, or the one that the scheduler says.
final class ServiceBalancer implements Balancer {
    private final Relay relay;
    private final ServiceMemory memory;
    private final List<Target> targets;
    private final long[] credits;
    private final LongAdder connections;

    /// Counts what comes in `connections`.
    ServiceBalancer(Relay relay, ServiceMemory memory, LongAdder connections) {
        this.connections = connections;
        this.relay = relay;
        this.memory = memory;
        this.targets =
                relay.targets().stream().filter(target -> target.weight() > 0).toList();
        this.credits = new long[targets.size()];
    }

    @Override
    public Optional<IpPort> choose(Ip client, Collection<IpPort> tried, long nanos) {
        if (tried.isEmpty()) {
            connections.increment();
        }
        if (!(relay.affinity() instanceof Affinity.ClientIp(var timeout))) {
            return schedule(client, tried);
        }
        Optional<IpPort> had =
                memory.recall(client, nanos, timeout.toNanos(), target -> has(target) && !tried.contains(target));
        if (had.isPresent()) {
            return had;
        }
        Optional<IpPort> chosen = schedule(client, tried);
        chosen.ifPresent(target -> memory.remember(client, target, nanos));
        return chosen;
    }

    private Optional<IpPort> schedule(Ip client, Collection<IpPort> tried) {
        return switch (relay.scheduler()) {
            case RR, WRR, NODE_DEFAULT -> inTurn(tried);
            case LC, WLC -> least(tried, target -> (double) memory.load(target.address()) / target.weight());
            case SED -> least(tried, this::delay);
            case NQ -> least(tried, target -> memory.load(target.address()) == 0 ? 0 : delay(target));
            case SH, DH, MH -> bySource(client, tried);
        };
    }

    private double delay(Target target) {
        return (memory.load(target.address()) + 1.0) / target.weight();
    }

    /// Each gets its weight on credit; the one with most of it is next, and pays for all. Where weights differ they
    /// count, also with a scheduler that would not look at them, as in every mode.
    private synchronized Optional<IpPort> inTurn(Collection<IpPort> tried) {
        int best = -1;
        long sum = 0;
        for (int i = 0; i < targets.size(); i++) {
            if (tried.contains(targets.get(i).address())) {
                continue;
            }
            int weight = targets.get(i).weight();
            credits[i] += weight;
            sum += weight;
            if (best < 0 || credits[i] > credits[best]) {
                best = i;
            }
        }
        if (best < 0) {
            return Optional.empty();
        }
        credits[best] -= sum;
        return Optional.of(targets.get(best).address());
    }

    private interface Cost {
        double of(Target target);
    }

    /// Of those that cost the same, the one whose turn it is.
    private synchronized Optional<IpPort> least(Collection<IpPort> tried, Cost cost) {
        int best = -1;
        double lowest = Double.MAX_VALUE;
        for (int i = 0; i < targets.size(); i++) {
            Target target = targets.get(i);
            if (tried.contains(target.address())) {
                continue;
            }
            double own = cost.of(target);
            if (own < lowest || (own == lowest && credits[i] < credits[best])) {
                best = i;
                lowest = own;
            }
        }
        if (best < 0) {
            return Optional.empty();
        }
        credits[best]++;
        return Optional.of(targets.get(best).address());
    }

    /// The same client gets the same target, and most keep theirs when another target comes or goes.
    private Optional<IpPort> bySource(Ip client, Collection<IpPort> tried) {
        Optional<IpPort> best = Optional.empty();
        long highest = Long.MIN_VALUE;
        for (Target target : targets) {
            long rank = mix(client.hashCode() * 31L + target.address().hashCode());
            if (!tried.contains(target.address()) && (best.isEmpty() || rank > highest)) {
                best = Optional.of(target.address());
                highest = rank;
            }
        }
        return best;
    }

    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }

    @Override
    public boolean has(IpPort target) {
        return targets.stream().anyMatch(one -> one.address().equals(target));
    }

    @Override
    public void begin(IpPort target) {
        memory.begin(target);
    }

    @Override
    public void end(IpPort target) {
        memory.end(target);
    }
}
