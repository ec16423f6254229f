package io.fairlead.zone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jazzer looks for bytes that the decoders do not bear. What it finds belongs among the seeds, next to its fix.
final class ZoneFuzzIT {
    private static final int SECONDS = 3;
    private static final Path SEEDS = Path.of(System.getProperty("fairlead.root"), "dns/zone/src/test/resources/fuzz");

    @Test
    void the_seeds_are_borne() throws IOException {
        try (Stream<Path> seeds = Files.list(SEEDS)) {
            List<Path> all = seeds.toList();
            assertThat(all).isNotEmpty();
            for (Path seed : all) {
                FuzzMain.fuzzerTestOneInput(Files.readAllBytes(seed));
            }
        }
    }

    @Test
    void jazzer_finds_nothing_in_a_few_seconds(@TempDir Path folder) throws Exception {
        Path corpus = Files.createDirectory(folder.resolve("corpus"));
        Path log = folder.resolve("log");
        Process jazzer = new ProcessBuilder(command(corpus))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(jazzer.waitFor()).as(() -> text(log)).isZero();
        } finally {
            jazzer.destroyForcibly();
        }
    }

    private static List<String> command(Path corpus) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:+EnableDynamicAgentLoading",
                "-cp",
                System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + FuzzMain.class.getName(),
                "--instrumentation_includes=io.fairlead.zone.**",
                "--disabled_hooks=com.code_intelligence.jazzer.sanitizers.*",
                "-max_total_time=" + SECONDS,
                "-timeout=10",
                "-max_len=1024",
                "-rss_limit_mb=0",
                corpus.toString(),
                SEEDS.toString());
    }

    private static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
