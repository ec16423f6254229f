package io.fairlead.ipvs;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.forwarding.Entry;
import java.util.List;
import java.util.stream.Collectors;

/// What this backend owns in the kernel; its text is that of `ipvsadm -S`, `ipset save` and `iptables-save`.
public sealed interface IpvsEntry extends Entry {
    /// A virtual server.
    ///
    /// @param persistence for how many seconds a client keeps its real server; 0 where it does not
    record VirtualServer(ServerAddress place, Scheduling scheduling, int persistence) implements IpvsEntry {
        @Override
        public Object key() {
            return place;
        }

        @Override
        public String toString() {
            return "-A " + place + " " + scheduling + (persistence > 0 ? " -p " + persistence : "");
        }
    }

    /// A real server behind a virtual one, by masquerading.
    record RealServer(ServerAddress place, IpPort address, int weight) implements IpvsEntry {
        /// Which one it is, whatever its weight.
        record Backed(ServerAddress place, IpPort address) {
            @Override
            public String toString() {
                return place + " -r " + address;
            }
        }

        @Override
        public Backed key() {
            return new Backed(place, address);
        }

        @Override
        public String toString() {
            return "-a " + place + " -r " + address + " -m -w " + weight;
        }
    }

    /// A set, without its members.
    record AddressSet(SetName name) implements IpvsEntry {
        @Override
        public Object key() {
            return name;
        }

        @Override
        public String toString() {
            return "create " + name + " " + name.kind().shape().type()
                    + (name.kind().isFrontend() ? " comment" : "")
                    + (name.kind().marks() ? " skbinfo" : "");
        }
    }

    /// A member of a set.
    ///
    /// @param mark what it gives to packets, or 0
    /// @param comment whose it is, where the set tells that
    record Member(SetName set, Element element, int mark, String comment) implements IpvsEntry {
        Member(SetName set, Element element, int mark) {
            this(set, element, mark, "");
        }

        /// Which one it is, whatever its mark.
        record Held(SetName set, Element element) {
            @Override
            public String toString() {
                return set + " " + element;
            }
        }

        @Override
        public Held key() {
            return new Held(set, element);
        }

        @Override
        public String toString() {
            return "add " + set + " " + element
                    + (comment.isEmpty() ? "" : " comment \"%s\"".formatted(comment))
                    + (mark == 0 ? "" : " skbmark 0x" + Integer.toHexString(mark));
        }
    }

    /// The device that bears the addresses of Services.
    record Device() implements IpvsEntry {
        @Override
        public Object key() {
            return this;
        }

        @Override
        public String toString() {
            return "link";
        }
    }

    /// An address on that device, whose ports without a virtual server are refused; one that another device has
    /// already is left there, and its other ports are that device's.
    ///
    /// @param whole false where only the device has it, or only the set of those whose ports are refused
    record Address(Ip ip, boolean whole) implements IpvsEntry {
        Address(Ip ip) {
            this(ip, true);
        }

        @Override
        public Object key() {
            return ip;
        }

        @Override
        public String toString() {
            return "address " + ip + (whole ? "" : " by half");
        }
    }

    /// Packets with the tag of our marks are taken in, whatever their address.
    record Lead(Family family, int tag) implements IpvsEntry {
        @Override
        public Object key() {
            return this;
        }

        @Override
        public String toString() {
            return "rule %s fwmark 0x%x/0x%x local".formatted(family == Family.IPV4 ? "ip" : "ip6", tag, tag);
        }
    }

    /// A chain of ours, with its rules.
    record Chain(Spot spot, List<String> rules) implements IpvsEntry {
        public Chain {
            rules = List.copyOf(rules);
        }

        @Override
        public Object key() {
            return spot;
        }

        @Override
        public String toString() {
            return spot
                    + rules.stream()
                            .map(rule -> "\n    -A %s %s".formatted(spot.chain(), rule))
                            .collect(Collectors.joining());
        }
    }

    /// A rule of ours in a built-in chain, in front of those of others.
    record Jump(Spot spot, String rule) implements IpvsEntry {
        @Override
        public Object key() {
            return this;
        }

        @Override
        public String toString() {
            return spot + " " + rule;
        }
    }
}
