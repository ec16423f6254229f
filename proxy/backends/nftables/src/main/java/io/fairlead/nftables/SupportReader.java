package io.fairlead.nftables;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Support;
import io.fairlead.kernel.Errno;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.NetfilterSocket;
import io.fairlead.nftables.NftablesEntry.Table;
import java.util.List;
import java.util.Optional;

/// Reads what the kernel would take, by a [SupportProbe].
final class SupportReader {
    /// Owned by the socket that makes it, and kept when that is closed.
    static final int OWNER = 2;

    static final int PERSIST = 4;
    static final int PLAIN = 0;

    private final NetfilterSocket socket;

    SupportReader(NetfilterSocket socket) {
        this.socket = socket;
    }

    /// The flags for a table that belongs to us and outlives us, or none where the kernel does not know them (before
    /// 6.9). A table that is owned but does not persist would be gone with the process, and connections with it.
    int tableFlags() {
        List<NftablesEntry> table = List.of(new Table(Family.IPV4, true));
        return objection(table, OWNER | PERSIST).isEmpty() ? OWNER | PERSIST : PLAIN;
    }

    /// Whether the kernel knows all that these entries are made of; asks on a socket of its own.
    static Support support(List<NftablesEntry> entries) {
        try (NetfilterSocket socket = NetfilterSocket.open()) {
            SupportReader reader = new SupportReader(socket);
            return reader.objection(entries, reader.tableFlags())
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

    private Optional<String> objection(List<NftablesEntry> entries, int flags) {
        SupportProbe probe = SupportProbe.of(entries, flags);
        return probe.objection(socket.commit(probe.batch()));
    }
}
