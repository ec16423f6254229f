package io.fairlead.api;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An IP address as a value: sorts, prints canonically (RFC 5952), and never resolves a name.
///
/// An IPv4 address sits in the lowest 32 bits of `low`.
public record Ip(Family family, long high, long low) implements Comparable<Ip> {

    public Ip {
        if (family == Family.IPV4 && (high != 0 || low >>> 32 != 0)) {
            throw new IllegalArgumentException("not an IPv4 address: %x:%x".formatted(high, low));
        }
    }

    /// The address that `text` spells, or nothing. Strict: no leading zeros, no zone, no brackets.
    public static Optional<Ip> find(String text) {
        return text.indexOf(':') >= 0 ? Ipv6Text.find(text) : findIpv4(text);
    }

    public static Ip parse(String text) {
        return find(text).orElseThrow(() -> new IllegalArgumentException("not an IP address: " + text));
    }

    /// From the 4 or 16 bytes that go over the wire.
    public static Ip of(byte[] bytes) {
        return switch (bytes.length) {
            case 4 -> new Ip(Family.IPV4, 0, word(bytes, 0, 4));
            case 16 -> new Ip(Family.IPV6, word(bytes, 0, 8), word(bytes, 8, 8));
            default -> throw new IllegalArgumentException("an address has 4 or 16 bytes, not " + bytes.length);
        };
    }

    /// The 4 or 16 bytes that go over the wire.
    public byte[] bytes() {
        byte[] bytes = new byte[family.bits() / 8];
        for (int i = 0; i < bytes.length; i++) {
            int fromEnd = bytes.length - 1 - i;
            bytes[i] = (byte) (fromEnd < 8 ? low >>> (8 * fromEnd) : high >>> (8 * (fromEnd - 8)));
        }
        return bytes;
    }

    /// The address `count` after this one, or before it where `count` is negative.
    public Ip plus(long count) {
        long sum = low + count;
        long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
        long signOfCount = count >> 63; // all ones above a negative count, by two's complement
        return new Ip(family, family == Family.IPV4 ? 0 : high + signOfCount + carry, sum);
    }

    @Override
    public int compareTo(Ip other) {
        if (family != other.family) {
            return family.compareTo(other.family);
        }
        int byHigh = Long.compareUnsigned(high, other.high);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
    }

    @Override
    public String toString() {
        return switch (family) {
            case IPV4 -> (low >>> 24) + "." + (low >>> 16 & 0xff) + "." + (low >>> 8 & 0xff) + "." + (low & 0xff);
            case IPV6 -> Ipv6Text.format(high, low);
        };
    }

    static Optional<Ip> findIpv4(String text) {
        byte[] characters = text.getBytes(StandardCharsets.ISO_8859_1);
        return Optional.ofNullable(ipv4(characters, 0, characters.length));
    }

    /// The IPv4 address that these characters spell, if they do.
    public static @Nullable Ip ipv4(byte[] text, int from, int to) {
        long value = 0;
        int start = from;
        for (int part = 0; part < 4; part++) {
            int end = start;
            while (end < to && text[end] != '.') {
                end++;
            }
            int octet = octet(text, start, end);
            if (octet < 0 || (end == to) != (part == 3)) {
                return null;
            }
            value = value << 8 | octet;
            start = end + 1;
        }
        return new Ip(Family.IPV4, 0, value);
    }

    private static int octet(byte[] text, int start, int end) {
        int length = end - start;
        if (length < 1 || length > 3 || (length > 1 && text[start] == '0')) {
            return -1;
        }
        int value = 0;
        for (int i = start; i < end; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value <= 255 ? value : -1;
    }

    private static long word(byte[] bytes, int offset, int length) {
        long value = 0;
        for (int i = offset; i < offset + length; i++) {
            value = (value << 8) | (bytes[i] & 0xff);
        }
        return value;
    }
}
