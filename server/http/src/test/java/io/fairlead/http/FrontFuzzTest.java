package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every kept input of [FrontFuzz] once more. `bench/fuzz` looks for new ones.
final class FrontFuzzTest {
    private static final Path CORPUS = Path.of(System.getProperty("fairlead.root"), "server/http/src/test/fuzz/front");

    @Test
    void every_kept_input_is_borne() throws Exception {
        try (Stream<Path> files = Files.list(CORPUS)) {
            List<Path> inputs = files.sorted().toList();
            assertThat(inputs).isNotEmpty();
            FrontFuzz.fuzzerInitialize();
            try {
                for (Path input : inputs) {
                    FrontFuzz.fuzzerTestOneInput(Files.readAllBytes(input));
                }
            } finally {
                FrontFuzz.fuzzerTearDown();
            }
        }
    }
}
