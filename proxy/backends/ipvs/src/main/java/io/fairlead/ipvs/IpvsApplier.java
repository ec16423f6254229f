package io.fairlead.ipvs;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import io.fairlead.ipvs.IpvsEntry.Address;
import io.fairlead.ipvs.IpvsEntry.AddressSet;
import io.fairlead.ipvs.IpvsEntry.Device;
import io.fairlead.ipvs.IpvsEntry.Lead;
import io.fairlead.ipvs.IpvsEntry.Member;
import io.fairlead.ipvs.IpvsEntry.RealServer;
import io.fairlead.ipvs.IpvsEntry.VirtualServer;
import io.fairlead.ipvs.IpvsMessages.Operation;
import io.fairlead.ipvs.IpvsReader.Sockets;
import io.fairlead.ipvs.SetName.Kind;
import io.fairlead.kernel.AddressSocket.Bound;
import io.fairlead.kernel.AddressSocket.MarkRule;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.NetlinkMessage;
import io.fairlead.kernel.NetlinkWriter;
import io.fairlead.kernel.RouteSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Writes patches message by message, in an order in which no client is refused meanwhile; the kernel has no
/// transaction for this.
///
/// What is new is there before anything leads to it, and what is gone is led to no more before it goes: sets, servers,
/// members, rules, addresses; and back. Real servers leave as [LeavingApplier] says.
final class IpvsApplier implements AutoCloseable {
    /// The routing table of packets that are taken in by their mark.
    static final int TABLE = 30998;

    private final Sockets sockets = Sockets.open();
    private final RulesReader saved = new RulesReader();
    private final IpvsOptions options;
    private final Marks marks;
    private final List<Cidr> serviceNetworks;
    private final SysctlApplier sysctls;
    private final LeavingApplier leaving;
    private final Map<ServerAddress, Owner> owners = new ConcurrentHashMap<>();
    private @Nullable Map<Object, IpvsEntry> known;
    private List<Bound> strays = List.of();
    private List<String> findings = List.of();
    private long compared = System.nanoTime();
    private boolean prepared;
    private volatile boolean told;

    IpvsApplier(NodeFacts node, IpvsOptions options) {
        this.options = options;
        this.marks = new Marks(node.masqueradeBit());
        this.serviceNetworks = node.serviceNetworks();
        this.sysctls = new SysctlApplier(options);
        this.leaving = new LeavingApplier(sockets, marks);
    }

    Support support() {
        if (sockets.ipvs().isEmpty()) {
            return new Support.Unsupported("the kernel has no IPVS: load the module ip_vs, or choose another mode");
        }
        try {
            sockets.netfilter().dump(SetMessages.list());
            ServerAddress place = new ServerAddress.At(Ip.parse("198.51.100.0"), Protocol.TCP, 20000);
            VirtualServer probe = new VirtualServer(place, Scheduling.of(options.scheduler()), 0);
            NetlinkWriter writer = new NetlinkWriter();
            sockets.messages().write(writer, Operation.ADD, probe);
            sockets.messages().write(writer, Operation.REMOVE, probe);
            List<NetlinkMessage> refused = sockets.generic().refusals(writer.toBytes());
            return refused.isEmpty()
                    ? new Support.Supported()
                    : new Support.Unsupported(
                            "the kernel took no virtual server with the scheduler %s (error %d): load the module ip_vs_%s"
                                    .formatted(
                                            options.scheduler(),
                                            refused.getFirst().errno(),
                                            options.scheduler()));
        } catch (KernelException e) {
            return new Support.Unsupported(
                    "the kernel has no sets of addresses: load the module ip_set: " + e.getMessage());
        }
    }

    Program<IpvsEntry> observe() {
        try {
            IpvsReader reader = IpvsReader.of(sockets, saved, options, marks, serviceNetworks);
            owners.clear();
            reader.entries().forEach(entry -> own(entry, true));
            reader.leaving().forEach(server -> leaving.found(server, drain(server.place())));
            strays = reader.strays();
            known = byKey(reader.entries());
            compared = System.nanoTime();
            return Program.of(reader.entries());
        } catch (KernelException e) {
            throw new ApplyException("the kernel does not tell what is there", e);
        }
    }

    private static Map<Object, IpvsEntry> byKey(Collection<IpvsEntry> entries) {
        Map<Object, IpvsEntry> map = new HashMap<>();
        entries.forEach(entry -> map.put(entry.key(), entry));
        return map;
    }

