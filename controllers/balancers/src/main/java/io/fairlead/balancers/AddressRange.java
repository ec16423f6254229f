package io.fairlead.balancers;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.util.Optional;

/// All addresses from one to another, both included.
public record AddressRange(Ip from, Ip to) {

    public AddressRange {
        if (from.family() != to.family()) {
            throw new IllegalArgumentException("%s-%s: both ends must be of one family".formatted(from, to));
        }
        if (from.compareTo(to) > 0) {
            throw new IllegalArgumentException(
                    "%s-%s: the first address must not be above the last".formatted(from, to));
        }
    }

    /// `FROM-TO`, or a block. Of a block the first address is left out, and in IPv4 the last: they mean the network,
    /// all its routers, or all its hosts. A pool that is to have them is written `FROM-TO`.
    static AddressRange parse(String text) {
        int dash = text.indexOf('-');
        if (dash >= 0) {
            return new AddressRange(ip(text, text.substring(0, dash)), ip(text, text.substring(dash + 1)));
        }
        return Cidr.find(text)
                .map(AddressRange::hosts)
                .orElseThrow(
                        () -> new IllegalArgumentException("\"%s\" is neither FROM-TO nor a CIDR".formatted(text)));
    }

    private static Ip ip(String text, String end) {
        return Ip.find(end)
                .orElseThrow(
                        () -> new IllegalArgumentException("\"%s\": \"%s\" is not an IP address".formatted(text, end)));
    }

    private static AddressRange hosts(Cidr block) {
        Ip last = last(block);
        boolean ends = block.size() > 2; // of one or two addresses each is a host's
        Ip first = ends ? block.at(1) : block.network();
        return new AddressRange(first, ends && block.family() == Family.IPV4 ? last.plus(-1) : last);
    }

    private static Ip last(Cidr block) {
        int free = block.family().bits() - block.prefix();
        Ip network = block.network();
        return free <= 64
                ? new Ip(block.family(), network.high(), network.low() | ones(free))
                : new Ip(block.family(), network.high() | ones(free - 64), -1L);
    }

    private static long ones(int count) {
        return count == 0 ? 0 : -1L >>> (64 - count);
    }

    Family family() {
        return from.family();
    }

    boolean contains(Ip ip) {
        return ip.family() == family() && from.compareTo(ip) <= 0 && ip.compareTo(to) <= 0;
    }

    boolean overlaps(AddressRange other) {
        return family() == other.family() && from.compareTo(other.to) <= 0 && other.from.compareTo(to) <= 0;
    }

    boolean overlaps(Cidr block) {
        return overlaps(of(block));
    }

    /// Every address of a block.
    static AddressRange of(Cidr block) {
        return new AddressRange(block.network(), last(block));
    }

    /// The address behind `ip`, as long as it is in the range.
    Optional<Ip> after(Ip ip) {
        return ip.compareTo(to) >= 0 ? Optional.empty() : Optional.of(ip.plus(1));
    }

    @Override
    public String toString() {
        return from + "-" + to;
    }
}
