package io.fairlead.announce;

import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// All addresses that nodes must answer for; follows from Snapshot to Snapshot at the cost of the change.
final class WantedAddresses {
    private final SortedMap<NamespacedName, List<Wanted>> byService = new TreeMap<>();
    private final Set<Ip> ofNodes = new HashSet<>();
    private Snapshot seen = Snapshot.EMPTY;

    void follow(Snapshot now) {
        List<NamespacedName> nodes = new ArrayList<>();
        now.nodes().changedSince(seen.nodes(), nodes::add);
        if (!nodes.isEmpty()) {
            ofNodes.clear();
            now.nodes().values().forEach(node -> {
                ofNodes.addAll(node.internalIps());
                ofNodes.addAll(node.externalIps());
            });
        }
        for (NamespacedName name : now.servicesChangedSince(seen)) {
            List<Wanted> wanted = now.services()
                    .find(name)
                    .map(service -> Wanted.of(service, now.slicesOf(name)))
                    .orElse(List.of());
            if (wanted.isEmpty()) {
                byService.remove(name);
            } else {
                byService.put(name, wanted);
            }
        }
        seen = now;
    }

    /// Of two Services with one address the first by name has it. A node answers for its own addresses itself: another
    /// that did so would cut it off, whatever a Service says.
    SortedMap<Ip, Wanted> byAddress() {
        SortedMap<Ip, Wanted> all = new TreeMap<>();
        byService.values().forEach(addresses -> addresses.forEach(wanted -> all.putIfAbsent(wanted.address(), wanted)));
        all.keySet().removeAll(ofNodes);
        return all;
    }
}
