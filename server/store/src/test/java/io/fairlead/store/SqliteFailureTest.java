package io.fairlead.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A disk that takes no more: the kernel's limit on the size of a file makes the writes of a process fail for real.
@Timeout(60)
final class SqliteFailureTest {
    @TempDir
    private Path directory;

    @Test
    void a_write_that_the_disk_does_not_take_is_refused_and_the_store_goes_on_when_there_is_room() throws Exception {
        Path file = directory.resolve("store.db");
        try (Child child = Child.start(StubbornMain.class, directory, file.toString())) {
            child.awaitLine("open");
            limitFileSize(child, "300000");
            child.awaitLines(2);
            limitFileSize(child, "unlimited");
            assertThat(child.awaitEnd()).isZero();
            assertThat(child.lines().get(1)).startsWith("cannot write the store %s: ".formatted(file));
            int answered = Integer.parseInt(child.lines().get(2).replace("answered ", ""));
            try (Store store = SqliteStore.open(file)) {
                assertThat(store.list("").items()).hasSize(answered);
                assertThat(store.list("").revision().value()).isEqualTo(answered);
                assertThat(store.find("after")).isPresent();
            }
        }
    }

    private static void limitFileSize(Child child, String bytes) throws IOException, InterruptedException {
        Process prlimit = new ProcessBuilder("prlimit", "--pid", Long.toString(child.pid()), "--fsize=" + bytes + ":")
                .inheritIO()
                .start();
        assertThat(prlimit.waitFor()).isZero();
    }
}
