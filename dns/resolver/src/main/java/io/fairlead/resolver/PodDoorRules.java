package io.fairlead.resolver;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The rules by which a node's pods reach its own server at the address of the cluster's DNS, as text for `nft`.
///
/// They stand before connection tracking, and so before every mode of the proxy: a packet gets the server's own address
/// as long as a socket stands at the one that was asked. The moment it does not, another node's server gets the
/// question, or an endpoint of the Service where no other node has one, or none.
final class PodDoorRules {
    private static final int PORT = 53;
    static final String NAME = "fl-node-dns";
    private static final String TABLE = "table inet " + NAME;

    /// Before connection tracking, which is at -200.
    private static final int RAW = -300;

    /// Before the translation of Services, which is at -100.
    private static final int BEFORE_SERVICES = -110;

    private PodDoorRules() {}

    /// Where the server hears what pods ask; no other machine has or reaches these.
    static Ip place(Family family) {
        return switch (family) {
            case IPV4 -> Ip.parse("169.254.53.53");
            case IPV6 -> Ip.parse("fdfa:1ead::53");
        };
    }

    /// All rules anew, in one transaction.
    static String replace(PodDoorPlan plan) {
        return remove()
                + """
                %s {
                  chain asked {
                    type filter hook prerouting priority %d; policy accept;
                %s  }
                  chain away {
                    type nat hook prerouting priority %d; policy accept;
                %s  }
                  chain answered {
                    type filter hook output priority %d; policy accept;
                %s  }
                }
                """.formatted(
                        TABLE,
                        RAW,
                        rules(
                                plan,
                                ip -> "%1$s daddr %2$s %4$s dport %5$d socket wildcard 0 notrack %1$s daddr set %3$s"),
                        BEFORE_SERVICES,
                        rules(plan, ip -> away(plan.others(ip.family()), plan.alone())),
                        RAW,
                        rules(plan, ip -> "%1$s saddr %3$s %4$s sport %5$d notrack %1$s saddr set %2$s"));
    }

    /// What comes to connection tracking finds our server away.
    private static String away(List<Ip> others, boolean alone) {
        if (others.isEmpty()) {
            return alone ? "%1$s daddr %2$s %4$s dport %5$d drop" : "";
        }
        String choices = IntStream.range(0, others.size())
                .mapToObj(i -> "%d : %s".formatted(i, others.get(i)))
                .collect(Collectors.joining(", "));
        return "%%1$s daddr %%2$s %%4$s dport %%5$d dnat %%1$s to numgen random mod %d map { %s }"
                .formatted(others.size(), choices);
    }

    static String remove() {
        return "add %1$s\ndelete %1$s\n".formatted(TABLE);
    }

    private static String rules(PodDoorPlan plan, Function<Ip, String> form) {
        return plan.asked().stream()
                .filter(asked -> !form.apply(asked).isEmpty())
                .flatMap(asked -> Stream.of("udp", "tcp")
                        .map(protocol -> "    " + rule(form.apply(asked), asked, protocol) + "\n"))
                .collect(Collectors.joining());
    }

    private static String rule(String form, Ip asked, String protocol) {
        String family = asked.family() == Family.IPV4 ? "ip" : "ip6";
        return form.formatted(family, asked, place(asked.family()), protocol, PORT);
    }
}