    void apply(Patch<IpvsEntry> patch) {
        if (patch.isEmpty()) {
            return;
        }
        if (known == null) {
            observe();
        }
        Map<Object, IpvsEntry> before = known == null ? Map.of() : known;
        check(patch, before);
        known = null; // unless it succeeds we do not know what the kernel took
        try {
            add(patch);
            remove(patch);
        } catch (KernelException e) {
            throw new ApplyException("a change of %d entries failed".formatted(patch.size()), e);
        }
        patch.removed().forEach(entry -> before.remove(entry.key()));
        patch.added().forEach(entry -> before.put(entry.key(), entry));
        patch.changed().forEach(change -> before.put(change.after().key(), change.after()));
        patch.removed().forEach(entry -> own(entry, false));
        patch.changed().forEach(change -> own(change.before(), false));
        patch.changed().forEach(change -> own(change.after(), true));
        patch.added().forEach(entry -> own(entry, true));
        known = before;
    }

    private void own(IpvsEntry entry, boolean there) {
        if (!(entry instanceof Member member)) {
            return;
        }
        for (ServerAddress place : Owner.places(member)) {
            Owner.find(member)
                    .filter(_ -> there)
                    .ifPresentOrElse(owner -> owners.put(place, owner), () -> owners.remove(place));
        }
    }

    /// Once a process, with its first change: the kernel's switches, and how long it remembers.
    private void prepare() {
        if (!prepared) {
            prepared = true;
            sysctls.apply();
            if (!options.timeouts().equals(IpvsTimeouts.AS_THEY_ARE)) {
                sockets.generic().request(sockets.messages().timeouts(options.timeouts()), "timeouts of IPVS");
            }
        }
    }

    /// All is looked at before the first message: the kernel cannot take a half of them back.
    private static void check(Patch<IpvsEntry> patch, Map<Object, IpvsEntry> known) {
        Stream.concat(patch.removed().stream(), patch.changed().stream().map(Patch.Change::before))
                .filter(entry -> !entry.equals(known.get(entry.key())))
                .findFirst()
                .ifPresent(entry -> {
                    throw new ApplyException("the patch does not fit: there is no \"%s\"".formatted(entry));
                });
        patch.added().stream()
                .filter(entry -> known.containsKey(entry.key()))
                .findFirst()
                .ifPresent(entry -> {
                    throw new ApplyException("the patch does not fit: \"%s\" is there".formatted(entry));
                });
    }

    private void add(Patch<IpvsEntry> patch) {
        List<IpvsEntry> changed =
                patch.changed().stream().map(Patch.Change::after).toList();
        List<IpvsEntry> all =
                Stream.concat(patch.added().stream(), changed.stream()).toList();
        prepare();
        toNetfilter(SetMessages::create, those(patch.added(), AddressSet.class));
        toIpvs(those(patch.added(), VirtualServer.class), Operation.ADD);
        toIpvs(those(changed, VirtualServer.class), Operation.CHANGE);
        realServers(patch.added(), changed);
        toNetfilter(SetMessages::add, those(all, Member.class));
        for (Family family : Family.values()) {
            restore(family, RuleText.additions(patch, family));
        }
        those(patch.added(), Lead.class).forEach(lead -> sockets.addresses().takeIn(rule(lead)));
        if (options.ownsDevice() && patch.added().stream().anyMatch(Device.class::isInstance)) {
            sockets.addresses().addDummy(options.device());
            try (RouteSocket route = RouteSocket.open()) {
                route.setUp(options.device());
            }
        }
        bind(those(all, Address.class).stream().map(Address::ip).toList());
    }

    private void restore(Family family, String text) {
        if (!text.isEmpty()) {
            saved.forget(family);
            MessageApplier.restore(family, text);
        }
    }

    private void realServers(List<IpvsEntry> added, List<IpvsEntry> changed) {
        List<RealServer> fresh = new ArrayList<>();
        List<RealServer> again = new ArrayList<>(those(changed, RealServer.class));
        for (RealServer server : those(added, RealServer.class)) {
            (leaving.comesBack(server) ? again : fresh).add(server);
        }
        leaving.send(fresh, Operation.ADD);
        leaving.send(again, Operation.CHANGE);
    }

    /// An address that another device has stays there.
    private void bind(List<Ip> addresses) {
        if (addresses.isEmpty()) {
            return;
        }
        Set<Ip> elsewhere = new HashSet<>();
        for (Bound bound : sockets.addresses().addresses()) {
            if (!bound.device().equals(options.device()) && !strays.contains(bound)) {
                elsewhere.add(bound.ip());
            }
        }
        List<Ip> ours = addresses.stream().filter(ip -> !elsewhere.contains(ip)).toList();
        toNetfilter(SetMessages::add, ours.stream().map(IpvsApplier::refusing).toList());
        sockets.addresses().add(options.device(), ours, options.prefix());
        dropStrays(ours);
    }

