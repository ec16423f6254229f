package io.fairlead.nftables;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Patch;
import io.fairlead.nftables.NftablesEntry.Chain;
import io.fairlead.nftables.NftablesEntry.Element;
import io.fairlead.nftables.NftablesEntry.Hook;
import io.fairlead.nftables.NftablesEntry.Set;
import io.fairlead.nftables.NftablesEntry.Table;
import java.util.ArrayList;
import java.util.List;

/// The transactions that a patch takes. Pure.
///
/// It takes one; but tables that are new and large come in several, for the kernel makes room for more elements between
/// two transactions, and within one it is slow where there is none. The last one has the chains that packets
/// enter by: until it is in force no packet meets a part of the tables, and then all of them.
final class Parts {
    /// How many elements a transaction brings of those tables.
    private static final int ELEMENTS = 8_000;

    private Parts() {}

    static List<Patch<NftablesEntry>> of(Patch<NftablesEntry> patch) {
        return isAllNew(patch) && patch.size() > ELEMENTS ? split(patch.added()) : List.of(patch);
    }

    private static boolean isAllNew(Patch<NftablesEntry> patch) {
        long tables = patch.added().stream().filter(Table.class::isInstance).count();
        return tables == Family.values().length
                && patch.changed().isEmpty()
                && patch.removed().isEmpty();
    }

    private static List<Patch<NftablesEntry>> split(List<NftablesEntry> added) {
        List<NftablesEntry> frame = new ArrayList<>();
        List<NftablesEntry> elements = new ArrayList<>();
        List<NftablesEntry> entrances = new ArrayList<>();
        for (NftablesEntry entry : added) {
            switch (entry) {
                case Element _ -> elements.add(entry);
                case Chain chain when chain.hook() != Hook.NONE -> entrances.add(chain);
                case Chain _, Set _, Table _ -> frame.add(entry);
            }
        }
        List<Patch<NftablesEntry>> parts = new ArrayList<>();
        parts.add(adding(frame));
        for (int done = 0; done < elements.size(); done += ELEMENTS) {
            parts.add(adding(elements.subList(done, Math.min(done + ELEMENTS, elements.size()))));
        }
        parts.add(adding(entrances));
        return parts;
    }

    private static Patch<NftablesEntry> adding(List<NftablesEntry> entries) {
        return new Patch<>(entries, List.of(), List.of());
    }
}
