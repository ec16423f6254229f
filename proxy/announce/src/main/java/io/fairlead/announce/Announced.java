package io.fairlead.announce;

import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Who announces what, as one node sees it; for people and metrics.
///
/// @param current false while the API server is not heard: then nothing moves
record Announced(String node, boolean current, Set<String> live, List<Row> rows) {
    static final Announced NOTHING = new Announced("", false, Set.of(), List.of());

    /// One address. `owner` is empty where no node can have it, `link` where this node does not speak for it.
    record Row(Ip address, NamespacedName service, String owner, String link) {
        boolean isSpoken() {
            return !link.isEmpty();
        }
    }

    Announced {
        live = Set.copyOf(live);
        rows = List.copyOf(rows);
    }

    String text() {
        StringBuilder text = new StringBuilder("# %s announces %d of %d addresses; view=%s announcers=%s%n"
                .formatted(
                        node,
                        rows.stream().filter(Row::isSpoken).count(),
                        rows.size(),
                        current ? "current" : "frozen",
                        String.join(",", new TreeSet<>(live))));
        for (Row row : rows) {
            text.append("%s  %s  owner=%s%s%n"
                    .formatted(
                            row.address(),
                            row.service(),
                            row.owner().isEmpty() ? "none" : row.owner(),
                            row.isSpoken() ? " link=" + row.link() : ""));
        }
        return text.toString();
    }
}
