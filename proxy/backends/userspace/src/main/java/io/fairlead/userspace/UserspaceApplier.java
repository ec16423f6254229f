package io.fairlead.userspace;

import io.fairlead.api.Family;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ConnectionCounters;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Wake;
import io.fairlead.kernel.KernelException;
import io.fairlead.userspace.UserspaceEntry.Action;
import io.fairlead.userspace.UserspaceEntry.Leftover;
import io.fairlead.userspace.UserspaceEntry.Portal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Starts the relay with the first entry and stops it with the last; in between it keeps rules and relay in step.
///
/// The relay knows a portal before the rules lead there, and forgets it after.
final class UserspaceApplier implements ConnectionCounters, Wake, AutoCloseable {
    /// For how long connections may be on their way here after the last rule is gone.
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final PacketFilter filter;
    private final Preamble preamble;
    private final RelayLimits limits;
    private Map<Object, UserspaceEntry> applied = new HashMap<>();
    private Optional<Succession> succession = Optional.empty();
    private final List<RelayServer> retired = new ArrayList<>();
    private boolean released;
    private long looked = System.nanoTime();
    private final RulesWatch watch;
    private volatile @Nullable Running running;
    private volatile boolean succeeded;

    /// A relay, and what it knows.
    private record Running(RelayServer relay, PortalTable routes) {}

    UserspaceApplier(PacketFilter filter, Preamble preamble, RelayLimits limits) {
        this.filter = filter;
        this.preamble = preamble;
        this.limits = limits;
        this.watch = new RulesWatch(filter, this::rewrite);
    }

    RulesWatch watch() {
        return watch;
    }

    /// Another process that leads the connections of this node has rules of its own.
    private boolean rewrite() {
        Running relay = running;
        if (relay == null || succeeded || applied.isEmpty()) {
            return false;
        }
        filter.replace(applied.values(), relay.relay.sockets());
        return true;
    }

    /// What this process applied; or what another left, of which nothing is known but that it is there.
    Program<UserspaceEntry> observe() {
        if (!applied.isEmpty()) {
            return Program.of(applied.values());
        }
        return Program.of(Arrays.stream(Family.values())
                .filter(family -> filter.isPresent(family) || (!released && filter.isReleased(family)))
                .<UserspaceEntry>map(Leftover::new)
                .toList());
    }

    @Override
    public List<ConnectionCount> connections() {
        Running relay = running;
        return relay == null ? List.of() : relay.routes.connections();
    }

    @Override
    public List<ConnectionCount> ending(Patch<?> patch) {
        Running relay = running;
        return relay == null
                ? List.of()
                : patch.removed().stream()
                        .filter(Portal.class::isInstance)
                        .map(entry -> (Portal.Key) entry.key())
                        .flatMap(key -> relay.routes.count(key).stream())
                        .toList();
    }

    void apply(Patch<UserspaceEntry> patch) {
        if (patch.isEmpty()) {
            return;
        }
        if (succeeded) {
            throw new ApplyException("another process leads the connections of this node now");
        }
        Map<Object, UserspaceEntry> next = next(patch);
        watch.wrote();
        Running relay = running;
        if (next.isEmpty()) {
            release(relay != null);
            retire();
        } else if (relay == null) {
            begin(patch, next);
        } else {
            enter(patch, relay);
            try {
                filter.change(patch, next.values(), relay.relay.sockets());
            } catch (ApplyException e) {
                undo(patch, relay);
                throw e;
            }
            leave(patch, relay);
        }
        applied = next;
    }

    /// Starts a relay: with the listeners of a process before us, if there is one.
    private void begin(Patch<UserspaceEntry> patch, Map<Object, UserspaceEntry> next) {
        Optional<Succession.Inheritance> inheritance = Succession.take();
        Sockets sockets = inheritance.map(Succession.Inheritance::sockets).orElseGet(UserspaceApplier::listen);
        Running relay = start(sockets, next);
        running = relay;
        try {
            enter(patch, relay);
            filter.replace(next.values(), relay.relay.sockets());
            forget();
        } catch (ApplyException e) {
            inheritance.ifPresent(some -> some.predecessor().close());
            retire();
            throw e;
        }
        inheritance.ifPresent(some -> {
            some.predecessor().confirm(GRACE);
            some.predecessor().close();
        });
        succession = Optional.of(new Succession(relay.relay.sockets().listeners(), () -> handOver(relay)));
    }

    private static Sockets listen() {
        try {
            return Sockets.open();
        } catch (KernelException e) {
            throw new ApplyException("the relay cannot listen", e);
        }
    }

    /// A successor leads connections now: ours are drained, and its rules are not touched.
    private void handOver(Running relay) {
        succeeded = true;
        relay.relay.stop(Duration.ZERO, limits.drain());
    }

