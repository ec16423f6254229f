package io.fairlead.nftables;

import static io.fairlead.nftables.NftablesMessages.NFTABLES;

import io.fairlead.api.Family;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ConnectionCounters;
import io.fairlead.forwarding.DriftWatch;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.kernel.Errno;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.NetfilterBatch;
import io.fairlead.kernel.NetfilterRefusal;
import io.fairlead.kernel.NetfilterSocket;
import io.fairlead.kernel.NetlinkWriter;
import io.fairlead.nftables.NftablesEntry.Element;
import io.fairlead.nftables.NftablesEntry.NamedSet;
import io.fairlead.nftables.NftablesEntry.Table;
import io.fairlead.nftables.NftablesMessages.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Sends patches to the kernel and reads back what it holds.
///
/// All writes come from one socket, because the tables belong to it: no other process can change them, and `nft flush
/// ruleset` passes them by. They stay when the process ends, and the next one takes them over.
final class NftablesApplier implements DriftWatch, ConnectionCounters, AutoCloseable {
    private static final int MOST_TOLD = 3;

    private final ToIntFunction<NetfilterSocket> tableFlags;
    private @Nullable Session session;

    NftablesApplier() {
        this(socket -> new SupportReader(socket).tableFlags());
    }

    /// With other flags for its tables than this kernel would take.
    NftablesApplier(ToIntFunction<NetfilterSocket> tableFlags) {
        this.tableFlags = tableFlags;
    }

    /// A socket, and the flags that this kernel takes for a table.
    private record Session(NetfilterSocket socket, int tableFlags, TableWatch watch) {
        List<NftablesEntry> entries(boolean large) {
            List<NftablesEntry> entries = new ArrayList<>();
            for (Family family : Family.values()) {
                entries.addAll(new TableReader(socket, family).entries(tableFlags, large));
            }
            return entries;
        }
    }

    /// Whether others can change our tables.
    @Override
    public boolean canDrift() {
        return session().tableFlags() == SupportReader.PLAIN;
    }

    @Override
    public boolean drifted() {
        Session open = session();
        return canDrift() && open.watch().drifted(() -> open.entries(false));
    }

    /// All that the kernel holds.
    Program<NftablesEntry> observe() {
        return read(true);
    }

    /// What it holds but for the elements of Services: to throw them away and to write them anew, in one
    /// transaction, takes the kernel a fifth of the time that reading them takes.
    Program<NftablesEntry> baseline() {
        return read(false);
    }

    private Program<NftablesEntry> read(boolean large) {
        try {
            Session open = session();
            return Program.of(open.watch().expect(() -> open.entries(large)));
        } catch (KernelException e) {
            throw new ApplyException("the tables %s cannot be read".formatted(Layout.TABLE), e);
        }
    }

    /// Makes a change, which is in force as a whole, or not at all. A large one blocks the calling thread for
    /// some tenths of a second.
    void apply(Patch<NftablesEntry> patch) {
        if (patch.isEmpty()) {
            return;
        }
        try {
            Parts.of(patch).forEach(this::commit);
        } catch (KernelException e) {
            throw new ApplyException("a change of %d entries failed".formatted(patch.size()), e);
        }
    }

    private void commit(Patch<NftablesEntry> part) {
        Session open = session();
        Transaction transaction = new NftablesMessages(Layout.TABLE, open.tableFlags()).encode(part);
        List<NetfilterRefusal> refusals = open.socket().commit(transaction.batch());
        if (!refusals.isEmpty()) {
            throw new ApplyException(explain(transaction, refusals));
        }
        if (canDrift()) {
            open.watch().committed(part);
        }
    }

    private static String explain(Transaction transaction, List<NetfilterRefusal> refusals) {
        String told =
                refusals.stream().limit(MOST_TOLD).map(transaction::explain).collect(Collectors.joining("; "));
        int more = refusals.size() - MOST_TOLD;
        boolean foreign = refusals.stream().anyMatch(refusal -> refusal.errno() == Errno.EPERM);
        return "the kernel refused "
                + told
                + (more > 0 ? "; and %d more".formatted(more) : "")
                + (foreign ? "; another process owns the table" : "");
    }

