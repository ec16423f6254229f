package io.fairlead.nftables;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Patch.Change;
import io.fairlead.nftables.NftablesEntry.Chain;
import io.fairlead.nftables.NftablesEntry.Element;
import io.fairlead.nftables.NftablesEntry.NamedSet;
import io.fairlead.nftables.NftablesEntry.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The transactions that a patch takes. Pure.
///
/// It takes one; but tables that are new and large come in several, for the kernel makes room for more elements between
/// two transactions, and within one it is slow where there is none. A Service answers as soon as its own part is
/// there, all of it at once. What refuses or discards a packet because nothing is known of its address comes in the
/// last part: until then the kernel cannot know, and another mode may still lead it.
final class Parts {
    /// How many elements a transaction brings of those tables.
    private static final int ELEMENTS = 8_000;

    private final List<NftablesEntry> frame = new ArrayList<>();
    private final List<NftablesEntry> nameless = new ArrayList<>();
    private final Map<String, List<NftablesEntry>> named = new HashMap<>();
    private String name = "";
    private List<NftablesEntry> ofName = List.of();
    private final List<NftablesEntry> last = new ArrayList<>();
    private final List<Change<NftablesEntry>> completed = new ArrayList<>();

    private Parts(List<NftablesEntry> added) {
        for (NftablesEntry entry : added) {
            if (entry instanceof Element element) { // nearly all; a switch over types is slow when a program starts
                place(element);
            } else {
                place(entry);
            }
        }
    }

    static List<Patch<NftablesEntry>> of(Patch<NftablesEntry> patch) {
        return patch.size() > ELEMENTS && isAllNew(patch) ? new Parts(patch.added()).all() : List.of(patch);
    }

    private static boolean isAllNew(Patch<NftablesEntry> patch) {
        if (!patch.changed().isEmpty() || !patch.removed().isEmpty()) {
            return false;
        }
        int tables = 0;
        for (NftablesEntry entry : patch.added()) {
            tables += entry instanceof Table ? 1 : 0;
        }
        return tables == Family.values().length;
    }

    private void place(NftablesEntry entry) {
        switch (entry) {
            case Element element -> place(element);
            case Chain chain -> place(chain);
            case NamedSet _, Table _ -> frame.add(entry);
        }
    }

    private void place(Element element) {
        if (!element.comment().isEmpty()) {
            if (!element.comment().equals(name)) { // those of one Service mostly follow one another
                name = element.comment();
                ofName = named.computeIfAbsent(name, _ -> new ArrayList<>());
            }
            ofName.add(element);
        } else {
            switch (element.set()) {
                case PLAN -> frame.add(element);
                case CLUSTER_IP -> last.add(element);
                default -> nameless.add(element);
            }
        }
    }

    private void place(Chain chain) {
        Chain lenient = Foundation.withoutEnd(chain);
        frame.add(lenient);
        if (!lenient.equals(chain)) {
            completed.add(new Change<>(lenient, chain));
        }
    }

    private List<Patch<NftablesEntry>> all() {
        List<Patch<NftablesEntry>> parts = new ArrayList<>();
        parts.add(adding(frame));
        for (int done = 0; done < nameless.size(); done += ELEMENTS) {
            parts.add(adding(nameless.subList(done, Math.min(done + ELEMENTS, nameless.size()))));
        }
        parts.addAll(byService());
        parts.add(new Patch<>(last, completed, List.of()));
        return parts;
    }

    /// In the order of their names; what one Service has stays together.
    private List<Patch<NftablesEntry>> byService() {
        List<Patch<NftablesEntry>> parts = new ArrayList<>();
        List<NftablesEntry> part = new ArrayList<>();
        for (List<NftablesEntry> service : new TreeMap<>(named).values()) {
            if (!part.isEmpty() && part.size() + service.size() > ELEMENTS) {
                parts.add(adding(part));
                part.clear();
            }
            part.addAll(service);
        }
        parts.add(adding(part));
        return parts;
    }

    private static Patch<NftablesEntry> adding(List<NftablesEntry> entries) {
        return new Patch<>(entries, List.of(), List.of());
    }
}
