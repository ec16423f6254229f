package io.fairlead.api;

import java.util.Comparator;
import java.util.Optional;

/// A block of addresses, `10.96.0.0/16`; the bits behind the prefix are zero.
public record Cidr(Ip network, int prefix) implements Comparable<Cidr> {
    private static final Comparator<Cidr> ORDER =
            Comparator.comparing(Cidr::network).thenComparingInt(Cidr::prefix);

    public Cidr {
        if (prefix < 0 || prefix > network.family().bits()) {
            throw new IllegalArgumentException("no such prefix length: /" + prefix);
        }
        network = masked(network, prefix);
    }

    /// The block that `text` spells, or nothing; host bits are cleared. Strict: no leading zeros.
    public static Optional<Cidr> find(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || text.length() - slash > 4 || text.length() == slash + 1) {
            return Optional.empty();
        }
        String length = text.substring(slash + 1);
        if (!length.chars().allMatch(c -> c >= '0' && c <= '9') || (length.length() > 1 && length.startsWith("0"))) {
            return Optional.empty();
        }
        int prefix = Integer.parseInt(length);
        return Ip.find(text.substring(0, slash))
                .filter(ip -> prefix <= ip.family().bits())
                .map(ip -> new Cidr(ip, prefix));
    }

    public static Cidr parse(String text) {
        return find(text).orElseThrow(() -> new IllegalArgumentException("not a CIDR: " + text));
    }

    public Family family() {
        return network.family();
    }

    public boolean contains(Ip ip) {
        return ip.family() == family() && masked(ip, prefix).equals(network);
    }

    /// The number of addresses, or `Long.MAX_VALUE` where there are more than that.
    public long size() {
        int bits = family().bits() - prefix;
        return bits >= 63 ? Long.MAX_VALUE : 1L << bits;
    }

    /// The address at `index`, counted from the network address.
    public Ip at(long index) {
        return network.plus(index);
    }

    /// The block of this length at `index`, counted from the first that is inside this one.
    public Cidr block(int length, long index) {
        if (length < prefix || length > family().bits() || index < 0 || index >= blocks(length)) {
            throw new IllegalArgumentException("no block %d of length /%d in %s".formatted(index, length, this));
        }
        int shift = family().bits() - length;
        Ip first = shift < 64
                ? network.plus(index << shift)
                : new Ip(family(), network.high() + (index << (shift - 64)), network.low());
        return new Cidr(first, length);
    }

    /// How many blocks of this length are inside this one, or `Long.MAX_VALUE` where there are more than that.
    public long blocks(int length) {
        int bits = length - prefix;
        return bits < 0 ? 0 : bits >= 63 ? Long.MAX_VALUE : 1L << bits;
    }

    public boolean overlaps(Cidr other) {
        return contains(other.network) || other.contains(network);
    }

    @Override
    public int compareTo(Cidr other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return network + "/" + prefix;
    }

    private static Ip masked(Ip ip, int prefix) {
        return switch (ip.family()) {
            case IPV4 -> new Ip(Family.IPV4, 0, ip.low() & mask(prefix + 32) & 0xffffffffL);
            case IPV6 ->
                new Ip(Family.IPV6, ip.high() & mask(Math.min(prefix, 64)), ip.low() & mask(Math.max(prefix - 64, 0)));
        };
    }

    private static long mask(int ones) {
        return ones == 0 ? 0 : -1L << (64 - ones);
    }
}
