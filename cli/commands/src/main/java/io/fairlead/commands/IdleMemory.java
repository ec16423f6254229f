package io.fairlead.commands;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/// Gives memory back to the system when a program has nothing to do: the collector gives it back only when it collects,
/// and an idle program never collects.
final class IdleMemory {
    private static final Duration LOOK = Duration.ofSeconds(30);
    // Less is not worth a collection.
    private static final long WORTH = 64L << 20;

    private IdleMemory() {}

    /// Runs until interrupted.
    static void run() throws InterruptedException {
        run(LOOK);
    }

    /// @param look how long there must have been no collection until the program counts as idle
    static void run(Duration look) throws InterruptedException {
        long kept = WORTH; // what the last collection of ours left
        long collections = collections();
        while (true) {
            Thread.sleep(look);
            boolean idle = collections() == collections;
            if (idle && Runtime.getRuntime().totalMemory() > kept + WORTH) {
                System.gc();
                kept = Runtime.getRuntime().totalMemory();
            }
            collections = collections();
        }
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }
}