    /// All entries after the patch; it must fit those before.
    private Map<Object, UserspaceEntry> next(Patch<UserspaceEntry> patch) {
        Map<Object, UserspaceEntry> next = new HashMap<>(applied);
        for (UserspaceEntry entry : patch.removed()) {
            if (!(entry instanceof Leftover) && !next.remove(entry.key(), entry)) {
                throw new ApplyException("to be removed, but not there: " + entry);
            }
        }
        for (Patch.Change<UserspaceEntry> change : patch.changed()) {
            if (!next.replace(change.after().key(), change.before(), change.after())) {
                throw new ApplyException("to be changed, but not there: " + change.before());
            }
        }
        for (UserspaceEntry entry : patch.added()) {
            if (next.putIfAbsent(entry.key(), entry) != null) {
                throw new ApplyException("to be added, but there: " + entry);
            }
        }
        return next;
    }

    /// A relay that knows all portals before it accepts the first connection.
    private Running start(Sockets sockets, Map<Object, UserspaceEntry> next) {
        PortalTable routes = new PortalTable();
        portals(next.values().stream()).forEach(routes::put);
        try {
            return new Running(RelayServer.start(sockets, routes, preamble, limits), routes);
        } catch (KernelException e) {
            throw new ApplyException("the relay cannot listen", e);
        }
    }

    /// Before the rules: what comes and what changes.
    private static void enter(Patch<UserspaceEntry> patch, Running relay) {
        try {
            portals(patch.added().stream()).forEach(portal -> put(portal, relay));
            portals(patch.changed().stream().map(Patch.Change::after)).forEach(portal -> put(portal, relay));
        } catch (KernelException e) {
            throw new ApplyException("the relay cannot listen for datagrams", e);
        }
    }

    /// After the rules: what leaves, and the datagrams of what is relayed no more.
    private static void leave(Patch<UserspaceEntry> patch, Running relay) {
        portals(patch.removed().stream()).forEach(portal -> remove(portal, relay));
        portals(patch.changed().stream().map(Patch.Change::after))
                .filter(portal -> !hasDatagrams(portal))
                .forEach(portal -> closeFront(portal, relay));
        relay.relay.datagrams().sweep();
    }

    private static void undo(Patch<UserspaceEntry> patch, Running relay) {
        portals(patch.added().stream()).forEach(portal -> remove(portal, relay));
        List<Portal> before = new ArrayList<>();
        portals(patch.changed().stream().map(Patch.Change::before)).forEach(before::add);
        before.forEach(portal -> put(portal, relay));
        before.stream().filter(portal -> !hasDatagrams(portal)).forEach(portal -> closeFront(portal, relay));
    }

    private static void put(Portal portal, Running relay) {
        relay.routes.put(portal);
        Portal.Key key = new Portal.Key(portal.place(), portal.inside());
        if (hasDatagrams(portal) && !relay.relay.sockets().hasFront(key)) {
            relay.relay.datagrams().open(relay.relay.sockets().front(key, relay.routes));
        }
    }

    private static void remove(Portal portal, Running relay) {
        relay.routes.remove(portal);
        closeFront(portal, relay);
    }

    private static void closeFront(Portal portal, Running relay) {
        Portal.Key key = new Portal.Key(portal.place(), portal.inside());
        if (relay.relay.sockets().hasFront(key)) {
            relay.relay.datagrams().close(relay.relay.sockets().leave(key));
        }
    }

    private static boolean hasDatagrams(Portal portal) {
        return portal.place().protocol() == Protocol.UDP && portal.action() instanceof Action.Relay;
    }

    private static Stream<Portal> portals(Stream<UserspaceEntry> entries) {
        return entries.filter(Portal.class::isInstance).map(Portal.class::cast);
    }

    /// No rule leads here any more: what is open goes on by itself, and what comes next gets a new relay.
    private void retire() {
        Running relay = running;
        if (relay != null) {
            endSuccession();
            relay.relay.stop(GRACE, limits.drain());
            retired.add(relay.relay);
            running = null;
        }
    }

    /// Takes the rules away; where connections may go on, the kernel goes on translating them.
    private void release(boolean relays) {
        if (relays && !limits.drain().isZero()) {
            filter.release();
            released = true;
        } else {
            filter.clear();
        }
    }

    /// The kernel translates for the rules that are there now, or for nothing.
    private void forget() {
        if (released) {
            filter.forget();
            released = false;
        }
    }

    /// In how long relays that were retired are to be looked at.
    @Override
    public Optional<Duration> nextLook() {
        long left = looked + GRACE.toNanos() - System.nanoTime();
        return released ? Optional.of(Duration.ofNanos(Math.max(0, left))) : Optional.empty();
    }

    /// When the last of them has ended, nothing is left to translate.
    @Override
    public void look() {
        looked = System.nanoTime();
        retired.removeIf(RelayServer::isOver);
        if (retired.isEmpty()) {
            forget();
        }
    }

    /// Takes the rules away and waits until every connection has ended, or the deadline for that is over.
    @Override
    public void close() {
        Running relay = running;
        if (relay != null) {
            endSuccession();
            if (!succeeded) {
                release(true);
            }
            applied = new HashMap<>();
            relay.relay.close();
            running = null;
        }
        forget();
    }

    private void endSuccession() {
        succession.ifPresent(Succession::close);
        succession = Optional.empty();
    }
}
