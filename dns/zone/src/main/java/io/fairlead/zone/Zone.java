package io.fairlead.zone;

import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentMap;
import io.fairlead.api.Snapshot;
import io.fairlead.zone.ZoneSettings.PodMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// All names of the cluster at one Snapshot; immutable.
///
/// A Zone knows the Snapshot it was made of, so that [#at] computes only the Services that changed since.
public final class Zone {
    /// How many aliases are followed before a chain counts as a loop.
    public static final int MAX_ALIASES = 8;

    private final Snapshot snapshot;
    private final ZoneSettings settings;
    private final ZoneNames names;
    private final Name podParent;
    private final Authority authority;

    private Zone(Snapshot snapshot, ZoneSettings settings, ZoneNames names) {
        this.snapshot = snapshot;
        this.settings = settings;
        this.names = names;
        this.podParent = settings.origin().child("pod");
        this.authority = Authority.of(settings, snapshot.revision());
    }

    public static Zone of(Snapshot snapshot, ZoneSettings settings) {
        return new Zone(Snapshot.EMPTY, settings, ZoneNames.of(settings)).at(snapshot);
    }

    /// The Zone of `newer`.
    public Zone at(Snapshot newer) {
        return new Zone(newer, settings, names.at(snapshot, newer, settings));
    }

    public ZoneSettings settings() {
        return settings;
    }

    /// The SOA record of this Zone, which denials carry.
    public Authority authority() {
        return authority;
    }

    /// How many names there are.
    public int size() {
        return names.names().size();
    }

    public ZoneAnswer answer(Name name, int type) {
        if (type == RecordType.SOA && name.equals(settings.origin())) {
            return ZoneAnswer.Found.of(List.of(authority.record()), List.of()); // differs with each Snapshot
        }
        NameRecords found = names.names().find(name).orElse(null);
        if (found != null) {
            return found.answer(type);
        }
        if (!name.isWithin(settings.origin())) {
            return ZoneAnswer.NOT_OURS;
        }
        if (settings.pods() == PodMode.INSECURE && name.isWithin(podParent)) {
            return pod(name, type);
        }
        return settings.zoneScoped() ? scoped(name, type) : ZoneAnswer.NO_SUCH_NAME;
    }

    /// Every address is the name of a pod in a namespace that is there.
    private ZoneAnswer pod(Name name, int type) {
        Name namespace = name.parent();
        boolean known = namespace.parent().equals(podParent) && names.names().contains(namespace);
        Optional<Ip> address = known ? AddressNames.undashed(name.first()) : Optional.empty();
        return address.map(ip -> NameRecords.of(List.of(ResourceRecord.of(name.copy(), settings.ttl(), ip)))
                        .answer(type))
                .orElse(ZoneAnswer.NO_SUCH_NAME);
    }

    /// A zone in which a headless Service has no endpoint: there is none to be pinned to, and any other to be
    /// preferred.
    private ZoneAnswer scoped(Name name, int type) {
        Name way = name.parent();
        Name scope = way.parent();
        if (!names.names().contains(way) || !scope.first().equals("_zone")) {
            return ZoneAnswer.NO_SUCH_NAME;
        }
        return way.first().equals("prefer") ? answer(scope.parent(), type) : ZoneAnswer.NO_DATA;
    }

    /// The records that answer a question when aliases within the Zone are followed; the last is an alias where the
    /// chain leaves the Zone.
    public List<ResourceRecord> chain(Name name, int type) {
        List<ResourceRecord> chain = new ArrayList<>();
        @Nullable Name at = name;
        for (int i = 0; i <= MAX_ALIASES && at != null; i++) {
            ZoneAnswer answer = answer(at, type);
            Name owner = at;
            at = null;
            if (answer instanceof ZoneAnswer.Found found) {
                chain.addAll(found.records(owner));
            } else if (answer instanceof ZoneAnswer.Alias(ZoneAnswer.Found alias, Name target)) {
                chain.addAll(alias.records(owner));
                at = type == RecordType.CNAME ? null : target;
            }
        }
        return chain;
    }

    /// The namespace of the pod that has an address, where pods are known.
    public Optional<String> namespaceOf(Ip address) {
        return names.namespaceOf(address);
    }

    Snapshot snapshot() {
        return snapshot;
    }

    PersistentMap<NamespacedName, ServiceNames> byService() {
        return names.byService();
    }

    PersistentMap<Name, NameRecords> names() {
        return names.names();
    }

    /// Every record as a line of a zone file, by name: what `dump zone` shows.
    public String text() {
        List<Name> sorted = new ArrayList<>(names.names().keys().toList());
        sorted.sort(null);
        return sorted.stream()
                .flatMap(name -> names.names().find(name).orElseThrow().records(name))
                .map(record -> record + "\n")
                .collect(Collectors.joining("", authority.record() + "\n", ""));
    }
}
