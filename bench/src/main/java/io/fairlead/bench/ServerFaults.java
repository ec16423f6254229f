package io.fairlead.bench;

import java.util.EnumMap;
import java.util.Map;

/// The faults that need nothing but a server: it dies, or stands still.
final class ServerFaults {
    private ServerFaults() {}

    /// A new map, to which a site adds its own.
    static Map<FaultKind, FaultSite.Strike> of(ServerProcess server) {
        Map<FaultKind, FaultSite.Strike> all = new EnumMap<>(FaultKind.class);
        all.put(FaultKind.KILL, _ -> {
            server.kill();
            server.restart();
        });
        all.put(FaultKind.PAUSE, random -> {
            server.signal("STOP");
            try {
                Thread.sleep(random.nextLong(20, 1_500));
            } finally {
                server.signal("CONT");
            }
        });
        return all;
    }
}
