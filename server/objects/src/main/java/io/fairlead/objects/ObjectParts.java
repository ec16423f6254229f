package io.fairlead.objects;

import io.fairlead.api.Cidr;
import io.fairlead.api.Kind;
import io.fairlead.kinds.KindTable;
import io.fairlead.kinds.Stamp;
import io.fairlead.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The parts of this room, put together for one store: what rules, claims, writes and deletes objects.
public record ObjectParts(Source source, KindTable kinds, KindMerges merges, Claiming claiming, Changes changes) {
    /// Where objects are and come from.
    public record Source(Store store, WatchCache cache, Stamp stamp) {}

    /// What is given to Services, and out of which blocks.
    public record Claiming(Claims claims, ServiceCidrs cidrs) {}

    /// What objects may have: the range of node ports, the blocks that external addresses of Services are from if they
    /// may not be any, and further conditions.
    public record Admitting(PortRange nodePorts, Optional<List<Cidr>> externalIps, List<Admission> admissions) {}

    /// What changes objects.
    public record Changes(ObjectWrites writes, ObjectDeletes deletes, Evictions evictions) {}

    /// The kinds of which a cache is kept: all that are served, and the claims of node ports.
    public static List<Kind> cached() {
        List<Kind> kinds = new ArrayList<>(Kind.ALL);
        kinds.add(Claims.NODE_PORTS);
        return kinds;
    }

    public static ObjectParts of(Source source, KindTable kinds, Admitting admitting) {
        Claims claims = new Claims(source.store, source.cache, source.stamp);
        ServiceCidrs cidrs = new ServiceCidrs(source.cache);
        ServiceAllocator allocator = new ServiceAllocator(
                claims,
                cidrs,
                source.stamp,
                admitting.nodePorts,
                new ClusterAddresses(source.cache, cidrs, admitting.externalIps));
        KindMerges merges = new KindMerges();
        ObjectWrites writes = new ObjectWrites(
                source.store,
                source.cache,
                kinds,
                merges,
                Map.of(Kind.SERVICE, allocator),
                admitting.admissions,
                source.stamp);
        ObjectDeletes deletes = new ObjectDeletes(writes, kinds, source.stamp);
        Evictions evictions = new Evictions(new DisruptionBudgets(source.cache, source.stamp), writes);
        return new ObjectParts(
                source, kinds, merges, new Claiming(claims, cidrs), new Changes(writes, deletes, evictions));
    }

    public Store store() {
        return source.store;
    }

    public WatchCache cache() {
        return source.cache;
    }

    public Stamp stamp() {
        return source.stamp;
    }

    public ObjectWrites writes() {
        return changes.writes;
    }

    public ObjectDeletes deletes() {
        return changes.deletes;
    }
}
