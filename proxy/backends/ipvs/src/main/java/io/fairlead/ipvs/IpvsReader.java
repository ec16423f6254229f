package io.fairlead.ipvs;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.ipvs.IpvsEntry.Address;
import io.fairlead.ipvs.IpvsEntry.Device;
import io.fairlead.ipvs.IpvsEntry.Lead;
import io.fairlead.ipvs.IpvsEntry.Member;
import io.fairlead.ipvs.IpvsEntry.RealServer;
import io.fairlead.ipvs.IpvsEntry.VirtualServer;
import io.fairlead.ipvs.IpvsMessages.Sighted;
import io.fairlead.ipvs.SetName.Kind;
import io.fairlead.kernel.AddressSocket;
import io.fairlead.kernel.AddressSocket.Bound;
import io.fairlead.kernel.GenericFamily;
import io.fairlead.kernel.NetlinkSocket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// One look at all that is ours in the kernel.
///
/// A virtual server is ours if it is for a mark of ours, or at an address of ours: one that our device has, that is in
/// a set of ours, or in a network of Services. A real server of weight 0 is on its way out.
final class IpvsReader {
    /// The ways to the kernel, in the network namespace of the thread that opened them.
    record Sockets(NetlinkSocket generic, NetlinkSocket netfilter, AddressSocket addresses, Optional<IpvsMessages> ipvs)
            implements AutoCloseable {
        static Sockets open() {
            NetlinkSocket generic = NetlinkSocket.open(NetlinkSocket.GENERIC);
            Optional<IpvsMessages> ipvs = GenericFamily.find(generic, IpvsMessages.FAMILY, IpvsMessages.VERSION)
                    .map(IpvsMessages::new);
            return new Sockets(generic, NetlinkSocket.open(NetlinkSocket.NETFILTER), AddressSocket.open(), ipvs);
        }

        IpvsMessages messages() {
            return ipvs.orElseThrow(() -> new ApplyException("the kernel has no IPVS"));
        }

        @Override
        public void close() {
            generic.close();
            netfilter.close();
            addresses.close();
        }
    }

    private static final Cidr LINK_LOCAL = Cidr.parse("fe80::/10");

    private final Sockets sockets;
    private final RulesReader saved;
    private final IpvsOptions options;
    private final Marks marks;
    private final List<Cidr> serviceNetworks;
    private final Set<IpvsEntry> entries = new LinkedHashSet<>();
    private final List<RealServer> leaving = new ArrayList<>();
    private final Set<Ip> ours = new HashSet<>();
    private final List<Bound> strays = new ArrayList<>();

    private IpvsReader(
            Sockets sockets, RulesReader saved, IpvsOptions options, Marks marks, List<Cidr> serviceNetworks) {
        this.sockets = sockets;
        this.saved = saved;
        this.options = options;
        this.marks = marks;
        this.serviceNetworks = serviceNetworks;
    }

    static IpvsReader of(
            Sockets sockets, RulesReader saved, IpvsOptions options, Marks marks, List<Cidr> serviceNetworks) {
        IpvsReader reader = new IpvsReader(sockets, saved, options, marks, serviceNetworks);
        reader.rules();
        Set<Ip> refusing = reader.sets();
        reader.addresses(refusing);
        reader.servers();
        return reader;
    }

    List<IpvsEntry> entries() {
        return List.copyOf(entries);
    }

    List<RealServer> leaving() {
        return leaving;
    }

    /// Addresses of ours that are not where or how they should be: those of a process before us with other options.
    List<Bound> strays() {
        return List.copyOf(strays);
    }

    private void rules() {
        for (Family family : Family.values()) {
            entries.addAll(saved.rules(family));
            sockets.addresses().markRules(family).stream()
                    .filter(rule -> rule.table() == IpvsApplier.TABLE)
                    .forEach(rule -> entries.add(new Lead(family, rule.mark())));
        }
    }

