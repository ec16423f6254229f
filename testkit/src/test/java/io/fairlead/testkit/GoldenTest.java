package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GoldenTest {
    @TempDir
    Path folder;

    @Test
    void the_same_text_passes() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "text\n");
        assertThatCode(() -> Golden.check(file, "text\n", false)).doesNotThrowAnyException();
    }

    @Test
    void another_text_fails_and_says_how_to_accept_it() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "old\n");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Golden.check(file, "new\n", false))
                .withMessageContaining("a.txt; -Dgolden=update rewrites it");
        assertThat(file).hasContent("old\n");
    }

    @Test
    void a_missing_file_fails() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Golden.check(folder.resolve("none.txt"), "new\n", false))
                .withMessageContaining("-Dgolden=update writes it");
    }

    @Test
    void an_update_writes_the_file() {
        Path file = folder.resolve("a.txt");
        Golden.check(file, "new\n", true);
        assertThat(file).hasContent("new\n");
    }
}
