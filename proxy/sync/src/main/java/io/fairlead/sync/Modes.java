package io.fairlead.sync;

import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.DriftWatch;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
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
    private final String configured;
    private final ConnectionTotals totals = new ConnectionTotals();
    private volatile Programmer<?> current;
    private final LongAdder cleanupFailures = new LongAdder();
    private final Retry clearing = new Retry();
    private boolean cleared;
    private final Retry switching = new Retry();
    private String wanted;
    private boolean refused;

    /// `others` are the modes whose leftovers are looked for.
    Modes(Opener opener, List<String> others, NodeFacts node, String mode) {
        this.opener = opener;
        this.others = List.copyOf(others);
        this.node = node;
        this.configured = mode;
        this.wanted = mode;
        this.current = open(mode);
    }

    Programmer<?> current() {
        return current;
    }

    /// Brings the kernel to `table` in the mode that the cluster names, or else in the one we were started with.
    ///
    /// A mode that cannot be had now leaves the current one at work, and is tried again. One that cannot run here
    /// at all is asked again when the cluster has named another.
    Program<?> sync(ForwardingTable table, Optional<String> named) {
        String mode = named.orElse(configured);
        if (!mode.equals(wanted)) {
            wanted = mode;
            refused = false;
            switching.reset();
        }
        return mayChange() && switching.isDue() ? switchTo(mode, table) : current.sync(table);
    }

    private boolean mayChange() {
        return !refused && !wanted.equals(current.mode());
    }

    /// How long until something that failed is to be tried again; nothing where nothing failed.
    Optional<Duration> untilRetry() {
        return Stream.of(
                        mayChange() ? Optional.of(switching.left()) : Optional.<Duration>empty(),
                        cleared ? Optional.<Duration>empty() : Optional.of(clearing.left()))
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
    }

    /// Whether another mode is wanted, and it is time to try it again.
    boolean isChangeDue() {
        return mayChange() && switching.isDue();
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
        return current.backend() instanceof DriftWatch watch && watch.canDrift();
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
            refused = true;
            return current.sync(table);
        }
        Program<?> program;
        try {
            program = next.sync(table);
        } catch (ApplyException e) {
            Duration pause = switching.failed();
            LOG.warn(
                    "mode={} stays=\"{}\" retry={}ms reason=\"{}\"",
                    mode,
                    current.mode(),
                    pause.toMillis(),
                    e.getMessage());
            retire(next); // what it has of the program would grow old
            return current.sync(table);
        }
        Programmer<?> old = current;
        current = next;
        switching.reset();
        retire(old);
        LOG.info("mode={} before={} entries={}", mode, old.mode(), program.size());
        return program;
    }

    /// What cannot be taken away now is looked for again.
    private void retire(Programmer<?> old) {
        try (old) {
            old.withdraw();
        } catch (ApplyException e) {
            LOG.warn("mode={} left=\"{}\"", old.mode(), e.getMessage());
            cleanupFailures.increment();
            cleared = false;
            clearing.failed();
        }
    }

    /// Takes away what other modes left, until it is gone.
    void clearOthers() {
        if (cleared || !clearing.isDue()) {
            return;
        }
        cleared = others.stream().filter(mode -> !mode.equals(current.mode())).allMatch(this::clear);
        if (cleared) {
            clearing.reset();
        } else {
            clearing.failed();
        }
    }

    /// False if it has to be tried again.
    private boolean clear(String mode) {
        Backend<?> backend;
        try {
            backend = opener.open(mode, node);
        } catch (ProxyException _) {
            return true; // a mode that cannot run here has left nothing here
        }
        try (Programmer<?> other = programmer(mode, backend)) {
            if (backend.support() instanceof Support.Supported && other.withdraw()) {
                LOG.info("mode={} leftovers=removed", mode);
            }
            return true;
        } catch (ApplyException e) {
            LOG.warn("mode={} leftovers=\"{}\"", mode, e.getMessage());
            cleanupFailures.increment();
            return false;
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
