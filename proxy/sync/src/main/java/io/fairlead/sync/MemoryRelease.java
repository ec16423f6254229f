package io.fairlead.sync;

import io.fairlead.kernel.MappedFiles;
import java.time.Duration;

/// Gives back, once, the memory that only the start of a proxy needed.
///
/// To read and program a whole cluster leaves more garbage than all later changes together, and the collector
/// would keep the memory for it. The pages of the class cache that only the start read go with it
/// (`bench/results/proxy.csv`, memory).
final class MemoryRelease {
    private static final Duration AFTER_FIRST_ROUND = Duration.ofSeconds(5);
    private static final Duration LOOK = Duration.ofSeconds(1);

    private MemoryRelease() {}

    /// Waits until the first round is some seconds ago, and ends.
    static void run(SyncJournal journal) throws InterruptedException {
        while (journal.last().isEmpty()) {
            Thread.sleep(LOOK);
        }
        Thread.sleep(AFTER_FIRST_ROUND);
        System.gc();
        MappedFiles.release(".aot");
    }
}
