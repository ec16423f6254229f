package io.fairlead.announce;

import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// All addresses that nodes must answer for; follows from Snapshot to Snapshot at the cost of the change.
final class WantedAddresses {
    private final SortedMap<NamespacedName, List<Wanted>> byService = new TreeMap<>();
    private Snapshot seen = Snapshot.EMPTY;

    void follow(Snapshot now) {
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

    /// Of two Services with one address the first by name has it.
    SortedMap<Ip, Wanted> byAddress() {
        SortedMap<Ip, Wanted> all = new TreeMap<>();
        byService.values().forEach(addresses -> addresses.forEach(wanted -> all.putIfAbsent(wanted.address(), wanted)));
        return all;
    }
}
