package io.fairlead.sync;

import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.Extent;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Wake;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One layer at work: its backend, and what of it stands in the kernel.
///
/// It belongs to one thread, but for [#doubt].
final class Programmer<E extends Entry> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Programmer.class);

    private final String layer;
    private final Backend<E> backend;
    private final ConnectionTotals totals;
    private @Nullable Program<E> wanted;
    private @Nullable Program<E> applied;
    private volatile boolean doubted;

    /// `totals` keep what the backend has counted.
    Programmer(String layer, Backend<E> backend, ConnectionTotals totals) {
        this.layer = layer;
        this.backend = backend;
        this.totals = totals;
    }

    String layer() {
        return layer;
    }

    Backend<E> backend() {
        return backend;
    }

    /// Brings the kernel to `table`, and gives what then stands in it. After an [ApplyException] the kernel is
    /// asked anew what it holds.
    Program<E> sync(ForwardingTable table) {
        if (doubted) {
            doubted = false;
            applied = null;
        }
        Compiler<E> compiler = backend.compiler();
        Program<E> next = wanted == null ? Program.of(compiler, table) : wanted.at(table, compiler);
        wanted = next;
        apply(next);
        return next;
    }

    /// Takes all that is ours of this layer out of the kernel; true if there was anything.
    boolean withdraw() {
        Patch<E> patch = Patch.between(backend.observe(), Program.of(List.of()));
        applied = null;
        if (!patch.isEmpty()) {
            backend.apply(patch);
        }
        return !patch.isEmpty();
    }

    /// In how long the backend wants to be called again.
    Optional<Duration> nextLook() {
        return backend.abilities().wake().flatMap(Wake::nextLook);
    }

    /// Has the backend do what time has brought. One that fails is read back by the next round.
    void look() {
        try {
            backend.abilities().wake().ifPresent(Wake::look);
        } catch (ApplyException e) {
            doubt();
            throw e;
        }
    }

    /// Another program may have changed what stands in the kernel: the next round looks.
    void doubt() {
        doubted = true;
    }

    private void apply(Program<E> next) {
        Program<E> before = applied == null ? backend.observe(Extent.BASELINE) : applied;
        applied = null; // unless it succeeds we do not know what the kernel took
        Patch<E> patch = Patch.between(before, next);
        if (!patch.isEmpty()) {
            List<ConnectionCount> ending = ending(patch);
            totals.account(ending);
            backend.apply(patch);
            totals.forget(ending);
        }
        applied = next;
    }

    /// What the counters show that this patch ends; that they cannot be read stops no patch.
    private List<ConnectionCount> ending(Patch<E> patch) {
        try {
            return backend.abilities()
                    .counters()
                    .map(counters -> counters.ending(patch))
                    .orElse(List.of());
        } catch (ApplyException e) {
            LOG.warn("event=connections-not-counted layer={} reason=\"{}\"", layer, e.getMessage());
            return List.of();
        }
    }

    @Override
    public void close() {
        backend.close();
    }
}
