package io.fairlead.agent;

import io.fairlead.api.Pod;
import io.fairlead.api.Volume;
import io.fairlead.containers.PodNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/// What one pod has on the disk of its node: what its containers wrote, their logs, and its empty folders.
record DiskUse(Pod pod, PodRecord record, Path folder) {
    private static final String CONTAINERS = "containers";
    private static final String STORAGE = "ephemeral-storage";

    /// True if it says how much it may have, so that it is worth measuring.
    boolean isLimited() {
        return containers().anyMatch(container -> limit(container) > 0)
                || emptyFolders().anyMatch(volume -> sizeLimit(volume) > 0);
    }

    /// What it has more than it may, in a sentence.
    Optional<String> excess() {
        Optional<String> folders = emptyFolders()
                .filter(volume -> sizeLimit(volume) > 0 && bytes(place(volume)) > sizeLimit(volume))
                .findFirst()
                .map(volume -> "Usage of EmptyDir volume \"%s\" exceeds the limit \"%d\""
                        .formatted(volume.name(), sizeLimit(volume)));
        return folders.or(this::containerExcess).or(this::podExcess);
    }

    private Optional<String> containerExcess() {
        return containers()
                .filter(container -> limit(container) > 0 && written(container) > limit(container))
                .findFirst()
                .map(container -> "Container %s exceeded its local ephemeral storage limit \"%d\""
                        .formatted(container.name(), limit(container)));
    }

    /// Where every container has a limit, the pod has their sum for its folders too.
    private Optional<String> podExcess() {
        boolean all = containers().allMatch(container -> limit(container) > 0);
        long most = containers().mapToLong(DiskUse::limit).sum();
        return all && bytes() > most
                ? Optional.of(
                        "Pod ephemeral local storage usage exceeds the total limit of containers %d".formatted(most))
                : Optional.empty();
    }

    /// All that it has.
    long bytes() {
        long layers =
                entries(folder.resolve(CONTAINERS)).mapToLong(DiskUse::layer).sum();
        return layers + bytes(folder.resolve("logs")) + bytes(folder.resolve("volumes"));
    }

    private long written(Pod.Container container) {
        String prefix = PodNames.safe(container.name()) + ".";
        return named(folder.resolve(CONTAINERS), prefix)
                        .mapToLong(DiskUse::layer)
                        .sum()
                + named(folder.resolve("logs"), prefix)
                        .mapToLong(DiskUse::bytes)
                        .sum();
    }

    /// What a container wrote; its bundle also shows the image's files for a moment.
    private static long layer(Path bundle) {
        return bytes(bundle.resolve("upper"));
    }

    private static Stream<Path> named(Path folder, String prefix) {
        return entries(folder).filter(entry -> entry.getFileName().toString().startsWith(prefix));
    }

    private Path place(Volume volume) {
        return folder.resolve("volumes").resolve(PodNames.safe(volume.name()));
    }

    private Stream<Pod.Container> containers() {
        return Stream.concat(pod.spec().initContainers().stream(), pod.spec().containers().stream());
    }

    private static long limit(Pod.Container container) {
        return container.settings().resources().limit(STORAGE).units();
    }

    /// Those in memory have their limit from the kernel.
    private Stream<Volume> emptyFolders() {
        return pod.spec().surroundings().volumes().stream()
                .filter(volume -> volume.source() instanceof Volume.Source.EmptyDir empty && !empty.memory());
    }

    private static long sizeLimit(Volume volume) {
        return volume.source() instanceof Volume.Source.EmptyDir empty ? empty.sizeLimit() : 0;
    }

    private static Stream<Path> entries(Path folder) {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList().stream();
        } catch (IOException e) {
            return Stream.empty(); // not made yet, or just gone
        }
    }

    /// What is below a place; links are not followed.
    private static long bytes(Path top) {
        AtomicLong sum = new AtomicLong();
        try {
            Files.walkFileTree(top, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    sum.addAndGet(attributes.size());
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    return FileVisitResult.CONTINUE; // it went while we looked
                }

                @Override
                public FileVisitResult postVisitDirectory(
                        Path folder, java.io.@org.jspecify.annotations.Nullable IOException e) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sum.get();
    }
}
