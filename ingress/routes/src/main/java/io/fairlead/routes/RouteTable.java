package io.fairlead.routes;

import io.fairlead.api.Ingress;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentMap;
import io.fairlead.api.Snapshot;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Host and path to Service, for all Ingresses of ours; the semantics of Ingress end here.
///
/// A table knows the Snapshot it was made of, so that [#at] computes only the hosts, Services and certificates
/// that changed since.
public final class RouteTable {
    private final Snapshot snapshot;
    private final IngressOwnership ownership;
    private final PersistentMap<NamespacedName, IngressEntry> entries;
    private final Indexes indexes;
    private final PersistentMap<String, HostRoutes> hosts;
    private final PersistentMap<ServicePort, ServiceUpstream> upstreams;
    private final PersistentMap<String, Certificate> certificates;

    /// Who uses what.
    private record Indexes(
            Users<String> hosts,
            Users<String> tlsHosts,
            Users<ServicePort> targets,
            Users<NamespacedName> services,
            Users<Settled.Need> needs) {
        static final Indexes NONE = new Indexes(Users.none(), Users.none(), Users.none(), Users.none(), Users.none());

        Indexes with(IngressEntry entry) {
            NamespacedName name = entry.name();
            return new Indexes(
                    hosts.with(entry.hosts(), name),
                    tlsHosts.with(entry.tlsHosts(), name),
                    targets.with(entry.targets(), name),
                    services.with(servicesOf(entry), name),
                    needs.with(entry.allNeeds(), name));
        }

        Indexes without(IngressEntry entry) {
            NamespacedName name = entry.name();
            return new Indexes(
                    hosts.without(entry.hosts(), name),
                    tlsHosts.without(entry.tlsHosts(), name),
                    targets.without(entry.targets(), name),
                    services.without(servicesOf(entry), name),
                    needs.without(entry.allNeeds(), name));
        }

        private static Set<NamespacedName> servicesOf(IngressEntry entry) {
            Set<NamespacedName> services = new TreeSet<>();
            entry.targets().forEach(target -> services.add(target.service()));
            return services;
        }
    }

    /// What must be computed anew.
    private record Dirt(Set<String> hosts, Set<String> tlsHosts, Set<ServicePort> targets) {
        void add(IngressEntry entry) {
            hosts.addAll(entry.hosts());
            tlsHosts.addAll(entry.tlsHosts());
            targets.addAll(entry.targets());
        }
    }

    private RouteTable(
            Snapshot snapshot,
            IngressOwnership ownership,
            PersistentMap<NamespacedName, IngressEntry> entries,
            Indexes indexes,
            PersistentMap<String, HostRoutes> hosts,
            PersistentMap<ServicePort, ServiceUpstream> upstreams,
            PersistentMap<String, Certificate> certificates) {
        this.snapshot = snapshot;
        this.ownership = ownership;
        this.entries = entries;
        this.indexes = indexes;
        this.hosts = hosts;
        this.upstreams = upstreams;
        this.certificates = certificates;
    }

    public static RouteTable of(Snapshot snapshot, IngressOwnership ownership) {
        return new RouteTable(
                        Snapshot.EMPTY,
                        ownership,
                        PersistentMap.empty(),
                        Indexes.NONE,
                        PersistentMap.empty(),
                        PersistentMap.empty(),
                        PersistentMap.empty())
                .next(snapshot);
    }

    /// The table of `newer`, for the same owner.
    public RouteTable at(Snapshot newer) {
        boolean sameClasses = newer.ingressClasses().equals(snapshot.ingressClasses());
        return sameClasses ? next(newer) : of(newer, ownership);
    }

    /// The table of `newer` where what is ours may be another than before: then all of it is computed.
    public RouteTable at(Snapshot newer, IngressOwnership ownership) {
        return ownership.equals(this.ownership) ? at(newer) : of(newer, ownership);
    }

