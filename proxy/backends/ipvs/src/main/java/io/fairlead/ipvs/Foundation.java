package io.fairlead.ipvs;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.ipvs.IpvsEntry.AddressSet;
import io.fairlead.ipvs.IpvsEntry.Chain;
import io.fairlead.ipvs.IpvsEntry.Jump;
import io.fairlead.ipvs.IpvsEntry.Lead;
import io.fairlead.ipvs.SetName.Kind;
import io.fairlead.ipvs.Spot.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What stands in one family even without a Service: the sets, and all rules there ever are.
///
/// IPVS takes what is for this machine, after the table `filter`; and what the machine itself sends, before it. So what
/// must not get there is dropped in `mangle`, where marks are given too, and masquerading is for `nat`.
final class Foundation {
    /// What the names of our chains begin with. Not those of kube-proxy, which are those of the mode iptables too.
    static final String PREFIX = "KUBE-IPVS-";

    private static final String SERVICES = PREFIX + "SERVICES";
    private static final String INSIDE = PREFIX + "INSIDE";
    private static final String OUTSIDE = PREFIX + "OUTSIDE";
    private static final String LEAD = PREFIX + "LEAD";
    private static final String LED = PREFIX + "LED";
    private static final String OUTPUT = PREFIX + "OUTPUT";
    private static final String NODE_PORT = PREFIX + "NODE-PORT";
    private static final String NODE_PORT_INSIDE = PREFIX + "NODE-PORT-INSIDE";
    private static final String MARKED_EXTERNAL_IP = PREFIX + "MARK-EXTERNAL";
    private static final String MARKED_LOAD_BALANCER = PREFIX + "MARK-BALANCER";
    private static final String FIREWALL = PREFIX + "FIREWALL";
    private static final String SOURCE_RANGES = PREFIX + "SOURCE-RANGES";
    private static final String POSTROUTING = PREFIX + "POSTROUTING";
    private static final String MARK_MASQUERADE = PREFIX + "MARK-MASQ";
    private static final String OFF_CLUSTER = PREFIX + "OFF-CLUSTER";
    private static final String IPVS_FILTER = PREFIX + "FILTER";
    private static final String UNALLOCATED = PREFIX + "UNALLOCATED";
    private static final String FORWARD = PREFIX + "FORWARD";
    private static final String NEW = "-m conntrack --ctstate NEW";
    private static final String OWN_DESTINATION = "-m addrtype --dst-type LOCAL";

    private final Family family;
    private final NodeFacts node;
    private final Marks marks;
    private final List<IpvsEntry> entries = new ArrayList<>();

    private Foundation(Family family, NodeFacts node) {
        this.family = family;
        this.node = node;
        this.marks = new Marks(node.masqueradeBit());
    }

    static List<IpvsEntry> of(Family family, NodeFacts node) {
        Foundation foundation = new Foundation(family, node);
        SetName.all(family).forEach(name -> foundation.entries.add(new AddressSet(name)));
        foundation.entries.add(new Lead(family, foundation.marks.tag()));
        foundation.mangle();
        foundation.nodePorts();
        foundation.nat();
        foundation.postrouting();
        foundation.filter();
        return foundation.entries;
    }

