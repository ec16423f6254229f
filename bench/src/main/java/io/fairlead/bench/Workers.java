package io.fairlead.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The workers of one nginx, and what they took of the processors.
///
/// @param pidFile where its master wrote its number
record Workers(Path pidFile) {
    private static final double TICKS = 100;

    /// The processor time of all workers so far.
    double seconds() {
        try {
            long master = Long.parseLong(Files.readString(pidFile).strip());
            return ProcessHandle.of(master).stream()
                            .flatMap(ProcessHandle::children)
                            .mapToLong(worker -> ticks(worker.pid()))
                            .sum()
                    / TICKS;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Words 14 and 15 of its `stat`, of which the second may have spaces.
    private static long ticks(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Long.parseLong(words[11]) + Long.parseLong(words[12]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
