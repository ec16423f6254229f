package io.fairlead.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every kept input of [ReaderFuzz] once more. `bench/fuzz` looks for new ones.
final class ReaderFuzzTest {
    private static final Path CORPUS =
            Path.of(System.getProperty("fairlead.root"), "proxy/backends/nftables/src/test/fuzz/reader");

    @Test
    void every_kept_input_is_borne() throws Exception {
        try (Stream<Path> files = Files.list(CORPUS)) {
            List<Path> inputs = files.sorted().toList();
            assertThat(inputs).isNotEmpty();
            for (Path input : inputs) {
                ReaderFuzz.fuzzerTestOneInput(Files.readAllBytes(input));
            }
        }
    }
}