    /// What the counters show; asks on a socket of its own, so that any thread may. Where elements are removed
    /// meanwhile, a counter may be missing for once.
    @Override
    public List<ConnectionCount> connections() {
        try (NetfilterSocket socket = NetfilterSocket.open()) {
            return new CounterReader(socket).read();
        } catch (KernelException e) {
            throw new ApplyException("the counters of the tables %s cannot be read".formatted(Layout.TABLE), e);
        }
    }

    /// What the counters show of the elements that a patch replaces or removes. Where it throws whole sets
    /// away, as the first one after a start does, that is all of those of Services; where a table, all there
    /// are.
    ///
    /// Asks on the session's socket: to close one of its own would wait until the kernel has freed what the last
    /// transaction removed, for milliseconds.
    @Override
    public List<ConnectionCount> ending(Patch<?> patch) {
        List<Entry> old = Stream.concat(
                        patch.removed().stream(), patch.changed().stream().map(Patch.Change::before))
                .map(Entry.class::cast)
                .toList();
        if (old.stream().anyMatch(Table.class::isInstance)) {
            return connections();
        }
        List<Element> elements = old.stream()
                .filter(Element.class::isInstance)
                .map(Element.class::cast)
                .filter(element -> element.set().isCounted())
                .toList();
        boolean whole = old.stream().anyMatch(NamedSet.class::isInstance);
        if (elements.isEmpty() && !whole) {
            return List.of();
        }
        try {
            CounterReader reader = new CounterReader(session().socket());
            return whole ? reader.readServices() : reader.read(elements);
        } catch (KernelException e) {
            throw new ApplyException("the counters of %d elements cannot be read".formatted(elements.size()), e);
        }
    }

    /// Opens the socket for the first who needs it: compiling needs none. It belongs to the network namespace
    /// of that thread.
    private Session session() {
        if (session == null) {
            NetfilterSocket socket = NetfilterSocket.open();
            try {
                Session opened = new Session(socket, tableFlags.applyAsInt(socket), new TableWatch(socket));
                takeOver(opened);
                session = opened;
            } catch (KernelException e) {
                socket.close();
                throw e;
            }
        }
        return session;
    }

    /// Makes the tables ours that a process before us has left. Those of a process that still lives stay its
    /// own: the first change to them will fail, and say so.
    private static void takeOver(Session session) {
        NetfilterBatch batch = new NetfilterBatch(NFTABLES);
        for (Family family : Family.values()) {
            if (new TableReader(session.socket(), family).isOrphaned()) {
                batch.message(NftablesMessages.NEWTABLE, NetlinkWriter.CREATE, Layout.number(family))
                        .text(NftablesMessages.TABLE_NAME, Layout.TABLE)
                        .be32(NftablesMessages.TABLE_FLAGS, session.tableFlags());
            }
        }
        session.socket().commit(batch);
    }

    /// Removes the tables of this name for both families, with all that is in them; true if there was one. Throws
    /// [ApplyException] if the kernel refuses.
    static boolean removeTables(String name) {
        try (NetfilterSocket socket = NetfilterSocket.open()) {
            boolean removed = false;
            for (Family family : Family.values()) {
                removed |= removeTable(socket, family, name);
            }
            return removed;
        } catch (KernelException e) {
            throw new ApplyException("the tables %s cannot be removed".formatted(name), e);
        }
    }

    private static boolean removeTable(NetfilterSocket socket, Family family, String name) {
        NetfilterBatch batch = new NetfilterBatch(NFTABLES);
        batch.message(NftablesMessages.DELTABLE, 0, Layout.number(family)).text(NftablesMessages.TABLE_NAME, name);
        List<NetfilterRefusal> refusals = socket.commit(batch);
        if (refusals.isEmpty()) {
            return true;
        }
        NetfilterRefusal refusal = refusals.getFirst();
        if (isAbsent(refusal.errno())) {
            return false;
        }
        throw new ApplyException(
                "the kernel refused to remove table %s %s: %s".formatted(Layout.name(family), name, refusal));
    }

    /// No such table, or a kernel that has no tables.
    private static boolean isAbsent(int errno) {
        return errno == Errno.ENOENT || errno == Errno.EOPNOTSUPP || errno == Errno.EPROTONOSUPPORT;
    }

    @Override
    public void close() {
        if (session != null) {
            session.socket().close();
            session = null;
        }
    }
}
