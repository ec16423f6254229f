package io.fairlead.sync;

import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Support;
import io.fairlead.sync.Mode.Layer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The mode that programs the node, and the way from one mode to another.
///
/// The new mode's layers are in place before those of the old one are taken away, so at no moment is there a
/// Service without rules; a layer that both have stays as it is. A connection that the old mode leads goes on:
/// the kernel has it in its table of connections, or the old layer lingers until it has ended.
final class Modes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Modes.class);

    /// Opens a layer; a [ProxyException] says why it cannot run here.
    interface Opener {
        Backend<?> open(Layer layer, NodeFacts node);
    }

    private final Opener opener;
    private final List<Mode> known;
    private final NodeFacts node;
    private final String configured;
    private final ConnectionTotals totals = new ConnectionTotals();
    private final List<Programmer<?>> lingering = new ArrayList<>();
    private volatile Layers current;
    private final LongAdder cleanupFailures = new LongAdder();
    private final Retry clearing = new Retry();
    private boolean cleared;
    private final Retry switching = new Retry();
    private String wanted;
    private boolean refused;

    /// `known` are all modes: the leftovers of those that are not `mode` are looked for.
    Modes(Opener opener, List<Mode> known, NodeFacts node, Mode mode) {
        this.opener = opener;
        this.known = List.copyOf(known);
        this.node = node;
        this.configured = mode.name();
        this.wanted = mode.name();
        this.current = open(mode, new Layers(mode, List.of()));
    }

    Layers current() {
        return current;
    }

    /// Brings the kernel to `table` in the mode that the cluster names, or else in the one we were started with.
    ///
    /// A mode that cannot be programmed leaves the current one at work, and is tried again. One that cannot
    /// run here at all is asked again when the cluster has named another.
    LayeredProgram sync(ForwardingTable table, Optional<String> named) {
        String mode = named.orElse(configured);
        if (!mode.equals(wanted)) {
            wanted = mode;
            refused = false;
            switching.reset();
        }
        return mayChange() && switching.isDue() ? switchTo(mode, table) : current.sync(table);
    }

    private boolean mayChange() {
        return !refused && !wanted.equals(current.mode().name());
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

    /// Whether another program may have changed what the mode programmed; then the next round looks at it.
    boolean drifted() {
        boolean drifted = current.drifted();
        if (drifted) {
            LOG.info("event=drift-seen mode={}", current.mode().name());
        }
        return drifted;
    }

    private LayeredProgram switchTo(String name, ForwardingTable table) {
        Layers old = current;
        Layers next;
        try {
            next = open(find(name), old);
        } catch (ProxyException e) {
            LOG.warn(
                    "event=mode-refused mode={} kept={} reason=\"{}\"",
                    name,
                    old.mode().name(),
                    e.getMessage());
            refused = true;
            return old.sync(table);
        }
        LayeredProgram program;
        try {
            program = next.sync(table);
        } catch (ApplyException e) {
            LOG.warn(
                    "event=mode-failed mode={} kept={} retry={}ms reason=\"{}\"",
                    name,
                    old.mode().name(),
                    switching.failed().toMillis(),
                    e.getMessage());
            retire(next, old); // what it has of the program would grow old
            return old.sync(table);
        }
        current = next;
        switching.reset();
        retire(old, next);
        LOG.info(
                "event=mode-changed mode={} before={} entries={}",
                name,
                old.mode().name(),
                program.size());
        return program;
    }

    /// In how long a layer wants to be called again, of the mode or of one that was left.
    Optional<Duration> nextLook() {
        return Stream.concat(current.nextLook().stream(), lingering.stream().flatMap(left -> left.nextLook().stream()))
                .min(Comparator.naturalOrder());
    }

    /// Does what time has brought.
    void look() {
        for (Programmer<?> left : List.copyOf(lingering)) {
            try {
                left.look();
            } catch (ApplyException e) {
                keepLeftovers(left, e);
            }
            if (left.nextLook().isEmpty()) {
                lingering.remove(left);
                left.close();
                LOG.info("event=leftovers-removed layer={}", left.layer());
            }
        }
        current.look();
    }

    private Mode find(String name) {
        return known.stream()
                .filter(mode -> mode.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ProxyException("there is no proxy mode \"%s\"".formatted(name)));
    }

    /// Opens the layers of a mode, but for those that are at work already.
    private Layers open(Mode mode, Layers atWork) {
        List<Programmer<?>> programmers = new ArrayList<>();
        List<Programmer<?>> opened = new ArrayList<>();
        for (Layer layer : mode.layers()) {
            Optional<Programmer<?>> there = atWork.find(layer);
            if (there.isPresent()) {
                programmers.add(there.get());
                continue;
            }
            take(layer);
            try {
                opened.add(programmer(layer.name(), opener.open(layer, node)));
            } catch (ProxyException e) {
                opened.forEach(Programmer::close);
                throw e;
            }
            programmers.add(opened.getLast());
        }
        return new Layers(mode, programmers);
    }

    /// A layer that lingers is let go: what is left of it in the kernel is for the one that opens it anew.
    private void take(Layer layer) {
        lingering.removeIf(left -> {
            boolean same = left.layer().equals(layer.name());
            if (same) {
                left.close();
            }
            return same;
        });
    }

    /// Takes away the layers of `old` that `kept` does not have, the highest first. What cannot be taken away
    /// now is looked for again.
    private void retire(Layers old, Layers kept) {
        for (Programmer<?> programmer : old.programmers().reversed()) {
            if (kept.programmers().contains(programmer)) {
                continue;
            }
            try {
                programmer.withdraw();
            } catch (ApplyException e) {
                keepLeftovers(programmer, e);
            }
            closeOrLinger(programmer);
        }
    }

    private void keepLeftovers(Programmer<?> programmer, ApplyException failure) {
        LOG.warn("event=leftovers-kept layer={} reason=\"{}\"", programmer.layer(), failure.getMessage());
        cleanupFailures.increment();
        cleared = false;
        clearing.failed();
    }

    /// One whose connections go on stays until they have ended.
    private void closeOrLinger(Programmer<?> programmer) {
        if (programmer.nextLook().isPresent()) {
            LOG.info("event=layer-lingers layer={} reason=\"connections go on\"", programmer.layer());
            lingering.add(programmer);
        } else {
            programmer.close();
        }
    }

    /// Takes away what other modes left, until it is gone.
    void clearOthers() {
        if (cleared || !clearing.isDue()) {
            return;
        }
        cleared = known.stream()
                .flatMap(mode -> mode.layers().stream())
                .distinct()
                .filter(layer -> current.find(layer).isEmpty())
                .allMatch(this::clear);
        if (cleared) {
            clearing.reset();
        } else {
            clearing.failed();
        }
    }

    /// False if it has to be tried again.
    private boolean clear(Layer layer) {
        if (lingering.stream().anyMatch(left -> left.layer().equals(layer.name()))) {
            return true;
        }
        Backend<?> backend;
        try {
            backend = opener.open(layer, node);
        } catch (ProxyException _) {
            return true; // a layer that cannot run here has left nothing here
        }
        Programmer<?> other = programmer(layer.name(), backend);
        try {
            if (backend.support() instanceof Support.Supported && other.withdraw()) {
                LOG.info("event=leftovers-removed layer={}", layer.name());
            }
            return true;
        } catch (ApplyException e) {
            LOG.warn("event=leftovers-kept layer={} reason=\"{}\"", layer.name(), e.getMessage());
            cleanupFailures.increment();
            return false;
        } finally {
            closeOrLinger(other);
        }
    }

    private <E extends Entry> Programmer<E> programmer(String layer, Backend<E> backend) {
        return new Programmer<>(layer, backend, totals);
    }

    @Override
    public void close() {
        current.programmers().forEach(Programmer::close);
        lingering.forEach(Programmer::close);
    }
}
