package io.fairlead.nftables;

import io.fairlead.forwarding.Patch;
import io.fairlead.kernel.NetfilterBatch;
import io.fairlead.kernel.NetfilterSocket;
import io.fairlead.kernel.NetlinkWriter;
import io.fairlead.nftables.NftablesEntry.Chain;
import io.fairlead.nftables.NftablesEntry.Element;
import io.fairlead.nftables.NftablesEntry.NamedSet;
import io.fairlead.nftables.NftablesEntry.Table;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Notices what others do to tables that no process owns: those of kernels before 6.9.
///
/// The kernel numbers its transactions. As long as the number is the one that our own lead to, no other program made
/// any; where it is not, the frame of our tables is read and compared: all that stands in them but the elements of
/// Services. So a flush is seen, and what others do to tables of their own costs a few milliseconds. It does not
/// see a program that takes single elements out of our maps.
final class TableWatch {
    private static final int GETGEN = 16;
    private static final int GENERATION = 1;

    private final NetfilterSocket socket;
    private final Map<Object, Object> frame = new HashMap<>();
    private int generation;

    TableWatch(NetfilterSocket socket) {
        this.socket = socket;
    }

    /// Reads all there is, and expects that from now on.
    List<NftablesEntry> expect(Supplier<List<NftablesEntry>> reading) {
        generation = now(); // before the reading: what comes in between is seen once more
        List<NftablesEntry> entries = reading.get();
        frame.clear();
        frame.putAll(frameOf(entries));
        return entries;
    }

    /// A transaction of ours is in force.
    void committed(Patch<NftablesEntry> patch) {
        generation++;
        patch.removed().forEach(entry -> frame.remove(entry.key()));
        patch.changed().forEach(change -> frame.putAll(frameOf(List.of(change.after()))));
        frame.putAll(frameOf(patch.added()));
    }

    /// Whether something else stands in the kernel than is expected; `reading` tells what does.
    boolean drifted(Supplier<List<NftablesEntry>> reading) {
        int now = now();
        if (now == generation) {
            return false;
        }
        generation = now;
        return !frame.equals(frameOf(reading.get()));
    }

    private static Map<Object, Object> frameOf(Collection<NftablesEntry> entries) {
        Map<Object, Object> frame = new HashMap<>();
        for (NftablesEntry entry : entries) {
            switch (entry) {
                case Table table -> frame.put(table.key(), table);
                case Chain chain -> frame.put(chain.key(), chain);
                case NamedSet set ->
                    frame.put(set.key(), set.shape()); // whether its elements were read does not matter
                case Element element -> {
                    if (element.set().isVerdictMap()) {
                        frame.put(element.key(), element);
                    }
                }
            }
        }
        return frame;
    }

    private int now() {
        return socket.ask(NetfilterBatch.request(NftablesMessages.NFTABLES, GETGEN, NetlinkWriter.REQUEST, 0))
                .getFirst()
                .attributes(NetfilterBatch.HEADER)
                .be32(GENERATION);
    }
}
