package io.fairlead.agent;

import io.fairlead.containers.RunnableImage;
import io.fairlead.containers.Sandbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What is kept of the image of a container while it runs: its exact name, and how it wants to be asked to end. It is
/// beside the pod's other files, so that the next agent knows both.
record UsedImage(String id, String stopSignal) {
    private static final String TERM = "TERM";

    /// By the name in the pod, and the content that was found for it.
    static UsedImage of(String name, RunnableImage image) {
        return new UsedImage(image.reference(name), image.config().signal());
    }

    /// How a container wants to be asked, of whose image nothing may be known.
    static String signal(@Nullable UsedImage image) {
        return image == null ? TERM : image.stopSignal();
    }

    void write(Sandbox sandbox, String container) {
        try {
            Path file = file(sandbox, container);
            Files.createDirectories(file.getParent());
            Files.write(file, List.of(id, stopSignal));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write down the image of " + container, e);
        }
    }

    /// What an agent wrote; nothing but the usual signal where none did.
    static UsedImage read(Sandbox sandbox, String container) {
        Path file = file(sandbox, container);
        try {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            return lines.size() == 2 ? new UsedImage(lines.getFirst(), lines.getLast()) : new UsedImage("", TERM);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the image of " + container, e);
        }
    }

    /// The exact names of the images that a pod's containers have or had.
    static List<String> ids(Path pod) {
        Path folder = pod.resolve("images");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.flatMap(file -> firstLine(file).stream()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + folder, e);
        }
    }

    private static Optional<String> firstLine(Path file) {
        try {
            return Files.readAllLines(file).stream().findFirst();
        } catch (IOException e) {
            return Optional.empty(); // the pod went while we looked
        }
    }

    private static Path file(Sandbox sandbox, String container) {
        return sandbox.folder().resolve("images").resolve(container);
    }
}
