package io.fairlead.up;

import io.fairlead.kernel.Mounts;
import io.fairlead.lab.Remains;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What a cluster left on this machine because its `up` was killed.
public final class ClusterLeftovers {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private ClusterLeftovers() {}

    /// Ends its processes, removes its namespaces, links, routes and the file that describes it; says what it
    /// removed, a line each. Nothing there is fine; a cluster that runs is a [LabException]. State in `dir` stays.
    public static List<String> remove(String cluster, Path dir) {
        try (ClusterLock lock = ClusterLock.take(cluster, dir)) {
            List<String> removed = new ArrayList<>(Remains.of(cluster).remove(PATIENCE));
            Mounts.below(dir.toAbsolutePath().normalize()).forEach(Mounts::detach);
            Path description = dir.resolve(UpFile.NAME);
            if (Files.deleteIfExists(description)) {
                removed.add(description.toString());
            }
            lock.deleteFiles();
            return List.copyOf(removed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
