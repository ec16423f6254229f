package io.fairlead.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every kept input of [DoorFuzz] once more. `bench/fuzz` looks for new ones.
final class DoorFuzzTest {
    private static final Path CORPUS = Path.of(System.getProperty("fairlead.root"), "node/sessions/src/test/fuzz/door");

    @Test
    void every_kept_input_is_borne() throws Exception {
        try (Stream<Path> files = Files.list(CORPUS)) {
            List<Path> inputs = files.sorted().toList();
            assertThat(inputs).isNotEmpty();
            DoorFuzz.fuzzerInitialize();
            try {
                for (Path input : inputs) {
                    DoorFuzz.fuzzerTestOneInput(Files.readAllBytes(input));
                }
            } finally {
                DoorFuzz.fuzzerTearDown();
            }
        }
    }
}
