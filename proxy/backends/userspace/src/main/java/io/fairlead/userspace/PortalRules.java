package io.fairlead.userspace;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.userspace.UserspaceEntry.Action;
import io.fairlead.userspace.UserspaceEntry.Closed;
import io.fairlead.userspace.UserspaceEntry.Gate;
import io.fairlead.userspace.UserspaceEntry.Guard;
import io.fairlead.userspace.UserspaceEntry.Portal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What `iptables-restore` reads for one family: the chains of the documents, KUBE-PORTALS-CONTAINER for what comes in
/// and KUBE-PORTALS-HOST for what the node itself sends; a rule a portal, and what is not relayed in the table filter.
/// Pure.
final class PortalRules {
    /// What the names of all our chains begin with.
    static final String PREFIX = "KUBE-PORTALS-";

    static final String CONTAINER = "KUBE-PORTALS-CONTAINER";
    static final String HOST = "KUBE-PORTALS-HOST";
    static final String FILTER = "KUBE-PORTALS-FILTER";
    static final String FILTER_HOST = "KUBE-PORTALS-FILTER-HOST";

    private final Gate gate;
    private final Ports ports;
    private final Map<PortalAddress, Portal> outside = new TreeMap<>(ORDER);
    private final Map<PortalAddress, Portal> inside = new TreeMap<>(ORDER);
    private final Map<PortalAddress, Guard> guards = new TreeMap<>(ORDER);
    private final List<Closed> closed = new ArrayList<>();
    private final StringBuilder nat = new StringBuilder();
    private final StringBuilder filter = new StringBuilder();

    /// An address that a Service has goes before a node port.
    private static final Comparator<PortalAddress> ORDER =
            Comparator.comparing(PortalAddress::isOfNode).thenComparing(PortalAddress::toString);

    private PortalRules(Gate gate, Collection<UserspaceEntry> entries, Ports ports) {
        this.gate = gate;
        this.ports = ports;
        entries.stream().filter(entry -> entry.family() == gate.family()).forEach(this::sort);
        closed.sort(Comparator.comparing(Closed::address));
    }

    private void sort(UserspaceEntry entry) {
        switch (entry) {
            case Portal portal -> (portal.inside() ? inside : outside).put(portal.place(), portal);
            case Guard guard -> guards.put(guard.place(), guard);
            case Closed one -> closed.add(one);
            case Gate _, UserspaceEntry.Leftover _ -> {}
        }
    }

    /// All rules of a family.
    static String text(Gate gate, Collection<UserspaceEntry> entries, Ports ports) {
        return new PortalRules(gate, entries, ports).text();
    }

    private String text() {
        for (boolean ofHost : List.of(false, true)) {
            outside.values().forEach(portal -> lead(portal, ofHost));
            String chain = ofHost ? FILTER_HOST : FILTER;
            closed.forEach(one -> reject(
                    chain, "-d %s/%d".formatted(one.address(), gate.family().bits())));
            gate.services().forEach(network -> filter.append("-A %s -d %s -j DROP\n".formatted(chain, network)));
        }
        return "*nat\n:%s - [0:0]\n:%s - [0:0]\n%sCOMMIT\n*filter\n:%s - [0:0]\n:%s - [0:0]\n%sCOMMIT\n"
                .formatted(CONTAINER, HOST, nat, FILTER, FILTER_HOST, filter);
    }

    private void lead(Portal portal, boolean ofHost) {
        Optional<Portal> own = Optional.ofNullable(inside.get(portal.place()));
        if (ofHost) {
            lead(own.orElse(portal), "", Optional.empty(), true);
            return;
        }
        own.ifPresent(one -> pods().forEach(pod -> lead(one, pod.match, pod.network, false)));
        lead(portal, "", Optional.empty(), false);
    }

    /// How to know a pod of the node: by the network of its source, or by something else.
    private record Pod(String match, Optional<Cidr> network) {}

