package io.fairlead.sync;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One mode at work: its backend, and what of it stands in the kernel.
///
/// It belongs to one thread, but for [#doubt].
final class Programmer<E extends Entry> implements AutoCloseable {
    private final String mode;
    private final Backend<E> backend;
    private final ConnectionTotals totals;
    private @Nullable Program<E> wanted;
    private @Nullable Program<E> applied;
    private volatile boolean doubted;

    /// `totals` keep what the backend has counted.
    Programmer(String mode, Backend<E> backend, ConnectionTotals totals) {
        this.mode = mode;
        this.backend = backend;
        this.totals = totals;
    }

    String mode() {
        return mode;
    }

    Backend<E> backend() {
        return backend;
    }

    /// Brings the kernel to `table`, and gives what then stands in it. After an [ApplyException] the kernel is asked
    /// anew what it holds.
    Program<E> sync(ForwardingTable table) {
        if (doubted) {
            doubted = false;
            applied = null;
        }
        Program<E> next = wanted == null ? Program.of(backend, table) : wanted.at(table, backend);
        wanted = next;
        apply(next);
        return next;
    }

    /// Takes all that is ours of this mode out of the kernel; true if there was anything.
    boolean withdraw() {
        Patch<E> patch = Patch.between(backend.observe(), Program.of(List.of()));
        applied = null;
        if (!patch.isEmpty()) {
            backend.apply(patch);
        }
        return !patch.isEmpty();
    }

    /// Somebody may have changed what stands in the kernel: the next round looks.
    void doubt() {
        doubted = true;
    }

    private void apply(Program<E> next) {
        Program<E> before = applied == null ? backend.baseline() : applied;
        applied = null; // unless it succeeds we do not know what the kernel took
        Patch<E> patch = Patch.between(before, next);
        if (!patch.isEmpty()) {
            totals.apply(patch, backend);
        }
        applied = next;
    }

    @Override
    public void close() {
        backend.close();
    }
}
