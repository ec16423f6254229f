package io.fairlead.testkit;

import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import java.util.Set;
import java.util.TreeSet;

/// One new connection (or, in UDP, one question), and what must become of it: a line of a scenario's `flows.txt`.
///
/// `text` is that line, for messages. The grammar is in `docs/scenarios/README.md`.
public record Flow(String text, Sender sender, IpPort destination, Protocol protocol, Outcome outcome) {

    /// Who sends.
    public sealed interface Sender {
        record FromPod(NamespacedName pod) implements Sender {}

        /// A process of the node itself.
        record FromNode(String node) implements Sender {}

        /// A client outside the cluster, whose way to the destination leads through `via`.
        record FromOutside(String via) implements Sender {}
    }

    /// What must become of it.
    public sealed interface Outcome {
        /// One of these gets it; each of them must be possible, and no other.
        record Reaches(Set<Arrival> arrivals) implements Outcome {
            public Reaches {
                arrivals = Set.copyOf(arrivals);
            }

            @Override
            public String toString() {
                return "reaches "
                        + new TreeSet<>(arrivals.stream().map(Arrival::toString).toList());
            }
        }

        /// One of these gets it, whichever; and who got it once gets it each time.
        record Stays(Set<Arrival> arrivals) implements Outcome {
            public Stays {
                arrivals = Set.copyOf(arrivals);
            }

            @Override
            public String toString() {
                return new Reaches(arrivals) + ", the same each time";
            }
        }

        /// It goes out to the world as it came: the address is not the cluster's.
        record Leaves() implements Outcome {}

        /// The node tells the sender at once that no endpoint answers.
        record Refused() implements Outcome {}

        /// The sender hears nothing.
        record Dropped() implements Outcome {}
    }

    /// A pod that may get it, at which port, and the source address it must see.
    public record Arrival(NamespacedName pod, int port, Source source) {
        @Override
        public String toString() {
            return "%s:%d, %s".formatted(pod, port, source);
        }
    }

    /// Whose address a pod sees.
    public sealed interface Source {
        /// The sender's own.
        record Kept() implements Source {
            @Override
            public String toString() {
                return "source kept";
            }
        }

        /// One of the addresses of that node.
        record OfNode(String node) implements Source {
            @Override
            public String toString() {
                return "source " + node;
            }
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
