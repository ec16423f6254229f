package io.fairlead.zone;

import io.fairlead.api.Ip;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentMap;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.zone.ServiceNames.Pointer;
import io.fairlead.zone.ZoneSettings.PodMode;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Every name with its records, and what is needed to know which of them a change touches.
///
/// `pointers` has the Services that say whose an address is, `namespaces` how many objects say that a namespace is
/// there, `pods` the pods at an address.
record ZoneNames(
        PersistentMap<Name, NameRecords> names,
        PersistentMap<NamespacedName, ServiceNames> byService,
        PersistentMap<Name, PersistentMap<NamespacedName, Pointer>> pointers,
        PersistentMap<String, Integer> namespaces,
        PersistentMap<Ip, PersistentMap<NamespacedName, NamespacedName>> pods) {
    private static final int VERSION_TTL = 28800;

    /// What is there without any object.
    static ZoneNames of(ZoneSettings settings) {
        Name origin = settings.origin();
        Name version = origin.child("dns-version");
        Name server = origin.child("dns").child("ns");
        List<ResourceRecord> addresses = settings.servers().stream()
                .map(ip -> ResourceRecord.of(server, settings.ttl(), ip))
                .toList();
        ResourceRecord nameServer = ResourceRecord.of(origin, RecordType.NS, settings.ttl(), server);
        PersistentMap<Name, NameRecords> names = PersistentMap.<Name, NameRecords>empty()
                .with(version, NameRecords.of(List.of(ResourceRecord.txt(version, VERSION_TTL, "1.1.0"))))
                .with(origin.child("svc"), NameRecords.EMPTY)
                .with(origin.child("pod"), NameRecords.EMPTY)
                .with(origin.child("dns"), NameRecords.EMPTY)
                .with(server, NameRecords.of(addresses))
                .with(origin, NameRecords.of(List.of(nameServer)));
        return new ZoneNames(
                names, PersistentMap.empty(), PersistentMap.empty(), PersistentMap.empty(), PersistentMap.empty());
    }

    ZoneNames at(Snapshot older, Snapshot newer, ZoneSettings settings) {
        Step step = new Step(this, settings);
        Set<NamespacedName> services = new HashSet<>();
        newer.services().changedSince(older.services(), services::add);
        services.forEach(name -> step.count(
                name.namespace(),
                older.services().contains(name),
                newer.services().contains(name)));
        newer.objects(Kind.NAMESPACE)
                .changedSince(
                        older.objects(Kind.NAMESPACE),
                        name -> step.count(
                                name.name(),
                                older.namespaces().contains(name),
                                newer.namespaces().contains(name)));
        newer.servicesChangedSince(older)
                .forEach(name -> step.service(
                        name,
                        newer.services()
                                .find(name)
                                .map(service -> ServiceNames.of(service, newer.slicesOf(name), settings))
                                .orElse(ServiceNames.NONE)));
        newer.pods()
                .changedSince(
                        older.pods(),
                        name -> step.pod(
                                name, older.pods().find(name), newer.pods().find(name)));
        return step.done();
    }

    /// The namespace of the one pod at an address: of several, which share that of their node, none is meant.
    Optional<String> namespaceOf(Ip address) {
        return pods.find(address)
                .filter(some -> some.size() == 1)
                .flatMap(some -> some.keys().findFirst())
                .map(NamespacedName::namespace);
    }

    /// The way from one Snapshot to the next.
    private static final class Step {
        private final ZoneSettings settings;
        private final Name services;
        private final Name podParent;
        private PersistentMap<Name, NameRecords> names;
        private PersistentMap<NamespacedName, ServiceNames> byService;
        private PersistentMap<Name, PersistentMap<NamespacedName, Pointer>> pointers;
        private PersistentMap<String, Integer> namespaces;
        private PersistentMap<Ip, PersistentMap<NamespacedName, NamespacedName>> pods;

        Step(ZoneNames before, ZoneSettings settings) {
            this.settings = settings;
            this.services = settings.origin().child("svc");
            this.podParent = settings.origin().child("pod");
            this.names = before.names;
            this.byService = before.byService;
            this.pointers = before.pointers;
            this.namespaces = before.namespaces;
            this.pods = before.pods;
        }

        void count(String namespace, boolean before, boolean now) {
            int known = namespaces.find(namespace).orElse(0);
            int count = known + (now ? 1 : 0) - (before ? 1 : 0);
            namespaces = count == 0 ? namespaces.without(namespace) : namespaces.with(namespace, count);
            if ((known == 0) != (count == 0)) {
                stand(services, namespace, count > 0);
                if (settings.pods() != PodMode.DISABLED) {
                    stand(podParent, namespace, count > 0);
                }
            }
        }

        private void stand(Name parent, String namespace, boolean there) {
            parent.findChild(namespace)
                    .ifPresent(name -> names = there ? names.with(name, NameRecords.EMPTY) : names.without(name));
        }

        void service(NamespacedName service, ServiceNames now) {
            ServiceNames before = byService.find(service).orElse(ServiceNames.NONE);
            for (Name name : before.names().keySet()) {
                if (!now.names().containsKey(name)) {
                    names = names.without(name);
                }
            }
            now.names().forEach((name, records) -> names = names.with(name, records));
            Set<Name> addresses = new HashSet<>(before.pointers().keySet());
            addresses.addAll(now.pointers().keySet());
            addresses.forEach(address ->
                    point(address, service, Optional.ofNullable(now.pointers().get(address))));
            byService = now.equals(ServiceNames.NONE) ? byService.without(service) : byService.with(service, now);
        }

        private void point(Name address, NamespacedName service, Optional<Pointer> now) {
            PersistentMap<NamespacedName, Pointer> before =
                    pointers.find(address).orElse(PersistentMap.empty());
            PersistentMap<NamespacedName, Pointer> all =
                    now.map(pointer -> before.with(service, pointer)).orElseGet(() -> before.without(service));
            pointers = all.isEmpty() ? pointers.without(address) : pointers.with(address, all);
            names = all.isEmpty() ? names.without(address) : names.with(address, pointerRecords(address, all));
        }

        private NameRecords pointerRecords(Name address, PersistentMap<NamespacedName, Pointer> all) {
            boolean ofService = all.values().anyMatch(Pointer::ofService);
            Set<Name> targets = new TreeSet<>();
            all.values()
                    .filter(pointer -> pointer.ofService() == ofService)
                    .forEach(pointer -> targets.addAll(pointer.targets()));
            return NameRecords.of(targets.stream()
                    .map(target -> ResourceRecord.of(address, RecordType.PTR, settings.ttl(), target))
                    .toList());
        }

        void pod(NamespacedName name, Optional<Pod> before, Optional<Pod> now) {
            Set<Ip> gone = new HashSet<>(addresses(before));
            gone.removeAll(addresses(now));
            gone.forEach(ip -> podAt(ip, name, false));
            addresses(now).forEach(ip -> podAt(ip, name, true));
        }

        private static List<Ip> addresses(Optional<Pod> pod) {
            return pod.filter(one -> !one.status().isOver())
                    .map(one -> one.status().podIps())
                    .orElse(List.of());
        }

        private void podAt(Ip ip, NamespacedName pod, boolean there) {
            PersistentMap<NamespacedName, NamespacedName> before = pods.find(ip).orElse(PersistentMap.empty());
            PersistentMap<NamespacedName, NamespacedName> all = there ? before.with(pod, pod) : before.without(pod);
            pods = all.isEmpty() ? pods.without(ip) : pods.with(ip, all);
            if (settings.pods() == PodMode.VERIFIED) {
                boolean known = all.keys().anyMatch(other -> other.namespace().equals(pod.namespace()));
                podParent
                        .findChild(pod.namespace())
                        .flatMap(parent -> parent.findChild(AddressNames.dashed(ip)))
                        .ifPresent(name -> names = known
                                ? names.with(name, NameRecords.of(List.of(ResourceRecord.of(name, settings.ttl(), ip))))
                                : names.without(name));
            }
        }

        ZoneNames done() {
            return new ZoneNames(names, byService, pointers, namespaces, pods);
        }
    }
}
