package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BeneathPathTest {
    @TempDir
    private Path folder;

    private Path volume = Path.of("");

    @BeforeEach
    void make() throws IOException {
        volume = Files.createDirectories(folder.resolve("volume"));
        Files.writeString(folder.resolve("secret"), "secret");
        Files.createDirectories(volume.resolve("inside"));
        Files.writeString(volume.resolve("inside/file"), "mine");
    }

    @Test
    void what_is_below_is_opened_also_by_a_link_that_stays_there() throws IOException {
        Files.createSymbolicLink(volume.resolve("link"), Path.of("inside/file"));

        try (BeneathPath file = BeneathPath.open(volume, Path.of("link"))) {
            assertThat(Files.readString(file.path())).isEqualTo("mine");
        }
        assertThat(BeneathPath.find(volume, Path.of("nothing"))).isEmpty();
    }

    @Test
    void what_is_missing_is_made_below() {
        try (BeneathPath made = BeneathPath.open(volume, Path.of("a/a/b"))) {
            assertThat(made.path().toString()).startsWith("/proc/self/fd/");
        }
        assertThat(volume.resolve("a/a/b")).isDirectory();
    }

    @Test
    void no_link_and_no_dots_lead_out() throws IOException {
        Files.createSymbolicLink(volume.resolve("up"), Path.of("../secret"));
        Files.createSymbolicLink(volume.resolve("absolute"), folder);

        for (String way : new String[] {"up", "absolute/secret", "absolute/new", "../secret", "inside/../../secret"}) {
            assertThatThrownBy(() -> BeneathPath.open(volume, Path.of(way)).close())
                    .as(way)
                    .isInstanceOfSatisfying(
                            KernelException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EXDEV));
        }
        assertThat(folder.resolve("new")).doesNotExist();
    }
}
