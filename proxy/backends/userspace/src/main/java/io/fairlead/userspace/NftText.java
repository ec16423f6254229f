package io.fairlead.userspace;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.Patch;
import io.fairlead.userspace.UserspaceEntry.Action;
import io.fairlead.userspace.UserspaceEntry.Closed;
import io.fairlead.userspace.UserspaceEntry.Gate;
import io.fairlead.userspace.UserspaceEntry.Guard;
import io.fairlead.userspace.UserspaceEntry.Leftover;
import io.fairlead.userspace.UserspaceEntry.Portal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// What `nft -f` reads: a table of a few maps, in which each portal is one element. Pure.
final class NftText {
    static final String TABLE = "fairlead-userspace";

    /// The table that is there after [#TABLE], until the relay has no connection left.
    static final String RELEASED = "fairlead-userspace-released";

    private final Ports ports;

    NftText(Ports ports) {
        this.ports = ports;
    }

    static String name(Family family) {
        return family == Family.IPV4 ? "ip" : "ip6";
    }

    static String clear(Family family) {
        return clear(family, TABLE);
    }

    static String forget(Family family) {
        return clear(family, RELEASED);
    }

    private static String clear(Family family, String name) {
        String table = name(family) + " " + name + "\n";
        return "add table " + table + "delete table " + table;
    }

    /// No rule that does anything, but one that asks about connections: the kernel tracks and translates those it knows
    /// as
    /// long as there is one.
    static String release(Family family) {
        return """
            table %s %s {
            chain prerouting { type nat hook prerouting priority -100; ct state new continue; }
            }
            """.formatted(name(family), RELEASED) + clear(family);
    }

    /// The table of one family, in place of the one that may be there.
    String replace(Gate gate, Collection<UserspaceEntry> entries) {
        Map<String, List<String>> elements = new LinkedHashMap<>();
        entries.stream()
                .filter(entry -> entry.family() == gate.family())
                .flatMap(entry -> elements(entry).stream())
                .forEach(element -> elements.computeIfAbsent(element.set, _ -> new ArrayList<>())
                        .add(element.content()));
        return clear(gate.family())
                + table(gate)
                + elements.entrySet().stream()
                        .map(set -> element("add", gate.family(), set.getKey(), String.join(", ", set.getValue())))
                        .collect(Collectors.joining());
    }

    /// Whether a change is one of elements alone.
    static boolean isOfElements(Patch<UserspaceEntry> patch) {
        return patch.added().stream().noneMatch(NftText::isOfTable)
                && patch.removed().stream().noneMatch(NftText::isOfTable)
                && patch.changed().stream()
                        .noneMatch(change -> isOfTable(change.after()) || change.after() instanceof Guard);
    }

    private static boolean isOfTable(UserspaceEntry entry) {
        return entry instanceof Gate || entry instanceof Leftover;
    }

    /// The elements that leave, and then those that come.
    String change(Patch<UserspaceEntry> patch) {
        StringBuilder leave = new StringBuilder();
        StringBuilder come = new StringBuilder();
        patch.removed().forEach(entry -> remove(entry, leave));
        patch.added().forEach(entry -> add(entry, come));
        for (Patch.Change<UserspaceEntry> change : patch.changed()) {
            if (!elements(change.before()).equals(elements(change.after()))) {
                remove(change.before(), leave);
                add(change.after(), come);
            }
        }
        return leave.append(come).toString();
    }

    private void add(UserspaceEntry entry, StringBuilder text) {
        elements(entry).forEach(element -> text.append(element("add", entry.family(), element.set, element.content())));
    }

    private void remove(UserspaceEntry entry, StringBuilder text) {
        elements(entry).forEach(element -> text.append(element("delete", entry.family(), element.set, element.key)));
    }

    private static String element(String verb, Family family, String set, String content) {
        return "%s element %s %s %s { %s }\n".formatted(verb, name(family), TABLE, set, content);
    }

    private record Element(String set, String key, String value) {
        String content() {
            return value.isEmpty() ? key : key + " : " + value;
        }
    }

    private List<Element> elements(UserspaceEntry entry) {
        return switch (entry) {
            case Gate _, Leftover _ -> List.of();
            case Portal portal -> elements(portal);
            case Guard(PortalAddress place, var sources) -> {
                List<Element> all = new ArrayList<>();
                all.add(new Element("guarded", key(place), ""));
                sources.allowed().forEach(network -> all.add(new Element("allowed", key(place) + " . " + network, "")));
                yield all;
            }
            case Closed(var address) -> List.of(new Element("closed", address.toString(), ""));
        };
    }

