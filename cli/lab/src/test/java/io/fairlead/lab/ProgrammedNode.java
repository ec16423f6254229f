package io.fairlead.lab;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.Extent;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.testkit.ScenarioNode;
import java.util.List;
import java.util.function.Function;

/// A node whose kernel was programmed by a backend, as its proxy would do it.
final class ProgrammedNode implements AutoCloseable {
    private final NetworkNamespace namespace;
    private final List<Backend<?>> layers;

    private ProgrammedNode(NetworkNamespace namespace, List<Backend<?>> layers) {
        this.namespace = namespace;
        this.layers = layers;
    }

    /// `open` gives the layers, the lowest first.
    static ProgrammedNode of(
            NetworkNamespace namespace, ScenarioNode node, Function<NodeFacts, List<Backend<?>>> open) {
        List<Backend<?>> layers = namespace.call(() -> open.apply(node.facts()));
        ProgrammedNode programmed = new ProgrammedNode(namespace, layers);
        namespace.run(() -> layers.forEach(layer -> apply(layer, node)));
        return programmed;
    }

    private static <E extends Entry> void apply(Backend<E> backend, ScenarioNode node) {
        backend.apply(Patch.between(backend.observe(Extent.BASELINE), Program.of(backend.compiler(), node.table())));
    }

    private static <E extends Entry> void remove(Backend<E> backend) {
        try (backend) {
            backend.apply(Patch.between(backend.observe(), Program.of(List.of())));
        }
    }

    @Override
    public void close() {
        namespace.run(() -> layers.reversed().forEach(ProgrammedNode::remove));
    }
}
