package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Trace;
import io.fairlead.forwarding.Tracer;

/// Makes clusters at random, and checks that a backend's rules give each packet the verdict, the targets and
/// the source address that the forwarding table says.
public final class RandomClusterCheck {
    private static final int PACKETS = 100;

    private RandomClusterCheck() {}

    /// Plays what a backend makes of a table on one node.
    public interface Player {
        Tracer play(ForwardingTable table, NodeFacts node);
    }

    /// Whether what became of a packet is what the table says, as far as a mode can differ from it.
    public interface Likeness {
        boolean isLike(Packet packet, Trace wanted, Trace actual);
    }

    /// One cluster; the same seed gives the same one.
    public static void check(long seed, Player player) {
        check(seed, player, (_, wanted, actual) -> wanted.equals(actual));
    }

    /// One cluster for a mode that may differ by its nature.
    public static void check(long seed, Player player, Likeness likeness) {
        RandomServices services = new RandomServices(seed);
        Snapshot snapshot = services.snapshot();
        MemoryCompiler rows = new MemoryCompiler();
        for (NodeFacts node : services.nodes()) {
            ForwardingTable table = ForwardingTable.of(snapshot, node);
            Tracer expected = new MemoryTracer(Program.of(rows, table), node);
            Tracer actual = player.play(table, node);
            RandomPackets packets = services.packets(node, table);
            for (int i = 0; i < PACKETS; i++) {
                Packet packet = packets.packet();
                Trace wanted = expected.trace(packet);
                assertThat(actual.trace(packet))
                        .as("seed %d, %s: %s is %s in\n%s", seed, node.name(), packet, wanted, table.text())
                        .matches(trace -> likeness.isLike(packet, wanted, trace), "is like it");
            }
        }
    }
}
