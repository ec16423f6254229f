package io.fairlead.nftables;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import io.fairlead.kernel.Errno;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.NetfilterRefusal;
import io.fairlead.kernel.NetfilterSocket;
import io.fairlead.kernel.NetlinkWriter;
import io.fairlead.nftables.NftablesEntry.Table;
import io.fairlead.nftables.NftablesMessages.Transaction;
import java.util.List;
import java.util.Optional;

/// Asks the kernel what it would take, and leaves no trace: the transaction ends with a message that must fail, so the
/// kernel checks all that comes before and then undoes it.
final class Probe {
    /// Owned by the socket that makes it, and kept when that is closed.
    static final int OWNER = 2;

    static final int PERSIST = 4;
    static final int PLAIN = 0;

    private static final String TABLE = "fairlead-probe";

    private final NetfilterSocket socket;

    Probe(NetfilterSocket socket) {
        this.socket = socket;
    }

    /// The flags for a table that belongs to us and outlives us, or none where the kernel does not know them (before
    /// 6.9). A table that is owned but does not persist would be gone with the process, and connections with it.
    int tableFlags() {
        List<NftablesEntry> table = List.of(new Table(Family.IPV4, true));
        return firstObjection(table, OWNER | PERSIST).isEmpty() ? OWNER | PERSIST : PLAIN;
    }

    /// Whether the kernel knows all that these entries are made of.
    Support support(List<NftablesEntry> entries) {
        try {
            return firstObjection(entries, tableFlags())
                    .<Support>map(objection -> new Support.Unsupported("the kernel refuses " + objection))
                    .orElseGet(Support.Supported::new);
        } catch (KernelException e) {
            return unsupported(e);
        }
    }

    /// What it means that not even a socket could be had.
    static Support unsupported(KernelException e) {
        return switch (e.errno()) {
            case Errno.EPERM, Errno.EACCES -> new Support.Unsupported("needs CAP_NET_ADMIN: " + e.getMessage());
            case Errno.EPROTONOSUPPORT, Errno.EOPNOTSUPP ->
                new Support.Unsupported("the kernel has no nf_tables: " + e.getMessage());
            default -> new Support.Unknown(String.valueOf(e.getMessage()));
        };
    }

    private Optional<String> firstObjection(List<NftablesEntry> entries, int flags) {
        Patch<NftablesEntry> patch = Patch.between(Program.of(List.of()), Program.of(entries));
        Transaction transaction = new NftablesMessages(TABLE, flags).encode(patch);
        // The same table once more, but as a new one.
        transaction
                .batch()
                .message(
                        NftablesMessages.NEWTABLE,
                        NetlinkWriter.CREATE | NetlinkWriter.EXCLUSIVE,
                        Layout.number(Family.IPV4))
                .text(NftablesMessages.TABLE_NAME, TABLE);
        int mustFail = transaction.batch().sequence();
        List<NetfilterRefusal> refusals = socket.commit(transaction.batch());
        return refusals.stream()
                .filter(refusal -> refusal.sequence() != mustFail)
                .findFirst()
                .map(transaction::explain);
    }
}