    private void mangle() {
        jump(Table.MANGLE, "PREROUTING", "", "service portals", SERVICES);
        jump(Table.MANGLE, "OUTPUT", "", "service portals of the node itself", OUTPUT);
        for (String hook : List.of("PREROUTING", "OUTPUT")) {
            jump(Table.MANGLE, hook, NEW + " ", "load balancer firewall", FIREWALL);
        }
        chain(Table.MANGLE, FIREWALL, match(Kind.LOAD_BALANCER_FW) + " -j " + SOURCE_RANGES);
        chain(
                Table.MANGLE,
                SOURCE_RANGES,
                match(Kind.LOAD_BALANCER_SOURCE_CIDR) + " -j RETURN",
                match(Kind.LOAD_BALANCER_SOURCE_IP) + " -j RETURN",
                "-j DROP");
        chain(
                Table.MANGLE,
                SERVICES,
                Stream.concat(pods().map(pod -> pod + " -g " + INSIDE), Stream.of("-g " + OUTSIDE))
                        .toList());
        chain(
                Table.MANGLE,
                INSIDE,
                match(Kind.EXTERNAL_IP_LOCAL) + " -g " + MARKED_EXTERNAL_IP,
                match(Kind.LOAD_BALANCER_LOCAL) + " -g " + MARKED_LOAD_BALANCER,
                OWN_DESTINATION + " -j " + NODE_PORT_INSIDE,
                mark(marks.tag()) + " -j RETURN",
                "-g " + OUTSIDE);
        chain(Table.MANGLE, MARKED_EXTERNAL_IP, set(Kind.EXTERNAL_IP_LOCAL).mark(), dropMarked());
        chain(Table.MANGLE, MARKED_LOAD_BALANCER, set(Kind.LOAD_BALANCER_LOCAL).mark(), dropMarked());
        // What bears the tag already has just been led by IPVS, and comes through here once more.
        chain(Table.MANGLE, OUTPUT, mark(marks.tag()) + " -g " + LED, "-g " + INSIDE);
        chain(Table.MANGLE, LED, "-j MARK --set-xmark %s/%s".formatted(hex(marks.led()), hex(~marks.masquerade())));
        chain(Table.MANGLE, LEAD, "-j MARK --set-xmark %s/0xffffffff".formatted(hex(marks.tag())));
        jump(Table.MANGLE, "POSTROUTING", "", "marks are for this node", POSTROUTING);
        // A tunnel takes the mark of a packet over, and what it sends is not to be masqueraded. The first packet of a
        // connection still needs it, in nat.
        chain(
                Table.MANGLE,
                POSTROUTING,
                mark(marks.led()) + " -m conntrack ! --ctstate NEW -j MARK --set-xmark 0x0/0xffffffff");
    }

    private void nodePorts() {
        List<String> outside = new ArrayList<>(List.of(
                NEW + " " + match(Kind.DROP) + " -j DROP",
                match(Kind.EXTERNAL_IP) + " -g " + LEAD,
                match(Kind.EXTERNAL_IP_LOCAL) + " -g " + LEAD,
                match(Kind.LOAD_BALANCER) + " -g " + LEAD,
                match(Kind.IPVS_IPS) + " -j RETURN")); // they are own addresses, but not of the node
        nodePortNetworks().forEach(network -> outside.add(network + " " + OWN_DESTINATION + " -j " + NODE_PORT));
        chain(Table.MANGLE, OUTSIDE, outside);
        chain(
                Table.MANGLE,
                NODE_PORT,
                "-p tcp " + marking(Kind.NODE_PORT_TCP),
                "-p udp " + marking(Kind.NODE_PORT_UDP),
                "-p sctp " + marking(Kind.NODE_PORT_SCTP_HASH),
                dropMarked());
        List<String> inside = new ArrayList<>(List.of(match(Kind.IPVS_IPS) + " -j RETURN"));
        nodePortNetworks().forEach(network -> {
            inside.add(network + " -p tcp " + marking(Kind.NODE_PORT_LOCAL_TCP));
            inside.add(network + " -p udp " + marking(Kind.NODE_PORT_LOCAL_UDP));
            inside.add(network + " -p sctp " + marking(Kind.NODE_PORT_LOCAL_SCTP_HASH));
        });
        inside.add(dropMarked());
        chain(Table.MANGLE, NODE_PORT_INSIDE, inside);
    }

    /// Where node ports answer: at own addresses within these networks, and never at loopback.
    private Stream<String> nodePortNetworks() {
        Cidr loopback = Cidr.parse(family == Family.IPV4 ? "127.0.0.0/8" : "::1/128");
        return node.nodePortNetworks(family).stream()
                .filter(network -> !loopback.contains(network.network()))
                .map(network -> network.prefix() == 0 ? "! -d " + loopback : "-d " + network);
    }

    private void nat() {
        for (String hook : List.of("PREROUTING", "OUTPUT")) {
            jump(Table.NAT, hook, "", "service portals", SERVICES);
        }
        List<String> rules = new ArrayList<>();
        if (node.masqueradeAll()) {
            rules.add(match(Kind.CLUSTER_IP) + " -j " + MARK_MASQUERADE);
        } else if (node.pods().isKnown(family)) {
            rules.add(match(Kind.CLUSTER_IP) + " -j " + OFF_CLUSTER);
        }
        rules.add(match(Kind.LOAD_BALANCER_LOCAL) + " -j RETURN");
        rules.add(match(Kind.LOAD_BALANCER) + " -j " + MARK_MASQUERADE);
        rules.add(match(Kind.EXTERNAL_IP) + " -j " + MARK_MASQUERADE);
        chain(Table.NAT, SERVICES, rules);
        chain(
                Table.NAT,
                OFF_CLUSTER,
                Stream.concat(pods().map(pod -> pod + " -j RETURN"), Stream.of("-j " + MARK_MASQUERADE))
                        .toList());
        String mark = hex(marks.masquerade());
        chain(Table.NAT, MARK_MASQUERADE, "-j MARK --set-xmark %s/%s".formatted(mark, mark));
        // The node's own connections to an address that it bears itself have it as their source.
        jump(
                Table.NAT,
                "OUTPUT",
                "-m set --match-set %s src,dst ".formatted(set(Kind.CLUSTER_IP)),
                "a service address as source",
                MARK_MASQUERADE);
    }

