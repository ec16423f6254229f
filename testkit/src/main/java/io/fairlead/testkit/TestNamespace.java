package io.fairlead.testkit;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Entry;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.NetworkNamespace;
import java.util.List;
import java.util.function.Supplier;

/// A fresh network namespace, in which backends work and the usual tools show what they did.
public final class TestNamespace implements AutoCloseable {
    private final NetworkNamespace namespace =
            NetworkNamespace.create("flmachine" + ProcessHandle.current().pid());

    public NetworkNamespace namespace() {
        return namespace;
    }

    public <E extends Entry, B extends Backend<E>> NamespacedBackend<E, B> open(Supplier<B> opener) {
        return NamespacedBackend.open(namespace, opener);
    }

    /// What a tool prints inside; a failure of it is one of the test.
    public String run(String... words) {
        Command.Result result = namespace.call(() -> Command.run(List.of(words), ""));
        if (!result.succeeded()) {
            throw new AssertionError("%s: %s%s".formatted(String.join(" ", words), result.output(), result.errors()));
        }
        return result.output();
    }

    @Override
    public void close() {
        namespace.delete();
    }
}
