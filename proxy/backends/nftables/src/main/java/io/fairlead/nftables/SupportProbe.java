package io.fairlead.nftables;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.kernel.NetfilterBatch;
import io.fairlead.kernel.NetfilterRefusal;
import io.fairlead.kernel.NetlinkWriter;
import io.fairlead.nftables.NftablesMessages.Transaction;
import java.util.List;
import java.util.Optional;

/// A transaction that asks the kernel what it would take, and leaves no trace: it ends with a message that must fail,
/// so the kernel checks all that comes before and then undoes it. Pure.
///
/// @param mustFail the number of the message that the kernel has to refuse
record SupportProbe(Transaction transaction, int mustFail) {
    private static final String TABLE = "fairlead-probe";

    /// Asks for these entries in a table with these flags.
    static SupportProbe of(List<NftablesEntry> entries, int flags) {
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
        return new SupportProbe(transaction, transaction.batch().sequence());
    }

    NetfilterBatch batch() {
        return transaction.batch();
    }

    /// What the kernel objects to first; nothing if it refused only what it had to.
    Optional<String> objection(List<NetfilterRefusal> refusals) {
        return refusals.stream()
                .filter(refusal -> refusal.sequence() != mustFail)
                .findFirst()
                .map(transaction::explain);
    }
}
