package io.fairlead.kinds;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The rules for addresses and blocks in texts: each gives the sentence that says what is wrong, or nothing.
///
/// Two programs may read `010.0.0.1` or `::ffff:10.0.0.1` as two addresses, so neither is taken (A11).
public final class AddressValidation {
    private static final String NO_IP = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
    private static final String NO_CIDR = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
    private static final Cidr MAPPED = Cidr.parse("::ffff:0:0/96");
    // A connection of a cluster must never be led to these (CVE-2021-25737 was one way to use them).
    private static final List<Special> SPECIAL = List.of(
            new Special("may not be unspecified", "0.0.0.0/32", "::/128"),
            new Special("may not be in the loopback range (127.0.0.0/8, ::1/128)", "127.0.0.0/8", "::1/128"),
            new Special(
                    "may not be in the link-local range (169.254.0.0/16, fe80::/10)", "169.254.0.0/16", "fe80::/10"),
            new Special(
                    "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
                    "224.0.0.0/24",
                    "ff02::/16"),
            new Special("may not be a multicast address", "224.0.0.0/4", "ff00::/8"));

    /// Addresses that mean something else than one machine.
    private record Special(String rule, List<Cidr> blocks) {
        Special(String rule, String... blocks) {
            this(rule, Stream.of(blocks).map(Cidr::parse).toList());
        }
    }

    private AddressValidation() {}

    public static Optional<String> ip(String text) {
        Optional<Ip> ip = Ip.find(text);
        if (ip.isEmpty()) {
            return Optional.of(hasLeadingZeros(text) ? "must not have leading 0s" : NO_IP);
        }
        return ip.filter(MAPPED::contains).map(mapped -> "must not be an IPv4-mapped IPv6 address");
    }

    /// The same, but what stood there before may stay: it was taken when the rules were weaker.
    static Optional<String> newIp(String text, Set<String> before) {
        return before.contains(text) ? Optional.empty() : ip(text);
    }

    public static Optional<String> cidr(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return Optional.of(NO_CIDR);
        }
        String address = text.substring(0, slash);
        Optional<Cidr> cidr = Cidr.find(text);
        if (cidr.isEmpty()) {
            boolean zeros =
                    hasLeadingZeros(address) || text.substring(slash + 1).matches("0[0-9]+");
            return Optional.of(zeros ? "must not have leading 0s" : NO_CIDR);
        }
        if (MAPPED.contains(cidr.get().network())) {
            return Optional.of("must not have an IPv4-mapped IPv6 address");
        }
        return Ip.parse(address).equals(cidr.get().network())
                ? Optional.empty()
                : Optional.of("must not have bits set beyond the prefix length");
    }

    static Optional<String> newCidr(String text, Set<String> before) {
        return before.contains(text) ? Optional.empty() : cidr(text);
    }

    /// What is wrong with an address that connections are to be led to.
    static Optional<String> ordinary(Ip ip) {
        return SPECIAL.stream()
                .filter(special -> special.blocks.stream().anyMatch(block -> block.contains(ip)))
                .map(Special::rule)
                .findFirst();
    }

    private static boolean hasLeadingZeros(String text) {
        return text.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}") && text.matches("(.*\\.)?0[0-9].*");
    }
}