    private List<Element> elements(Portal portal) {
        PortalAddress place = portal.place();
        String end = (place.isOfNode() ? "-nodeport" : "-address") + (portal.inside() ? "-inside" : "");
        Element lead = new Element("portal" + end, key(place), "goto " + chain(portal));
        if (place.protocol() != Protocol.UDP || !(portal.action() instanceof Action.Relay)) {
            return List.of(lead);
        }
        String port = Integer.toString(ports.udp(new Portal.Key(place, portal.inside())));
        String key = place.address().map(ip -> ip + " . ").orElse("") + place.port();
        return List.of(lead, new Element("datagram" + end, key, port));
    }

    private static String chain(Portal portal) {
        return switch (portal.action()) {
            case Action.Relay _ ->
                "relay" + (portal.place().isOfNode() ? "-nodeport" : "-address") + (portal.inside() ? "-inside" : "");
            case Action.Refuse _ -> "refuse";
            case Action.Discard _ -> "discard";
        };
    }

    private static String key(PortalAddress place) {
        String port = place.protocol().lowerCase() + " . " + place.port();
        return place.address().map(ip -> ip + " . " + port).orElse(port);
    }

    private String table(Gate gate) {
        Family family = gate.family();
        String ip = name(family);
        String address = family == Family.IPV4 ? "ipv4_addr" : "ipv6_addr";
        String portal = ip + " daddr . meta l4proto . th dport";
        StringBuilder text = new StringBuilder("table %s %s {\n".formatted(ip, TABLE));
        for (String end : List.of("", "-inside")) {
            text.append("""
                map portal-address%2$s { type %1$s . inet_proto . inet_service : verdict; }
                map portal-nodeport%2$s { type inet_proto . inet_service : verdict; }
                map datagram-address%2$s { type %1$s . inet_service : inet_service; }
                map datagram-nodeport%2$s { type inet_service : inet_service; }
                """.formatted(address, end));
            relay(text, family, "-address" + end, ip + " daddr . udp dport", !end.isEmpty());
            relay(text, family, "-nodeport" + end, "udp dport", !end.isEmpty());
        }
        text.append("""
            set guarded { type %1$s . inet_proto . inet_service; }
            set allowed { type %1$s . inet_proto . inet_service . %1$s; flags interval; }
            set closed { type %1$s; }
            chain refuse { meta l4proto tcp reject with tcp reset; reject; }
            chain discard { drop; }
            chain guard { %2$s . %3$s saddr @allowed return; drop; }
            """.formatted(address, portal, ip));
        text.append("chain services {\n%s vmap @portal-address\n".formatted(portal));
        nodePorts(gate, "portal-nodeport", text);
        text.append(ip + " daddr @closed goto refuse\n");
        gate.services().forEach(network -> text.append("%s daddr %s drop\n".formatted(ip, network)));
        text.append(
                "}\nchain inside {\n%1$s vmap @portal-address-inside\n%1$s vmap @portal-address\n".formatted(portal));
        nodePorts(gate, "portal-nodeport-inside", text);
        text.append("goto services\n}\nchain prerouting {\ntype nat hook prerouting priority -100;\n");
        text.append(portal + " @guarded jump guard\n");
        pods(gate).forEach(pod -> text.append(pod + " goto inside\n"));
        text.append("goto services\n}\nchain output {\ntype nat hook output priority -100;\n");
        return text.append(portal + " @guarded jump guard\ngoto inside\n}\n}\n").toString();
    }

    private void relay(StringBuilder text, Family family, String end, String datagram, boolean inside) {
        text.append("chain relay%s {\nmeta l4proto tcp redirect to :%d\n".formatted(end, ports.tcp(family, inside)));
        text.append("meta l4proto udp redirect to :%s map @datagram%s\n}\n".formatted(datagram, end));
    }

    private static void nodePorts(Gate gate, String map, StringBuilder text) {
        String ip = name(gate.family());
        String loopback = gate.family() == Family.IPV4 ? "127.0.0.0/8" : "::1";
        for (Cidr network : gate.nodePorts()) {
            String within = network.prefix() == 0 ? "" : "%s daddr %s ".formatted(ip, network);
            text.append("fib daddr type local %1$s daddr != %2$s %3$smeta l4proto . th dport vmap @%4$s\n"
                    .formatted(ip, loopback, within, map));
        }
    }

    private static List<String> pods(Gate gate) {
        return switch (gate.pods()) {
            case LocalPods.Networks(var networks) ->
                networks.stream()
                        .filter(network -> network.family() == gate.family())
                        .map(network -> "%s saddr %s".formatted(name(gate.family()), network))
                        .toList();
            case LocalPods.Bridge(String name) -> List.of("iifname \"%s\"".formatted(name));
            case LocalPods.InterfacePrefix(String prefix) -> List.of("iifname \"%s*\"".formatted(prefix));
            case LocalPods.Unknown _ -> List.of();
        };
    }
}
