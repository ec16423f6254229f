package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Protocol;
import io.fairlead.forwarding.AffinityTracer;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Packet.Entrance;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Trace;
import io.fairlead.forwarding.Trace.Delivery;
import io.fairlead.forwarding.Tracer;
import io.fairlead.testkit.FlowCheck;
import io.fairlead.testkit.Golden;
import io.fairlead.testkit.ModeMatrix;
import io.fairlead.testkit.RandomClusterCheck;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.testkit.Scenario;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// All five modes side by side, each as the layers it is made of: nothing differs that the table does not name. That
/// the kernel does what is traced here is shown by `ScenarioLabIT`.
@RequiresRoot // to find out which packet filter there is
final class ModeTableIT {
    private static final Path FILE = Path.of("src/main/resources/io/fairlead/sync/modes.txt");
    private static final String RELAY = "userspace";
    private static final String AT_CONNECT = "ebpf";

    static LongStream seeds() {
        return LongStream.rangeClosed(101, 105);
    }

    @Test
    void the_table_says_all_in_which_the_flows_of_the_scenarios_differ() {
        ModeMatrix matrix = new ModeMatrix(ProxyModes.names());
        Scenario.all().forEach(scenario -> ProxyModes.ALL.forEach(mode -> trace(scenario, mode, matrix)));
        Golden.check(FILE, matrix.text());
        assertThat(ModeTable.text()).isEqualTo(matrix.text());
        assertThat(Path.of("../../docs/reference/modes.md")).content().contains(matrix.text());
        assertThat(ModeMatrix.parse(matrix.text()).text()).isEqualTo(matrix.text());
    }

    private static void trace(Scenario scenario, Mode mode, ModeMatrix matrix) {
        FlowCheck.outcomes(scenario, node -> layered(mode, node.table(), node.facts()))
                .forEach((flow, outcome) -> {
                    Optional<String> difference =
                            ModeMatrix.difference(flow.outcome().toString(), outcome);
                    assertThat(difference)
                            .as("%s, %s: %s, but was: %s", scenario, mode.name(), flow, outcome)
                            .isPresent();
                    matrix.add(ModeMatrix.kind(scenario, flow), mode.name(), difference.orElseThrow());
                });
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void random_clusters_differ_in_nothing_that_the_table_does_not_name(long seed) {
        for (Mode mode : ProxyModes.ALL) {
            RandomClusterCheck.check(
                    seed,
                    (table, node) -> layered(mode, table, node),
                    (packet, wanted, actual) -> wanted.equals(actual)
                            || (mode.name().equals(RELAY) && isLikeARelay(packet, wanted, actual))
                            || (mode.name().equals(AT_CONNECT) && keepsItsSource(packet, wanted, actual)));
        }
    }

    /// The two differences that the table names of it: pods see the node, and SCTP is refused.
    private static boolean isLikeARelay(Packet packet, Trace wanted, Trace actual) {
        if (packet.protocol() == Protocol.SCTP) {
            return wanted instanceof Trace.Delivered && actual instanceof Trace.Refused;
        }
        return wanted instanceof Trace.Delivered(var some)
                && actual instanceof Trace.Delivered(var others)
                && others.stream().allMatch(Delivery::masqueraded)
                && targets(some).equals(targets(others));
    }

    /// The one that the table names of a mode that leads as a connection begins: a pod is seen with its own address.
    private static boolean keepsItsSource(Packet packet, Trace wanted, Trace actual) {
        return packet.entrance() != Entrance.INTERFACE
                && wanted instanceof Trace.Delivered(var some)
                && actual instanceof Trace.Delivered(var others)
                && some.stream().allMatch(Delivery::masqueraded)
                && targets(some).equals(targets(others));
    }

    private static Set<Object> targets(Set<Delivery> deliveries) {
        return deliveries.stream().map(Delivery::target).collect(Collectors.toSet());
    }

    /// What one layer leaves untouched meets the one below it.
    private static Tracer layered(Mode mode, ForwardingTable table, NodeFacts node) {
        List<Tracer> tracers = mode.layers().reversed().stream()
                .map(layer -> tracer(layer, table, node))
                .toList();
        return tracers.size() == 1 ? tracers.getFirst() : new Layered(tracers.getFirst(), tracers.getLast());
    }

    private static Tracer tracer(Mode.Layer layer, ForwardingTable table, NodeFacts node) {
        try (Backend<?> backend = layer.opener().apply(node)) {
            return tracer(backend, table, node);
        }
    }

    private static <E extends Entry> Tracer tracer(Backend<E> backend, ForwardingTable table, NodeFacts node) {
        return backend.compiler().tracer(Program.of(backend.compiler(), table), node);
    }

    private record Layered(Tracer first, Tracer below) implements AffinityTracer {
        @Override
        public Trace trace(Packet packet) {
            Trace trace = first.trace(packet);
            return trace instanceof Trace.Untouched ? below.trace(packet) : trace;
        }

        @Override
        public Set<List<Trace>> traceAll(List<Packet> packets) {
            boolean left = packets.stream().allMatch(packet -> first.trace(packet) instanceof Trace.Untouched);
            return left && below instanceof AffinityTracer tracer
                    ? tracer.traceAll(packets)
                    : Set.of(packets.stream().map(this::trace).toList());
        }
    }
}
