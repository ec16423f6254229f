package io.fairlead.testkit;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import java.util.List;

/// A cluster at random: Services of all types and policies, endpoints in all states, one to five nodes; and packets.
///
/// The same seed gives the same cluster.
final class RandomServices {
    static final int SERVICES = 8;

    private final Dice dice;
    private final List<NodeFacts> nodes;
    private final Snapshot snapshot;

    RandomServices(long seed) {
        this.dice = new Dice(seed);
        this.nodes = new RandomNodes(dice).nodes();
        this.snapshot = snapshot(nodes.size(), dice);
    }

    List<NodeFacts> nodes() {
        return nodes;
    }

    Snapshot snapshot() {
        return snapshot;
    }

    /// What `node` may see, whose table this is.
    RandomPackets packets(NodeFacts node, ForwardingTable table) {
        return new RandomPackets(dice, node, RandomNodes.podNetworks(nodes.indexOf(node)), table);
    }

    private static Snapshot snapshot(int nodes, Dice dice) {
        Snapshot snapshot = Snapshot.EMPTY;
        for (int number = 0; number < SERVICES; number++) {
            RandomService service = new RandomService(number, dice);
            snapshot = snapshot.with(service.service());
            for (EndpointSlice slice : new RandomSlices(service, nodes, dice).slices()) {
                snapshot = snapshot.with(slice);
            }
        }
        return snapshot;
    }
}