    /// Gives the addresses whose other ports are refused: [#addresses] makes one entry of them and the device's
    /// addresses.
    private Set<Ip> sets() {
        Set<Ip> refusing = new HashSet<>();
        sockets.netfilter().dump(SetMessages.list()).stream()
                .flatMap(message -> SetMessages.entries(message.attributes(SetMessages.HEADER)))
                .forEach(entry -> {
                    Optional<Ip> ip = entry instanceof Member member
                            ? member.element().address().map(Cidr::network)
                            : Optional.empty();
                    if (entry instanceof Member member && member.set().kind() == Kind.IPVS_IPS) {
                        refusing.add(ip.orElseThrow());
                    } else {
                        entries.add(entry);
                        ip.filter(_ -> isFrontend((Member) entry)).ifPresent(ours::add);
                    }
                });
        return refusing;
    }

    private static boolean isFrontend(Member member) {
        return switch (member.set().kind()) {
            case CLUSTER_IP, EXTERNAL_IP, EXTERNAL_IP_LOCAL, LOAD_BALANCER -> true;
            default -> false;
        };
    }

    private void addresses(Set<Ip> refusing) {
        if (options.ownsDevice()
                ? sockets.addresses().findIndex(options.device()).isPresent()
                : !entries.isEmpty()) {
            entries.add(new Device());
        }
        Set<Ip> here = new HashSet<>();
        for (Bound address : sockets.addresses().addresses()) {
            boolean refuses = refusing.contains(address.ip());
            if (isInPlace(address)) {
                if (refuses || (options.ownsDevice() && !isOfLink(address.ip()))) {
                    here.add(address.ip());
                }
            } else if (refuses) {
                strays.add(address);
            } else if (!address.device().equals(options.device()) && isClusterIp(address.ip())) {
                entries.add(new Address(address.ip()));
            }
        }
        strays.removeIf(stray -> here.contains(stray.ip()) && !stray.device().equals(options.device()));
        here.forEach(ip -> entries.add(new Address(ip, refusing.contains(ip))));
        refusing.stream().filter(ip -> !here.contains(ip)).forEach(ip -> entries.add(new Address(ip, false)));
        ours.addAll(here);
    }

    private boolean isInPlace(Bound address) {
        return address.device().equals(options.device())
                && address.prefix()
                        == Math.min(options.prefix(), address.ip().family().bits());
    }

    /// The kernel gives one to each device.
    private static boolean isOfLink(Ip ip) {
        return LINK_LOCAL.contains(ip);
    }

    /// Whether an address that another device has is one of those that we would bind.
    private boolean isClusterIp(Ip ip) {
        return entries.stream()
                .anyMatch(entry -> entry instanceof Member(SetName set, Element element, var _, var _)
                        && set.kind() == Kind.CLUSTER_IP
                        && element.address()
                                .filter(own -> own.network().equals(ip))
                                .isPresent());
    }

    private void servers() {
        IpvsMessages messages = sockets.messages();
        List<VirtualServer> virtual = sockets.generic().dump(messages.virtualServers()).stream()
                .flatMap(message -> IpvsMessages.virtualServer(message.attributes(GenericFamily.HEADER)).stream())
                .filter(server -> isOurs(server.place()))
                .toList();
        for (VirtualServer server : virtual) {
            entries.add(server);
            sightings(sockets, server.place()).forEach(sighted -> {
                if (sighted.server().weight() > 0) {
                    entries.add(sighted.server());
                } else {
                    leaving.add(sighted.server());
                }
            });
        }
    }

    /// The real servers of a virtual one.
    static List<Sighted> sightings(Sockets sockets, ServerAddress place) {
        return sockets.generic().dump(sockets.messages().realServers(place)).stream()
                .map(message -> IpvsMessages.realServer(place, message.attributes(GenericFamily.HEADER)))
                .toList();
    }

    private boolean isOurs(ServerAddress place) {
        return switch (place) {
            case ServerAddress.Marked(var _, int mark) -> (mark & marks.tag()) != 0;
            case ServerAddress.At(Ip ip, var _, var _) ->
                options.excluded().stream().noneMatch(network -> network.contains(ip))
                        && (ours.contains(ip) || serviceNetworks.stream().anyMatch(network -> network.contains(ip)));
        };
    }
}