    private void dropStrays(List<Ip> addresses) {
        if (!strays.isEmpty()) {
            strays.stream()
                    .filter(stray -> addresses.contains(stray.ip()))
                    .forEach(stray -> sockets.addresses().remove(stray.device(), List.of(stray.ip()), stray.prefix()));
            strays = strays.stream()
                    .filter(stray -> !addresses.contains(stray.ip()))
                    .toList();
        }
    }

    private void remove(Patch<IpvsEntry> patch) {
        toNetfilter(SetMessages::remove, those(patch.removed(), Member.class));
        List<VirtualServer> virtual = those(patch.removed(), VirtualServer.class);
        Set<ServerAddress> gone = new HashSet<>();
        virtual.forEach(server -> gone.add(server.place()));
        leaving.retire(
                those(patch.removed(), RealServer.class).stream()
                        .filter(server -> !gone.contains(server.place()))
                        .toList(),
                this::drain);
        leaving.forget(gone);
        toIpvs(virtual, Operation.REMOVE);
        unbind(those(patch.removed(), Address.class).stream().map(Address::ip).toList());
        for (Family family : Family.values()) {
            restore(family, RuleText.removals(patch, family));
        }
        those(patch.removed(), Lead.class).forEach(lead -> sockets.addresses().release(rule(lead)));
        toNetfilter(SetMessages::destroy, those(patch.removed(), AddressSet.class));
        if (options.ownsDevice() && patch.removed().stream().anyMatch(Device.class::isInstance)) {
            try (RouteSocket route = RouteSocket.open()) {
                route.deleteLink(options.device());
            }
        }
    }

    private void unbind(List<Ip> addresses) {
        if (addresses.isEmpty()) {
            return;
        }
        if (sockets.addresses().findIndex(options.device()).isPresent()) {
            sockets.addresses().remove(options.device(), addresses, options.prefix());
        }
        dropStrays(addresses);
        NetlinkWriter writer = new NetlinkWriter();
        addresses.forEach(ip -> SetMessages.remove(writer, refusing(ip)));
        sockets.netfilter().refusals(writer.toBytes()); // one that another device has is not in the set
    }

    /// How long a real server of a virtual one may keep its connections.
    private Duration drain(ServerAddress place) {
        Owner owner = owners.get(place);
        return owner == null ? options.drain() : owner.drain().orElse(options.drain());
    }

    LeavingApplier leaving() {
        return leaving;
    }

    /// Whose the virtual servers are; for any thread.
    Map<ServerAddress, Owner> owners() {
        return owners;
    }

    /// The next time it is asked about drift it looks, whenever it last did; for any thread.
    void compareNow() {
        told = true;
    }

    /// What the last look found that another program did.
    List<String> findings() {
        return findings;
    }

    /// Whether the kernel holds something else than we left there; all of it is looked at, now and then.
    boolean drifted() {
        boolean due = System.nanoTime() - compared >= options.compare().toNanos();
        if (known == null || !(due || told)) {
            return false;
        }
        told = false;
        Map<Object, IpvsEntry> before = known;
        observe();
        Map<Object, IpvsEntry> now = known;
        findings = differences(before, now);
        return !findings.isEmpty();
    }

    private static List<String> differences(Map<Object, IpvsEntry> before, Map<Object, IpvsEntry> now) {
        List<String> differences = new ArrayList<>();
        before.forEach((key, entry) -> {
            IpvsEntry other = now.get(key);
            if (other == null) {
                differences.add("missing: " + entry);
            } else if (!other.equals(entry)) {
                differences.add("changed: %s, was %s".formatted(other, entry));
            }
        });
        now.forEach((key, entry) -> {
            if (!before.containsKey(key)) {
                differences.add("not ours: " + entry);
            }
        });
        return List.copyOf(differences);
    }

    private <T extends IpvsEntry> void toNetfilter(BiConsumer<NetlinkWriter, T> write, List<T> entries) {
        NetlinkWriter writer = new NetlinkWriter();
        entries.forEach(entry -> write.accept(writer, entry));
        MessageApplier.send(sockets.netfilter(), writer, entries);
    }

    private void toIpvs(List<VirtualServer> servers, Operation deed) {
        NetlinkWriter writer = new NetlinkWriter();
        servers.forEach(server -> sockets.messages().write(writer, deed, server));
        MessageApplier.send(sockets.generic(), writer, servers);
    }

    private static <T extends IpvsEntry> List<T> those(List<IpvsEntry> entries, Class<T> type) {
        return entries.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static Member refusing(Ip ip) {
        return new Member(new SetName(ip.family(), Kind.IPVS_IPS), Element.of(ip), 0);
    }

    private static MarkRule rule(Lead lead) {
        return new MarkRule(lead.family(), lead.tag(), TABLE);
    }

    @Override
    public void close() {
        sockets.close();
    }
}