    private void postrouting() {
        String bit = hex(marks.masquerade());
        String led = mark(marks.led());
        jump(Table.NAT, "POSTROUTING", "", "postrouting rules", POSTROUTING);
        chain(
                Table.NAT,
                POSTROUTING,
                match(Kind.LOOP_BACK) + " -j MASQUERADE --random-fully",
                led + " -m addrtype --src-type LOCAL -j MARK --set-xmark %s/%s".formatted(bit, bit),
                led + " -j MARK --set-xmark 0x0/" + hex(~marks.masquerade()),
                "-m mark ! --mark %s/%s -j RETURN".formatted(bit, bit),
                "-j MARK --set-xmark %s/0x0".formatted(bit),
                "-j MASQUERADE --random-fully");
    }

    private void filter() {
        jump(Table.FILTER, "INPUT", NEW + " ", "ipvs access filter", IPVS_FILTER);
        String port = family == Family.IPV4 ? "icmp-port-unreachable" : "icmp6-port-unreachable";
        chain(
                Table.FILTER,
                IPVS_FILTER,
                mark(marks.tag()) + " -j RETURN",
                match(Kind.CLUSTER_IP) + " -j RETURN",
                match(Kind.LOAD_BALANCER) + " -j RETURN",
                match(Kind.EXTERNAL_IP) + " -j RETURN",
                match(Kind.EXTERNAL_IP_LOCAL) + " -j RETURN",
                match(Kind.IPVS_IPS) + " -j REJECT --reject-with " + port);
        for (String hook : List.of("FORWARD", "OUTPUT")) {
            jump(Table.FILTER, hook, NEW + " ", "addresses of no service", UNALLOCATED);
        }
        chain(
                Table.FILTER,
                UNALLOCATED,
                node.serviceNetworks().stream()
                        .filter(network -> network.family() == family)
                        .map(network ->
                                "-d %s -m set ! --match-set %s dst -j DROP".formatted(network, set(Kind.IPVS_IPS)))
                        .toList());
        jump(Table.FILTER, "FORWARD", "", "forwarding rules", FORWARD);
        chain(
                Table.FILTER,
                FORWARD,
                mark(marks.masquerade()) + " -j ACCEPT",
                "-m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT");
    }

    /// One match for each way to be a pod of this node.
    private Stream<String> pods() {
        return switch (node.pods()) {
            case LocalPods.Networks(List<Cidr> networks) ->
                networks.stream().filter(network -> network.family() == family).map(network -> "-s " + network);
            case LocalPods.Bridge(String name) -> Stream.of("-i " + name);
            case LocalPods.InterfacePrefix(String prefix) -> Stream.of("-i " + prefix + "+");
            case LocalPods.Unknown _ -> Stream.of();
        };
    }

    private SetName set(Kind kind) {
        return new SetName(family, kind);
    }

    private String match(Kind kind) {
        return set(kind).match();
    }

    private String marking(Kind kind) {
        return match(kind) + " " + set(kind).mark();
    }

    private String dropMarked() {
        return NEW + " -m mark --mark " + hex(marks.dropped()) + " -j DROP";
    }

    private static String mark(int bits) {
        return "-m mark --mark %s/%s".formatted(hex(bits), hex(bits));
    }

    private static String hex(int bits) {
        return "0x" + Integer.toHexString(bits);
    }

    private void jump(Table table, String hook, String packets, String what, String chain) {
        entries.add(new Jump(
                new Spot(family, table, hook),
                "%s-m comment --comment \"kubernetes %s\" -j %s".formatted(packets, what, chain)));
    }

    private void chain(Table table, String name, String... rules) {
        chain(table, name, List.of(rules));
    }

    private void chain(Table table, String name, List<String> rules) {
        entries.add(new Chain(new Spot(family, table, name), rules));
    }
}
