package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProjectedFolderTest {
    @TempDir
    private Path folder;

    private static Map<String, ProjectedFolder.Content> pair(int version) {
        var content = new ProjectedFolder.Content(Integer.toString(version).getBytes(StandardCharsets.UTF_8), 0644);
        return Map.of("a", content, "b", content);
    }

    @Test
    void a_reader_sees_the_old_files_or_the_new_ones_and_never_some_of_each() throws Exception {
        ProjectedFolder projected = new ProjectedFolder(folder, -1);
        projected.write(pair(0));
        AtomicBoolean over = new AtomicBoolean();
        ConcurrentLinkedQueue<String> torn = new ConcurrentLinkedQueue<>();
        Thread reader = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                read().filter(seen -> !seen.getFirst().equals(seen.getLast()))
                        .ifPresent(seen -> torn.add(seen.toString()));
            }
        });

        for (int version = 1; version <= 200; version++) {
            projected.write(pair(version));
        }

        over.set(true);
        reader.join();
        assertThat(torn).isEmpty();
        assertThat(Files.readString(folder.resolve("a"))).isEqualTo("200");
        try (var entries = Files.list(folder)) {
            assertThat(entries)
                    .as("two links, the current files and the link to them")
                    .hasSize(4);
        }
    }

    /// Both files of one version, as a program reads them that opens the folder once.
    private java.util.Optional<List<String>> read() {
        try {
            Path current = folder.resolve("..data").toRealPath();
            return java.util.Optional.of(
                    List.of(Files.readString(current.resolve("a")), Files.readString(current.resolve("b"))));
        } catch (NoSuchFileException e) {
            return java.util.Optional.empty(); // it was replaced while it was read
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void no_file_is_written_outside_of_the_folder() {
        ProjectedFolder projected = new ProjectedFolder(folder.resolve("volume"), -1);
        for (String path : List.of("../x", "/x", "a/../../x", "..data")) {
            assertThatThrownBy(() -> projected.write(Map.of(path, new ProjectedFolder.Content(new byte[0], 0644))))
                    .isInstanceOf(NodeException.class)
                    .hasMessageContaining("leads out of its volume");
        }
        assertThat(folder.resolve("x")).doesNotExist();
    }
}
