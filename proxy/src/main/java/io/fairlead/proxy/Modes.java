package io.fairlead.proxy;

import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.DriftWatch;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The mode that programs the node, and the way from one mode to another.
///
/// The new mode's program is in place before the old one's is taken away, so at no moment is there a Service without
/// rules. A connection that the old mode leads goes on: the kernel has it in its table of connections.
final class Modes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Modes.class);

    /// Opens the backend of a mode.
    interface Opener {
        Backend<?> open(String mode, NodeFacts node);
    }

    private final Opener opener;
    private final List<String> others;
    private final NodeFacts node;
    private final ConnectionTotals totals = new ConnectionTotals();
    private volatile Programmer<?> current;
    private boolean cleared;
    private final LongAdder cleanupFailures = new LongAdder();
    private String refused = "";

    /// `others` are the modes whose leftovers are looked for once.
    Modes(Opener opener, List<String> others, NodeFacts node, String mode) {
        this.opener = opener;
        this.others = List.copyOf(others);
        this.node = node;
        this.current = open(mode);
    }

    Programmer<?> current() {
        return current;
    }

    /// Brings the kernel to `table` in the wanted mode.
    Program<?> sync(ForwardingTable table, String wanted) {
        boolean same = wanted.equals(current.mode()) || wanted.equals(refused);
        return same ? current.sync(table) : switchTo(wanted, table);
    }

    /// What every mode has counted.
    ConnectionTotals totals() {
        return totals;
    }

    /// How often what another mode left could not be taken away.
    long cleanupFailures() {
        return cleanupFailures.sum();
    }

    /// Whether others can change what the mode programmed.
    boolean canDrift() {
        return current.backend() instanceof DriftWatch;
    }

    /// Whether somebody may have done so; then the next round looks at all of it.
    boolean drifted() {
        boolean drifted = current.backend() instanceof DriftWatch watch && watch.drifted();
        if (drifted) {
            LOG.info("mode={} drift=seen", current.mode());
            current.doubt();
        }
        return drifted;
    }

    private Program<?> switchTo(String mode, ForwardingTable table) {
        Programmer<?> next;
        try {
            next = open(mode);
        } catch (ProxyException e) {
            LOG.warn("mode={} stays=\"{}\" reason=\"{}\"", mode, current.mode(), e.getMessage());
            refused = mode;
            return current.sync(table);
        }
        try {
            Program<?> program = next.sync(table);
            Programmer<?> old = current;
            current = next;
            retire(old);
            LOG.info("mode={} before={} entries={}", mode, old.mode(), program.size());
            return program;
        } catch (ApplyException e) {
            if (next != current) {
                next.close();
            }
            throw e;
        }
    }

    /// What cannot be taken away now is looked for again.
    private void retire(Programmer<?> old) {
        try (old) {
            old.withdraw();
        } catch (ApplyException e) {
            LOG.warn("mode={} left=\"{}\"", old.mode(), e.getMessage());
            cleanupFailures.increment();
            cleared = false;
        }
    }

    /// Takes away what other modes left, if nobody has looked yet.
    void clearOthers() {
        if (cleared) {
            return;
        }
        cleared = true;
        for (String mode : others) {
            if (!mode.equals(current.mode())) {
                clear(mode);
            }
        }
    }

    private void clear(String mode) {
        Backend<?> backend;
        try {
            backend = opener.open(mode, node);
        } catch (ProxyException _) {
            return; // a mode that cannot run here has left nothing here
        }
        try (Programmer<?> other = programmer(mode, backend)) {
            if (backend.support() instanceof Support.Supported && other.withdraw()) {
                LOG.info("mode={} leftovers=removed", mode);
            }
        } catch (ApplyException e) {
            LOG.warn("mode={} leftovers=\"{}\"", mode, e.getMessage());
            cleanupFailures.increment();
        }
    }

    private Programmer<?> open(String mode) {
        return programmer(mode, opener.open(mode, node));
    }

    private <E extends Entry> Programmer<E> programmer(String mode, Backend<E> backend) {
        return new Programmer<>(mode, backend, totals);
    }

    @Override
    public void close() {
        current.close();
    }
}
