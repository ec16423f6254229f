package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every kept input of [KubeconfigFuzz] once more. `bench/fuzz` looks for new ones.
final class KubeconfigFuzzTest {
    private static final Path CORPUS =
            Path.of(System.getProperty("fairlead.root"), "platform/client/src/test/fuzz/kubeconfig");

    @Test
    void every_kept_input_is_borne() throws Exception {
        try (Stream<Path> files = Files.list(CORPUS)) {
            List<Path> inputs = files.sorted().toList();
            assertThat(inputs).isNotEmpty();
            for (Path input : inputs) {
                KubeconfigFuzz.fuzzerTestOneInput(Files.readAllBytes(input));
            }
        }
    }
}
