package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LastWordsTest {
    @TempDir
    private Path folder;

    private Path log(int lines) throws IOException {
        Path log = folder.resolve("log");
        try (OutputStream out = Files.newOutputStream(log)) {
            for (int i = 0; i < lines; i++) {
                out.write("2026-11-16T04:00:00Z stderr F line %d \u00e9\n"
                        .formatted(i)
                        .getBytes(StandardCharsets.ISO_8859_1)); // which is no UTF-8
            }
        }
        return log;
    }

    @Test
    void the_end_of_a_short_log_is_all_of_it() throws IOException {
        assertThat(LastWords.ofLog(log(3)))
                .startsWith("line 0")
                .contains("line 1")
                .contains("line 2");
        assertThat(LastWords.ofLog(folder.resolve("none"))).isEmpty();
    }

    /// A pod can print as much as it likes before it fails: that is no memory of the agent's.
    @Test
    void the_end_of_a_large_log_takes_little_memory() throws IOException {
        Path log = log(500_000);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        String words = LastWords.ofLog(log);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(8 << 20);
        assertThat(words).hasSizeLessThanOrEqualTo(2048).contains("line 499999").doesNotContain("line 499000 ");
        assertThat(words.lines().count()).isLessThanOrEqualTo(80);
    }
}
