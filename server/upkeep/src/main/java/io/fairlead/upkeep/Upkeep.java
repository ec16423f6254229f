package io.fairlead.upkeep;

import io.fairlead.kinds.Stamp;
import io.fairlead.objects.ObjectDeletes;
import io.fairlead.objects.ObjectParts;
import io.fairlead.objects.ObjectWrites;
import io.fairlead.objects.WatchCache;
import io.fairlead.runtime.TaskGroup;
import java.util.List;
import java.util.Optional;

/// All that a server does by itself once it has started: loops that run until they are interrupted.
public final class Upkeep {
    private Upkeep() {}

    /// A loop, by the name that logs give it.
    public record Loop(String name, TaskGroup.Task body) {}

    /// `authorityPem` is the certificate that pods know the server by, where there is one.
    public static List<Loop> loops(ObjectParts parts, KubernetesService kubernetes, Optional<String> authorityPem) {
        WatchCache cache = parts.cache();
        ObjectWrites writes = parts.writes();
        ObjectDeletes deletes = parts.deletes();
        Stamp stamp = parts.stamp();
        return List.of(
                new Loop("kubernetes-service", kubernetes::run),
                new Loop("garbage", new GarbageCollector(cache, writes, deletes)::run),
                new Loop("namespace-contents", new NamespaceContents(cache, writes, authorityPem)::run),
                new Loop("namespaces", new NamespaceReaper(cache, writes, deletes, stamp)::run),
                new Loop(
                        "service-cidrs",
                        new ServiceCidrReaper(cache, parts.claiming().cidrs(), writes)::run),
                new Loop("claims", new ClaimRepair(cache, parts.claiming().claims(), stamp)::run),
                new Loop("events", new EventExpiry(cache, writes, stamp)::run),
                new Loop("disruption-budgets", parts.changes().evictions()::run),
                new Loop("compaction", new StoreCompaction(parts.store(), stamp)::run),
                new Loop("stored-fields", new StoredFields(cache, writes, parts.merges())::run),
                new Loop("releases", writes.releases()::run));
    }
}
