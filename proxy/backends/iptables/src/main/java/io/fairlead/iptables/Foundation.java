package io.fairlead.iptables;

import static io.fairlead.iptables.ChainNames.CANARY;
import static io.fairlead.iptables.ChainNames.CLUSTER_IPS;
import static io.fairlead.iptables.ChainNames.EXTERNAL_SERVICES;
import static io.fairlead.iptables.ChainNames.FIREWALL;
import static io.fairlead.iptables.ChainNames.FORWARD;
import static io.fairlead.iptables.ChainNames.LOCALNET;
import static io.fairlead.iptables.ChainNames.MARK_MASQUERADE;
import static io.fairlead.iptables.ChainNames.MARK_OFF_CLUSTER;
import static io.fairlead.iptables.ChainNames.NODE_PORTS;
import static io.fairlead.iptables.ChainNames.POSTROUTING;
import static io.fairlead.iptables.ChainNames.SERVICES;
import static io.fairlead.iptables.ChainNames.STRAY_IPS;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.iptables.IptablesEntry.Chain;
import io.fairlead.iptables.IptablesEntry.Line;
import io.fairlead.iptables.IptablesEntry.Switch;
import java.util.ArrayList;
import java.util.List;

/// What stands in one family even without a Service: the chains that Services share, and the ways into them.
final class Foundation {
    private static final Cidr LOOPBACK = Cidr.parse("127.0.0.0/8");
    private static final Cidr LOOPBACK6 = Cidr.parse("::1/128");
    /// By these words the metrics find the rules again whose packets they show.
    static final String INVALID = "--ctstate INVALID";

    static final String LOCALHOST = "kubernetes localhost node ports";

    private static final Match NEW = Match.ANY.state("NEW");

    private final Family family;
    private final NodeFacts node;
    private final Traits traits;
    private final List<IptablesEntry> entries = new ArrayList<>();

    private Foundation(Family family, NodeFacts node, Traits traits) {
        this.family = family;
        this.node = node;
        this.traits = traits;
    }

    static List<IptablesEntry> of(Family family, NodeFacts node, Traits traits) {
        Foundation foundation = new Foundation(family, node, traits);
        foundation.canaries();
        foundation.nat();
        foundation.filter();
        foundation.localhost();
        return foundation.entries;
    }

    /// A rule in each: to flush a table empties its chains, and the chains stay.
    private void canaries() {
        for (Table table : Table.values()) {
            chain(table, CANARY, Match.ANY.comment("kubernetes proxy canary").then("RETURN"));
        }
    }

    private void nat() {
        jump(Table.NAT, "PREROUTING", Match.ANY.comment("kubernetes service portals"), SERVICES);
        jump(Table.NAT, "OUTPUT", Match.ANY.comment("kubernetes service portals"), SERVICES);
        jump(Table.NAT, "POSTROUTING", Match.ANY.comment("kubernetes postrouting rules"), POSTROUTING);
        chain(Table.NAT, SERVICES, nodePorts("kubernetes service nodeports"));
        chain(Table.NAT, NODE_PORTS);
        chain(Table.NAT, MARK_MASQUERADE, Match.ANY.then("MARK --set-xmark %s/%s".formatted(mark(), mark())));
        chain(Table.NAT, POSTROUTING, postrouting());
        PodMatch pods = new PodMatch(node.pods(), family);
        if (pods.haveSeveralNetworks()) {
            chain(Table.NAT, MARK_OFF_CLUSTER, pods.otherNetworks());
        }
    }

    private void filter() {
        for (String hook : List.of("INPUT", "FORWARD", "OUTPUT")) {
            jump(Table.FILTER, hook, NEW.comment("kubernetes load balancer firewall"), FIREWALL);
            jump(Table.FILTER, hook, NEW.comment("kubernetes externally-visible service portals"), EXTERNAL_SERVICES);
        }
        jump(Table.FILTER, "FORWARD", NEW.comment("kubernetes service portals"), SERVICES);
        jump(Table.FILTER, "OUTPUT", NEW.comment("kubernetes service portals"), SERVICES);
        jump(Table.FILTER, "FORWARD", Match.ANY.comment("kubernetes forwarding rules"), FORWARD);
        chain(Table.FILTER, FIREWALL);
        chain(Table.FILTER, EXTERNAL_SERVICES, nodePorts("kubernetes node ports without endpoints"));
        chain(Table.FILTER, NODE_PORTS);
        chain(Table.FILTER, SERVICES, unknownPortsAndAddresses());
        chain(Table.FILTER, CLUSTER_IPS);
        chain(Table.FILTER, STRAY_IPS);
        chain(Table.FILTER, FORWARD, forward());
    }

