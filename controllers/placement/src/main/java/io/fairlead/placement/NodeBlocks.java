package io.fairlead.placement;

import io.fairlead.api.Cidr;
import io.fairlead.api.EventDraft;
import io.fairlead.api.Family;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Lookup;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Gives each node that has none a block of addresses for its pods, out of the cluster's own: a /24 of IPv4, a /64 of
/// IPv6. What a node once has it keeps, and no two get the same.
///
/// Its one object is the round: nodes that come together are given theirs one after the other.
public final class NodeBlocks implements Controller {
    private static final NamespacedName ROUND = new NamespacedName("", "round");

    private final List<Cidr> cluster;

    /// `cluster` holds one block of each family, or none where nodes bring their own.
    public NodeBlocks(List<Cidr> cluster) {
        this.cluster = List.copyOf(cluster);
    }

    @Override
    public String name() {
        return "node-blocks";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        boolean anyWaits = Lookup.changed(Kind.NODE, before, now).stream()
                .anyMatch(name -> now.nodes().find(name).filter(this::waits).isPresent());
        return anyWaits ? Set.of(ROUND) : Set.of();
    }

    private boolean waits(Node node) {
        return !cluster.isEmpty()
                && node.podCidrs().isEmpty()
                && !node.metadata().isTerminating();
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        List<Cidr> taken = new ArrayList<>(
                now.nodes().values().flatMap(node -> node.podCidrs().stream()).toList());
        List<Write> writes = new ArrayList<>();
        for (Node node : waiting(now)) {
            List<Cidr> blocks =
                    cluster.stream().flatMap(all -> free(all, taken).stream()).toList();
            writes.add(blocks.size() == cluster.size() ? given(node, blocks) : refused(node));
            taken.addAll(blocks);
        }
        return writes;
    }

    private List<Node> waiting(Snapshot now) {
        return now.nodes()
                .values()
                .filter(this::waits)
                .sorted(Comparator.comparing(Node::name))
                .toList();
    }

    private static Optional<Cidr> free(Cidr all, List<Cidr> taken) {
        int length = Math.max(all.prefix(), all.family() == Family.IPV4 ? 24 : 64);
        // Each block that is taken spoils some of the candidates, so that the search ends soon after the last of them.
        return LongStream.range(0, all.blocks(length))
                .mapToObj(index -> all.block(length, index))
                .filter(block -> taken.stream().noneMatch(block::overlaps))
                .findFirst();
    }

    private static Write given(Node node, List<Cidr> blocks) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata")
                .put("resourceVersion", node.metadata().revision().toString());
        ObjectNode spec =
                patch.putObject("spec").put("podCIDR", blocks.getFirst().toString());
        ArrayNode list = spec.putArray("podCIDRs");
        blocks.forEach(block -> list.add(block.toString()));
        return new Write.MergePatch(Kind.NODE, node.key(), patch);
    }

    private Write refused(Node node) {
        String all = String.join(",", cluster.stream().map(Cidr::toString).toList());
        return new Write.Report(new EventDraft(
                Kind.NODE,
                node.key(),
                node.metadata().uid(),
                "Warning",
                "CIDRNotAvailable",
                "No block of addresses for pods is left in %s.".formatted(all)));
    }
}
