package io.fairlead.testkit;

import io.fairlead.forwarding.Abilities;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.Extent;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import io.fairlead.kernel.NetworkNamespace;
import java.util.function.Function;
import java.util.function.Supplier;

/// A backend that does all its work inside a network namespace, on whatever thread it is called.
public final class NamespacedBackend<E extends Entry, B extends Backend<E>> implements Backend<E> {
    private final NetworkNamespace namespace;
    private final B backend;

    private NamespacedBackend(NetworkNamespace namespace, B backend) {
        this.namespace = namespace;
        this.backend = backend;
    }

    public static <E extends Entry, B extends Backend<E>> NamespacedBackend<E, B> open(
            NetworkNamespace namespace, Supplier<B> opener) {
        return new NamespacedBackend<>(namespace, namespace.call(opener::get));
    }

    /// Asks the backend what its door does not offer, inside.
    public <R> R ask(Function<B, R> question) {
        return namespace.call(() -> question.apply(backend));
    }

    @Override
    public Support support() {
        return ask(Backend::support);
    }

    @Override
    public Compiler<E> compiler() {
        return backend.compiler();
    }

    @Override
    public Program<E> observe(Extent extent) {
        return ask(one -> one.observe(extent));
    }

    @Override
    public void apply(Patch<E> patch) {
        namespace.run(() -> backend.apply(patch));
    }

    /// As the backend says them; what they do is done on the thread that calls them.
    @Override
    public Abilities abilities() {
        return backend.abilities();
    }

    @Override
    public void close() {
        namespace.run(backend::close);
    }
}