    /// Which packets are for node ports: those to the addresses where node ports answer.
    private List<Rule> nodePorts(String what) {
        return node.nodePortNetworks(family).stream()
                .filter(network -> answersAtLocalhost() || !loopback().contains(network.network()))
                .map(network ->
                        at(network).comment(Rule.last(what)).toOwnAddress().then(NODE_PORTS))
                .toList();
    }

    private Match at(Cidr network) {
        if (network.prefix() > 0) {
            return Match.ANY.to(network);
        }
        return answersAtLocalhost() ? Match.ANY : Match.ANY.notTo(loopback());
    }

    private Cidr loopback() {
        return family == Family.IPV4 ? LOOPBACK : LOOPBACK6;
    }

    /// A port of a ClusterIP that is not the Service's is refused; an address that no Service has says nothing. The
    /// networks of Services stand before the addresses, so that a packet for a pod need not be compared with each.
    private List<Rule> unknownPortsAndAddresses() {
        List<Cidr> networks = node.serviceNetworks().stream()
                .filter(network -> network.family() == family)
                .toList();
        String ports = Rule.last("other ports of cluster IPs");
        if (networks.isEmpty()) {
            return List.of(Match.ANY.comment(ports).then(CLUSTER_IPS));
        }
        String addresses = Rule.last("cluster IPs of no service");
        List<Rule> rules = new ArrayList<>();
        networks.forEach(
                network -> rules.add(Match.ANY.to(network).comment(ports).then(CLUSTER_IPS)));
        networks.forEach(
                network -> rules.add(Match.ANY.to(network).comment(addresses).drop()));
        // Addresses that no network has are few: the kernel compares other packets with them for a short time only.
        rules.add(
                Match.ANY.comment(Rule.last("other ports of stray cluster IPs")).then(STRAY_IPS));
        return rules;
    }

    private List<Rule> forward() {
        List<Rule> rules = new ArrayList<>();
        if (!traits.liberal()) {
            // A late packet that tracking calls invalid would reach the client with a pod's address; the client
            // resets the connection.
            rules.add(Match.ANY.state("INVALID").drop());
        }
        rules.add(Match.ANY
                .comment("kubernetes forwarding rules")
                .with("mark --mark %s/%s".formatted(mark(), mark()))
                .then("ACCEPT"));
        rules.add(Match.ANY
                .comment("kubernetes forwarding conntrack rule")
                .state("RELATED,ESTABLISHED")
                .then("ACCEPT"));
        return rules;
    }

    private List<Rule> postrouting() {
        List<Rule> rules = new ArrayList<>();
        if (answersAtLocalhost()) { // only to be counted
            rules.add(Match.ANY
                    .comment(LOCALHOST)
                    .with("conntrack --ctstate DNAT --ctorigdst " + LOOPBACK)
                    .note());
        }
        rules.add(
                Match.ANY.with("mark ! --mark %s/%s".formatted(mark(), mark())).then("RETURN"));
        rules.add(Match.ANY.then("MARK --set-xmark %s/0x0".formatted(mark())));
        rules.add(Match.ANY
                .comment("kubernetes service traffic requiring SNAT")
                .then("MASQUERADE" + (traits.randomFully() ? " --random-fully" : "")));
        return rules;
    }

    private boolean answersAtLocalhost() {
        return family == Family.IPV4
                && node.localhostNodePorts()
                && node.nodePortNetworks(family).stream().anyMatch(LOOPBACK::overlaps);
    }

    /// Where node ports answer at 127.0.0.1, the kernel routes such packets also for neighbours: they are kept out.
    private void localhost() {
        if (!answersAtLocalhost()) {
            return;
        }
        for (String hook : List.of("INPUT", "OUTPUT")) {
            jump(Table.FILTER, hook, Match.ANY.comment("kubernetes localhost firewall"), LOCALNET);
        }
        List<Rule> rules = new ArrayList<>();
        if (traits.routesLocalnet()) {
            rules.add(Match.ANY.comment(Switch.NOT_OURS).note());
        } else {
            entries.add(new Switch());
        }
        rules.add(Match.ANY
                .notFrom(LOOPBACK)
                .to(LOOPBACK)
                .comment("block incoming localnet connections")
                .with("conntrack ! --ctstate RELATED,ESTABLISHED,DNAT")
                .drop());
        chain(Table.FILTER, LOCALNET, rules);
    }

    private String mark() {
        return "0x" + Integer.toHexString(node.masqueradeMark());
    }

    private void jump(Table table, String from, Match packets, String chain) {
        entries.add(new Line(new ChainKey(family, table, from), packets.then(chain)));
    }

    private void chain(Table table, String name, Rule... rules) {
        chain(table, name, List.of(rules));
    }

    private void chain(Table table, String name, List<Rule> rules) {
        entries.add(new Chain(new ChainKey(family, table, name), rules));
    }
}
