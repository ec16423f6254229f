package io.fairlead.forwarding;

import io.fairlead.api.IpPort;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/// What a node's program does with a packet.
public sealed interface Trace {
    /// It goes on to one of these, each of which is possible.
    record Delivered(Set<Delivery> deliveries) implements Trace {
        public Delivered {
            deliveries = Set.copyOf(deliveries);
            if (deliveries.isEmpty()) {
                throw new IllegalArgumentException("delivered to no endpoint: use Refused, Dropped or Untouched");
            }
        }

        public static Delivered to(Collection<Delivery> deliveries) {
            return new Delivered(Set.copyOf(deliveries));
        }

        @Override
        public String toString() {
            return "delivered to " + new TreeSet<>(deliveries);
        }
    }

    /// One possible target; `masqueraded` if it sees the node's address as source.
    record Delivery(IpPort target, boolean masqueraded) implements Comparable<Delivery> {
        @Override
        public int compareTo(Delivery other) {
            int byTarget = target.compareTo(other.target);
            return byTarget != 0 ? byTarget : Boolean.compare(masqueraded, other.masqueraded);
        }

        @Override
        public String toString() {
            return masqueraded ? target + " masqueraded" : target.toString();
        }
    }

    /// The node tells the sender at once: a TCP reset, or an ICMP message.
    record Refused() implements Trace {}

    /// The node tells the sender nothing.
    record Dropped() implements Trace {}

    /// It goes on as it came: no rule of ours is about it.
    record Untouched() implements Trace {}
}