    private RouteTable next(Snapshot newer) {
        Set<NamespacedName> changed = changedIngresses(newer);
        Dirt dirt = new Dirt(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        PersistentMap<NamespacedName, IngressEntry> entries = this.entries;
        Indexes indexes = this.indexes;
        for (NamespacedName name : changed) {
            Optional<IngressEntry> before = entries.find(name);
            if (before.isPresent()) {
                dirt.add(before.get());
                indexes = indexes.without(before.get());
                entries = entries.without(name);
            }
            Optional<Ingress> ours = newer.ingresses().find(name).filter(ingress -> ownership.owns(newer, ingress));
            if (ours.isPresent()) {
                IngressEntry after = IngressEntry.of(newer, ours.get(), ownership);
                dirt.add(after);
                indexes = indexes.with(after);
                entries = entries.with(name, after);
            }
        }
        addServices(newer, indexes, entries, dirt);
        return computed(newer, entries, indexes, dirt);
    }

    private Set<NamespacedName> changedIngresses(Snapshot newer) {
        Set<NamespacedName> changed = new HashSet<>();
        newer.ingresses().changedSince(snapshot.ingresses(), changed::add);
        newer.secrets().changedSince(snapshot.secrets(), users(Kind.SECRET, changed));
        newer.configMaps().changedSince(snapshot.configMaps(), users(Kind.CONFIG_MAP, changed));
        return changed;
    }

    private Consumer<NamespacedName> users(Kind kind, Set<NamespacedName> into) {
        return name -> into.addAll(indexes.needs.of(new Settled.Need(kind, name)));
    }

    private void addServices(
            Snapshot newer, Indexes indexes, PersistentMap<NamespacedName, IngressEntry> entries, Dirt dirt) {
        for (NamespacedName service : newer.servicesChangedSince(snapshot)) {
            boolean itself =
                    !newer.services().find(service).equals(snapshot.services().find(service));
            for (NamespacedName user : indexes.services.of(service)) {
                Optional<IngressEntry> entry = entries.find(user);
                entry.ifPresent(found -> found.targets().stream()
                        .filter(target -> target.service().equals(service))
                        .forEach(dirt.targets::add));
                entry.filter(_ -> itself).ifPresent(found -> dirt.hosts.addAll(found.hosts()));
            }
        }
    }

    private RouteTable computed(
            Snapshot newer, PersistentMap<NamespacedName, IngressEntry> entries, Indexes indexes, Dirt dirt) {
        PersistentMap<String, HostRoutes> hosts = this.hosts;
        for (String host : dirt.hosts) {
            HostRoutes routes = HostRoutes.of(host, found(entries, indexes.hosts.of(host)), newer);
            hosts = routes.isEmpty() && routes.conflicts().isEmpty() ? hosts.without(host) : hosts.with(host, routes);
        }
        PersistentMap<ServicePort, ServiceUpstream> upstreams = this.upstreams;
        for (ServicePort target : dirt.targets) {
            upstreams = indexes.targets.of(target).isEmpty()
                    ? upstreams.without(target)
                    : upstreams.with(target, ServiceUpstream.of(newer, target));
        }
        PersistentMap<String, Certificate> certificates = this.certificates;
        for (String host : dirt.tlsHosts) {
            Optional<Certificate> certificate = certificate(newer, host, found(entries, indexes.tlsHosts.of(host)));
            certificates =
                    certificate.isEmpty() ? certificates.without(host) : certificates.with(host, certificate.get());
        }
        return new RouteTable(newer, ownership, entries, indexes, hosts, upstreams, certificates);
    }

    private static List<IngressEntry> found(
            PersistentMap<NamespacedName, IngressEntry> entries, Set<NamespacedName> names) {
        return names.stream().map(entries::find).flatMap(Optional::stream).toList();
    }

    private static Optional<Certificate> certificate(Snapshot snapshot, String host, List<IngressEntry> entries) {
        return entries.stream()
                .filter(IngressEntry::isServed)
                .sorted(IngressEntry.BY_AGE)
                .flatMap(entry -> entry.ingress().tls().stream()
                        .filter(tls -> tls.hosts().contains(host))
                        .map(tls -> new NamespacedName(entry.name().namespace(), tls.secretName())))
                .flatMap(name -> snapshot.secrets().find(name).flatMap(Certificate::find).stream())
                .findFirst();
    }

    public Snapshot snapshot() {
        return snapshot;
    }

    public PersistentMap<String, HostRoutes> hosts() {
        return hosts;
    }

    public PersistentMap<ServicePort, ServiceUpstream> upstreams() {
        return upstreams;
    }

    /// By host; `*.example.com` is a key like any other.
    public PersistentMap<String, Certificate> certificates() {
        return certificates;
    }

    /// Every Ingress that is ours, whether it is served or not.
    public Stream<Ingress> ingresses() {
        return entries.values().map(IngressEntry::ingress);
    }

    /// Why an Ingress is not served, or not all of it; those without a fault are left out.
    public Map<NamespacedName, List<String>> faults() {
        Map<NamespacedName, List<String>> faults = new TreeMap<>();
        entries.values()
                .filter(entry -> !entry.problems().isEmpty())
                .forEach(entry -> faults.put(entry.name(), entry.problems()));
        return faults;
    }

    public List<HostRoutes.Conflict> conflicts() {
        return hosts.values().flatMap(host -> host.conflicts().stream()).toList();
    }

    /// True if both serve the same Ingresses by the same routes; endpoints and certificates may differ.
    public boolean hasRoutesOf(RouteTable other) {
        return entries.equals(other.entries) && hosts.equals(other.hosts);
    }

    /// The profiles that routes need.
    public Set<Profile> profiles() {
        Set<Profile> profiles = new HashSet<>();
        hosts.values()
                .flatMap(host -> Stream.concat(host.routes().stream(), host.fallback().stream()))
                .forEach(route -> profiles.add(route.profile()));
        return profiles;
    }

    /// The routes that a host name leads to: its own, those of a wildcard one label up, or those of every host.
    public Optional<HostRoutes> find(String host) {
        int dot = host.indexOf('.');
        return hosts.find(host)
                .filter(routes -> !routes.isEmpty())
                .or(() -> dot < 0 ? Optional.empty() : hosts.find("*" + host.substring(dot)))
                .or(() -> hosts.find(IngressEntry.ANY_HOST));
    }

    /// What becomes of a request.
    public RequestOutcome answer(Request request) {
        return Answers.of(this, request);
    }
}
