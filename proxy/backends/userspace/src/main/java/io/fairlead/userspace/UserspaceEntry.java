package io.fairlead.userspace;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Sources;
import io.fairlead.forwarding.Target;
import java.util.List;
import java.util.stream.Collectors;

/// What this backend owns: the rules that lead connections to the relay, and what the relay does with them.
public sealed interface UserspaceEntry extends Entry {
    Family family();

    /// Where connections are looked at: what begins inside, where node ports answer, and which addresses
    /// are dropped that no Service has.
    record Gate(Family family, LocalPods pods, List<Cidr> nodePorts, List<Cidr> services) implements UserspaceEntry {
        public Gate {
            nodePorts = List.copyOf(nodePorts);
            services = List.copyOf(services);
        }

        @Override
        public Object key() {
            return "gate " + family;
        }

        @Override
        public String toString() {
            return "gate %s inside=%s node-ports=%s services=%s".formatted(family, inside(), nodePorts, services);
        }

        private String inside() {
            return switch (pods) {
                case LocalPods.Networks(var networks) ->
                    networks.stream()
                            .filter(network -> network.family() == family)
                            .toList()
                            .toString();
                case LocalPods.Bridge(String name) -> "bridge:" + name;
                case LocalPods.InterfacePrefix(String prefix) -> "prefix:" + prefix;
                case LocalPods.Unknown _ -> "node";
            };
        }
    }

    /// What becomes of connections to a place; `inside` where it is for those alone that begin on this node.
    record Portal(PortalAddress place, boolean inside, ServicePortName service, Action action)
            implements UserspaceEntry {
        /// What tells one from another.
        record Key(PortalAddress place, boolean inside) {
            @Override
            public String toString() {
                return (inside ? "inside " : "") + place;
            }
        }

        @Override
        public Family family() {
            return place.family();
        }

        @Override
        public Object key() {
            return new Key(place, inside);
        }

        @Override
        public String toString() {
            return "%s  %s  %s".formatted(key(), service, action);
        }
    }

    /// Only these networks may go through a portal.
    record Guard(PortalAddress place, Sources sources) implements UserspaceEntry {
        @Override
        public Family family() {
            return place.family();
        }

        @Override
        public Object key() {
            return "guard " + place;
        }

        @Override
        public String toString() {
            return "guard %s  %s".formatted(place, sources);
        }
    }

    /// An address that is on no machine: its other ports are refused.
    record Closed(Ip address) implements UserspaceEntry {
        @Override
        public Family family() {
            return address.family();
        }

        @Override
        public Object key() {
            return "closed " + address;
        }

        @Override
        public String toString() {
            return "closed " + address;
        }
    }

    /// Rules that a process before us left, and that lead nowhere now.
    record Leftover(Family family) implements UserspaceEntry {
        @Override
        public Object key() {
            return "leftover " + family;
        }

        @Override
        public String toString() {
            return "leftover " + family;
        }
    }

    /// What becomes of a connection.
    sealed interface Action {
        /// The relay makes another one, to one of the targets.
        record Relay(List<Target> targets, Scheduler scheduler, Affinity affinity) implements Action {
            public Relay {
                targets = List.copyOf(targets);
            }

            @Override
            public String toString() {
                String memory = affinity instanceof Affinity.ClientIp(var timeout)
                        ? "  affinity=%ds".formatted(timeout.toSeconds())
                        : "";
                return "relay %s%s%s"
                        .formatted(
                                scheduler,
                                memory,
                                targets.stream()
                                        .map(target -> "\n    " + text(target))
                                        .collect(Collectors.joining()));
            }

            private static String text(Target target) {
                return target.address()
                        + (target.weight() == Target.DEFAULT_WEIGHT ? "" : " weight " + target.weight());
            }
        }

        /// The client gets a reset, or an ICMP message.
        record Refuse() implements Action {
            @Override
            public String toString() {
                return "refuse";
            }
        }

        /// The client hears nothing.
        record Discard() implements Action {
            @Override
            public String toString() {
                return "discard";
            }
        }
    }
}
