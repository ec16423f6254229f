package io.fairlead.agent;

import io.fairlead.containers.ImageCollection;
import io.fairlead.containers.NodeException;
import io.fairlead.containers.NodeImages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks how full the disk is, and lets images go that no pod has, before pods have to go.
record ImageWatch(Path state, NodeImages images) {
    private static final Logger LOG = LoggerFactory.getLogger(ImageWatch.class);
    private static final Duration PERIOD = Duration.ofMinutes(1);

    void run() throws InterruptedException {
        while (true) {
            Thread.sleep(PERIOD);
            try {
                look();
            } catch (IOException | UncheckedIOException | NodeException e) {
                LOG.warn("event=images-not-collected reason=\"{}\"", e.getMessage());
            }
        }
    }

    private void look() throws IOException, InterruptedException {
        FileStore disk = Files.getFileStore(state);
        long excess = ImageCollection.excess(disk.getTotalSpace() - disk.getUnallocatedSpace(), disk.getUsableSpace());
        if (excess > 0) {
            List<String> gone = images.collect(used(state), excess);
            LOG.warn("event=images-collected wanted-bytes={} images={}", excess, gone.size());
        }
    }

    /// The contents that the pods of a node have, whether they run or not.
    static Set<String> used(Path state) throws IOException {
        Path pods = state.resolve("pods");
        if (!Files.isDirectory(pods)) {
            return Set.of();
        }
        try (Stream<Path> folders = Files.list(pods)) {
            return folders.flatMap(pod -> UsedImage.ids(pod).stream())
                    .filter(id -> id.contains("@"))
                    .map(id -> id.substring(id.indexOf('@') + 1))
                    .collect(Collectors.toSet());
        }
    }
}
