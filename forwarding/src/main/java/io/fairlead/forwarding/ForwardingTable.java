package io.fairlead.forwarding;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentMap;
import io.fairlead.api.Snapshot;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// All rows for one node, by Service; the semantics of Kubernetes end here.
///
/// A table knows the Snapshot it was made of, so that [#at] computes only the Services that changed since.
public final class ForwardingTable {
    private static final ForwardingTable EMPTY =
            new ForwardingTable(Snapshot.EMPTY, NodeFacts.of("", List.of()), PersistentMap.empty());

    private final Snapshot snapshot;
    private final NodeFacts node;
    private final PersistentMap<NamespacedName, List<Forwarding>> rows;

    private ForwardingTable(Snapshot snapshot, NodeFacts node, PersistentMap<NamespacedName, List<Forwarding>> rows) {
        this.snapshot = snapshot;
        this.node = node;
        this.rows = rows;
    }

    public static ForwardingTable empty() {
        return EMPTY;
    }

    public static ForwardingTable of(Snapshot snapshot, NodeFacts node) {
        return new ForwardingTable(Snapshot.EMPTY, node, PersistentMap.empty()).at(snapshot);
    }

    /// The table of `newer` for the same node.
    public ForwardingTable at(Snapshot newer) {
        PersistentMap<NamespacedName, List<Forwarding>> rows = this.rows;
        for (NamespacedName name : newer.servicesChangedSince(snapshot)) {
            List<Forwarding> now = newer.services()
                    .find(name)
                    .map(service -> ServiceRows.of(service, newer.slicesOf(name), node))
                    .orElse(List.of());
            rows = now.isEmpty() ? rows.without(name) : rows.with(name, now);
        }
        return new ForwardingTable(newer, node, rows);
    }

    /// The table of `newer` where the node may be another than before, in another zone: then all of it is computed.
    public ForwardingTable at(Snapshot newer, NodeFacts node) {
        return node.equals(this.node) ? at(newer) : of(newer, node);
    }

    public NodeFacts node() {
        return node;
    }

    public PersistentMap<NamespacedName, List<Forwarding>> rows() {
        return rows;
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