    private List<Pod> pods() {
        return switch (gate.pods()) {
            case LocalPods.Networks(var networks) ->
                networks.stream()
                        .filter(network -> network.family() == gate.family())
                        .map(network -> new Pod("", Optional.of(network)))
                        .toList();
            case LocalPods.Bridge(String name) -> List.of(new Pod("-i " + name + " ", Optional.empty()));
            case LocalPods.InterfacePrefix(String prefix) -> List.of(new Pod("-i " + prefix + "+ ", Optional.empty()));
            case LocalPods.Unknown _ -> List.of();
        };
    }

    private void lead(Portal portal, String match, Optional<Cidr> network, boolean ofHost) {
        String natChain = ofHost ? HOST : CONTAINER;
        String filterChain = ofHost ? FILTER_HOST : FILTER;
        Guard guard = guards.get(portal.place());
        boolean narrow = !match.isEmpty() || network.isPresent();
        String from = network.map(one -> "-s " + one + " ").orElse("");
        for (String where : destinations(portal.place())) {
            if (portal.action() instanceof Action.Relay) {
                sources(guard, network)
                        .forEach(source -> nat.append("-A %s %s%s%s -j REDIRECT --to-ports %d\n"
                                .formatted(natChain, match, source, where, port(portal))));
            }
            if (narrow) {
                nat.append("-A %s %s%s%s -j RETURN\n".formatted(natChain, match, from, where));
            }
            String rest = match + from + where;
            if (guard != null || portal.action() instanceof Action.Discard) {
                filter.append("-A %s %s -j DROP\n".formatted(filterChain, rest));
            } else if (portal.action() instanceof Action.Refuse) {
                refuse(filterChain, rest, portal.place().protocol());
            }
        }
    }

    /// The networks that may pass, cut down to those of the pods where the rule is about pods.
    private static Stream<String> sources(@Nullable Guard guard, Optional<Cidr> pods) {
        if (guard == null) {
            return Stream.of(pods.map(one -> "-s " + one + " ").orElse(""));
        }
        return guard.sources().allowed().stream()
                .flatMap(allowed -> pods.isEmpty() ? Stream.of(allowed) : common(allowed, pods.get()).stream())
                .map(network -> "-s " + network + " ");
    }

    private static Optional<Cidr> common(Cidr one, Cidr other) {
        Cidr wide = one.prefix() <= other.prefix() ? one : other;
        Cidr narrow = one.prefix() <= other.prefix() ? other : one;
        return wide.contains(narrow.network()) ? Optional.of(narrow) : Optional.empty();
    }

    /// What a packet to a place matches; a node port is at several networks.
    private List<String> destinations(PortalAddress place) {
        String port = "-p %1$s -m %1$s --dport %2$d".formatted(place.protocol().lowerCase(), place.port());
        if (place.address().isPresent()) {
            return List.of(
                    "-d %s/%d %s".formatted(place.address().get(), gate.family().bits(), port));
        }
        String loopback = gate.family() == Family.IPV4 ? "127.0.0.0/8" : "::1/128";
        return gate.nodePorts().stream()
                .map(network -> network.prefix() == 0 ? "! -d " + loopback : "-d " + network)
                .map(where -> "%s %s -m addrtype --dst-type LOCAL".formatted(where, port))
                .toList();
    }

    private void reject(String chain, String where) {
        filter.append("-A %s %s -p tcp -j REJECT --reject-with tcp-reset\n".formatted(chain, where));
        filter.append("-A %s %s -j REJECT\n".formatted(chain, where));
    }

    private void refuse(String chain, String where, Protocol protocol) {
        String how = protocol == Protocol.TCP ? " --reject-with tcp-reset" : "";
        filter.append("-A %s %s -j REJECT%s\n".formatted(chain, where, how));
    }

    private int port(Portal portal) {
        return portal.place().protocol() == Protocol.UDP
                ? ports.udp(new Portal.Key(portal.place(), portal.inside()))
                : ports.tcp(gate.family(), portal.inside());
    }
}
