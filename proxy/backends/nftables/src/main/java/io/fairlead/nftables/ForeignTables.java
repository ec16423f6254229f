package io.fairlead.nftables;

import io.fairlead.api.Family;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.kernel.Errno;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.NetfilterBatch;
import io.fairlead.kernel.NetfilterRefusal;
import io.fairlead.kernel.NetfilterSocket;
import java.util.List;

/// Tables that another program has left, such as the `kube-proxy` of kube-proxy's mode nftables.
public final class ForeignTables {
    private static final int DELTABLE = 2;

    private ForeignTables() {}

    /// Removes the tables of this name for both families, with all that is in them; true if there was one. Throws
    /// [ApplyException] if the kernel refuses.
    public static boolean remove(String name) {
        try (NetfilterSocket socket = NetfilterSocket.open()) {
            boolean removed = false;
            for (Family family : Family.values()) {
                removed |= remove(socket, family, name);
            }
            return removed;
        } catch (KernelException e) {
            throw new ApplyException("the tables %s cannot be removed".formatted(name), e);
        }
    }

    private static boolean remove(NetfilterSocket socket, Family family, String name) {
        NetfilterBatch batch = new NetfilterBatch(NftablesMessages.NFTABLES);
        batch.message(DELTABLE, 0, Layout.number(family)).text(NftablesMessages.TABLE_NAME, name);
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
}
