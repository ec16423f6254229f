package io.fairlead.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks what pods have on disk, and lets those go that have more than they may; and, where the disk is nearly full,
/// the one that has the most.
///
/// The kernel has no limit for a folder of an overlay on every file system, so this is measured and not held.
record DiskWatch(Path state, PodLoop pods) {
    private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);
    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final long LEAST_FREE = 256L << 20;
    private static final long LEAST_PERCENT = 5;

    void run() throws InterruptedException {
        while (true) {
            Thread.sleep(PERIOD);
            try {
                look();
            } catch (IOException | UncheckedIOException e) {
                LOG.warn("event=disk-not-measured reason=\"{}\"", e.getMessage());
            }
        }
    }

    private void look() throws IOException {
        List<PodWorker> all = pods.workers();
        for (PodWorker worker : all) {
            use(worker).filter(DiskUse::isLimited).flatMap(DiskUse::excess).ifPresent(worker::evict);
        }
        if (isNearlyFull()) {
            all.stream()
                    .filter(worker -> use(worker).isPresent())
                    .max(Comparator.comparingLong(
                            worker -> use(worker).map(DiskUse::bytes).orElse(0L)))
                    .ifPresent(worker -> worker.evict("The node was low on resource: ephemeral-storage."));
        }
    }

    private static Optional<DiskUse> use(PodWorker worker) {
        return worker.podToRun().map(worker::diskUse);
    }

    /// Less than 5 % is left, and less than what one more log needs.
    private boolean isNearlyFull() throws IOException {
        FileStore disk = Files.getFileStore(state);
        return disk.getUsableSpace() < Math.min(LEAST_FREE, disk.getTotalSpace() * LEAST_PERCENT / 100);
    }
}
