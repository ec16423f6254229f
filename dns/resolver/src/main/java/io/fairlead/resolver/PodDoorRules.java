package io.fairlead.resolver;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.util.List;
import java.util.stream.Collectors;

/// The rules by which a node's pods reach its own server at the address of the cluster's DNS, as text for `nft`.
///
/// They stand before connection tracking, and so before every mode of the proxy: a packet gets the server's own address
/// as long as a socket stands at the one that was asked, and is left to the Service's rows the moment it does not.
final class PodDoorRules {
    private static final int PORT = 53;
    private static final String TABLE = "table inet fl-node-dns";

    /// Before connection tracking, which is at -200.
    private static final int RAW = -300;

    private PodDoorRules() {}

    /// Where the server hears what pods ask; no other machine has or reaches these.
    static Ip place(Family family) {
        return switch (family) {
            case IPV4 -> Ip.parse("169.254.53.53");
            case IPV6 -> Ip.parse("fdfa:1ead::53");
        };
    }

    /// All rules anew, in one transaction; `asked` has one address a family at most.
    static String replace(List<Ip> asked) {
        String in = asked.stream()
                .map(ip -> rules(
                        "%1$s daddr %2$s %4$s dport %5$d socket wildcard 0 notrack %1$s daddr set %3$s", ip))
                .collect(Collectors.joining());
        String out = asked.stream()
                .map(ip -> rules("%1$s saddr %3$s %4$s sport %5$d notrack %1$s saddr set %2$s", ip))
                .collect(Collectors.joining());
        return remove() + """
                %s {
                  chain asked {
                    type filter hook prerouting priority %d; policy accept;
                %s  }
                  chain answered {
                    type filter hook output priority %d; policy accept;
                %s  }
                }
                """.formatted(TABLE, RAW, in, RAW, out);
    }

    static String remove() {
        return "add %1$s\ndelete %1$s\n".formatted(TABLE);
    }

    private static String rules(String form, Ip asked) {
        String family = asked.family() == Family.IPV4 ? "ip" : "ip6";
        Ip place = place(asked.family());
        return List.of("udp", "tcp").stream()
                .map(protocol -> "    " + form.formatted(family, asked, place, protocol, PORT) + "\n")
                .collect(Collectors.joining());
    }
}
