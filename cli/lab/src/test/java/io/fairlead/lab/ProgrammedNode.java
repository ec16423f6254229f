package io.fairlead.lab;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.Extent;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.testkit.ScenarioNode;
import java.util.function.Function;

/// A node whose kernel was programmed by a backend, as its proxy would do it.
final class ProgrammedNode implements AutoCloseable {
    private final NetworkNamespace namespace;
    private final Backend<?> backend;

    private ProgrammedNode(NetworkNamespace namespace, Backend<?> backend) {
        this.namespace = namespace;
        this.backend = backend;
    }

    static ProgrammedNode of(NetworkNamespace namespace, ScenarioNode node, Function<NodeFacts, Backend<?>> open) {
        Backend<?> backend = namespace.call(() -> open.apply(node.facts()));
        ProgrammedNode programmed = new ProgrammedNode(namespace, backend);
        namespace.run(() -> apply(backend, node));
        return programmed;
    }

    private static <E extends Entry> void apply(Backend<E> backend, ScenarioNode node) {
        backend.apply(Patch.between(backend.observe(Extent.BASELINE), Program.of(backend.compiler(), node.table())));
    }

    @Override
    public void close() {
        namespace.run(backend::close);
    }
}
