package io.fairlead.nginx;

import io.fairlead.routes.Feed;
import io.fairlead.routes.RouteTable;
import io.fairlead.runtime.Latest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SortedMap;

/// Keeps on disk what the controller told nginx, so that one that starts without a controller knows it; once a second
/// at most.
final class StateKeeper {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Folder folder;

    StateKeeper(Folder folder) {
        this.folder = folder;
    }

    void run(Latest<RouteTable> tables) throws InterruptedException {
        while (true) {
            keep(tables.take());
            Thread.sleep(PAUSE);
        }
    }

    void keep(RouteTable table) {
        SortedMap<String, String> records = Feed.all(table);
        records.values().removeIf(String::isEmpty);
        // It has private keys.
        folder.writeSecret("state", Feed.lines(records).getBytes(StandardCharsets.UTF_8));
    }
}
