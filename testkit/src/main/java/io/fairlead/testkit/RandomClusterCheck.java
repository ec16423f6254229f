package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Program;
import java.util.function.BiFunction;
import java.util.function.Function;

/// Makes clusters at random, and checks that a backend's rules give each packet the verdict, the targets and the source
/// address that the forwarding table says.
public final class RandomClusterCheck {
    private static final int PACKETS = 150;

    private RandomClusterCheck() {}

    /// One cluster; `tracer` plays the program of one of its nodes.
    public static <E extends Entry> void check(
            long seed, Function<NodeFacts, Backend<E>> open, BiFunction<Program<E>, NodeFacts, PacketTracer> tracer) {
        RandomServices services = new RandomServices(seed);
        Snapshot snapshot = services.snapshot();
        MemoryBackend rows = new MemoryBackend(new MemoryKernel());
        for (NodeFacts node : services.nodes()) {
            ForwardingTable table = ForwardingTable.of(snapshot, node);
            PacketTracer expected = new MemoryTracer(Program.of(rows, table), node);
            try (Backend<E> backend = open.apply(node)) {
                PacketTracer actual = tracer.apply(Program.of(backend, table), node);
                for (int i = 0; i < PACKETS; i++) {
                    Packet packet = services.packet(node);
                    assertThat(actual.trace(packet))
                            .as("seed %d, %s: %s in\n%s", seed, node.name(), packet, table.text())
                            .isEqualTo(expected.trace(packet));
                }
            }
        }
    }
}
