package io.fairlead.forwarding;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentMap;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.Contest.Claim;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// All rows for one node, by Service; the semantics of Kubernetes end here.
///
/// A table knows the Snapshot it was made of, so that [#at] computes only the Services that changed since.
public final class ForwardingTable {
    private static final ForwardingTable EMPTY = of(Snapshot.EMPTY, NodeFacts.of("", List.of()));

    private final Snapshot snapshot;
    private final NodeFacts node;
    private final PersistentMap<NamespacedName, List<Forwarding>> rows;
    private final PersistentMap<NamespacedName, HealthCheck> healthChecks;
    private final Contest contest;

    private ForwardingTable(
            Snapshot snapshot,
            NodeFacts node,
            PersistentMap<NamespacedName, List<Forwarding>> rows,
            PersistentMap<NamespacedName, HealthCheck> healthChecks,
            Contest contest) {
        this.snapshot = snapshot;
        this.node = node;
        this.rows = rows;
        this.healthChecks = healthChecks;
        this.contest = contest;
    }

    public static ForwardingTable empty() {
        return EMPTY;
    }

    public static ForwardingTable of(Snapshot snapshot, NodeFacts node) {
        return new ForwardingTable(Snapshot.EMPTY, node, PersistentMap.empty(), PersistentMap.empty(), Contest.NONE)
                .at(snapshot);
    }

    /// The table of `newer` for the same node.
    public ForwardingTable at(Snapshot newer) {
        Set<NamespacedName> names = newer.servicesChangedSince(snapshot);
        List<OfService> changed =
                new ArrayList<>(Many.of(names).map(name -> of(newer, name)).toList());
        Set<NamespacedName> touched = new LinkedHashSet<>();
        Contest contest = this.contest;
        for (OfService now : changed) {
            Claim before = snapshot.services()
                    .find(now.name)
                    .filter(ServiceRows::isOurs)
                    .map(Claim::of)
                    .orElseGet(() -> Claim.none(now.name));
            if (!before.equals(now.wish)) {
                contest = contest.with(before, now.wish, touched::add);
            }
        }
        touched.removeAll(names);
        touched.forEach(name -> changed.add(of(newer, name)));
        newer.pods().changedSince(snapshot.pods(), pod -> changed.add(ofPod(newer, pod)));
        return with(newer, changed, contest);
    }

    /// What the host ports of one pod give.
    private OfService ofPod(Snapshot newer, NamespacedName pod) {
        List<Forwarding> rows = newer.pods()
                .find(pod)
                .map(found -> HostPortRows.of(found, node))
                .orElse(List.of());
        return new OfService(HostPortRows.key(pod), rows, Optional.empty(), Claim.none(HostPortRows.key(pod)));
    }

    private ForwardingTable with(Snapshot newer, List<OfService> changed, Contest contest) {
        PersistentMap<NamespacedName, List<Forwarding>> rows = this.rows;
        PersistentMap<NamespacedName, HealthCheck> healthChecks = this.healthChecks;
        Map<NamespacedName, List<Forwarding>> more = new HashMap<>();
        for (OfService now : changed) {
            List<Forwarding> won = contest.won(now.name, now.rows);
            if (won.isEmpty()) {
                rows = rows.without(now.name);
            } else {
                more.put(now.name, won);
            }
            healthChecks =
                    now.check.isEmpty() ? healthChecks.without(now.name) : healthChecks.with(now.name, now.check.get());
        }
        return new ForwardingTable(newer, node, rows.withAll(more), healthChecks, contest);
    }

    /// What one Service gives, and what it wants of places that others may want too.
    private record OfService(NamespacedName name, List<Forwarding> rows, Optional<HealthCheck> check, Claim wish) {}

    private OfService of(Snapshot newer, NamespacedName name) {
        Optional<Service> service = newer.services().find(name).filter(ServiceRows::isOurs);
        if (service.isEmpty()) {
            return new OfService(name, List.of(), Optional.empty(), Claim.none(name));
        }
        Service found = service.get();
        List<EndpointSlice> slices = newer.slicesOf(name);
        return new OfService(
                name, ServiceRows.of(found, slices, node), HealthCheck.find(found, slices, node), Claim.of(found));
    }

    /// The table of `newer` where the node may be another than before, in another zone: then all of it is
    /// computed.
    public ForwardingTable at(Snapshot newer, NodeFacts node) {
        return node.equals(this.node) ? at(newer) : of(newer, node);
    }

    Snapshot snapshot() {
        return snapshot;
    }

    public NodeFacts node() {
        return node;
    }

    public PersistentMap<NamespacedName, List<Forwarding>> rows() {
        return rows;
    }

    /// Those of which there is a row.
    public Set<Family> families() {
        Set<Family> families = EnumSet.noneOf(Family.class);
        rows.values()
                .flatMap(List::stream)
                .forEach(row -> families.add(row.frontend().family()));
        return families;
    }

    /// Whether a connection to this port of a Service may be sent to `target`.
    public boolean leads(ServicePortName port, IpPort target) {
        return rows.find(port.service()).orElse(List.of()).stream()
                .filter(row -> row.service().equals(port))
                .flatMap(row -> Stream.of(row.verdict(), row.inside()))
                .anyMatch(verdict -> verdict instanceof Verdict.SendTo(List<Target> targets)
                        && targets.stream().anyMatch(known -> known.address().equals(target)));
    }

    /// What load balancers may ask this node, by Service.
    public PersistentMap<NamespacedName, HealthCheck> healthChecks() {
        return healthChecks;
    }

    /// Every row, by Service.
    public Stream<Forwarding> all() {
        return rows.keys().sorted().map(rows::find).flatMap(Optional::stream).flatMap(List::stream);
    }

    /// The text that `forwarding.txt` of a scenario and `dump` show.
    public String text() {
        return ForwardingText.format(this);
    }
}
