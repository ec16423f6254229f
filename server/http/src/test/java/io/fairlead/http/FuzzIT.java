package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jazzer looks for some seconds for what the server answers wrongly; `bench/fuzz SECONDS` looks longer. What it finds
/// belongs into the corpus, next to its fix.
final class FuzzIT {
    private static final int SECONDS_OF_A_BUILD = 3;

    @Test
    void jazzer_finds_nothing_in_a_few_seconds(@TempDir Path folder) throws Exception {
        Path seeds = Files.createDirectory(folder.resolve("seeds"));
        for (FuzzTarget target : FuzzTarget.values()) {
            for (Path input : FuzzCorpus.inputs(target)) {
                Path seed = seeds.resolve(target + "-" + input.getFileName());
                Files.write(seed, chosenBy(target, Files.readAllBytes(input)));
            }
        }
        new JazzerRun(folder).expectNothing(seeds);
    }

    /// As [FuzzMain] reads it when it is given no name.
    private static byte[] chosenBy(FuzzTarget target, byte[] input) {
        byte[] chosen = new byte[input.length + 1];
        chosen[0] = (byte) List.of(FuzzTarget.values()).indexOf(target);
        System.arraycopy(input, 0, chosen, 1, input.length);
        return chosen;
    }

    private record JazzerRun(Path folder) {
        void expectNothing(Path seeds) throws IOException, InterruptedException {
            Path corpus = Files.createDirectories(folder.resolve("corpus"));
            Path found = Files.createDirectories(folder.resolve("found"));
            Path log = folder.resolve("log");
            Process jazzer = new ProcessBuilder(command(corpus, found, seeds))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            try {
                int exit = jazzer.waitFor();
                assertThat(exit).as(() -> tail(log)).isZero();
            } finally {
                jazzer.destroyForcibly();
            }
        }

        private List<String> command(Path corpus, Path found, Path seeds) {
            return List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx512m", // what takes more than that is found, too
                    "-XX:+UseSerialGC",
                    "-XX:+EnableDynamicAgentLoading",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "com.code_intelligence.jazzer.Jazzer",
                    "--target_class=" + FuzzMain.class.getName(),
                    "--instrumentation_includes=io.fairlead.api.**:io.fairlead.schema.**:io.fairlead.merge.**:io.fairlead.http.**",
                    // It looks for wrong answers alone; what its own detectors look for is not done here.
                    "--disabled_hooks=com.code_intelligence.jazzer.sanitizers.*",
                    "--reproducer_path=" + found,
                    "-artifact_prefix=" + found + "/",
                    "-max_total_time=" + SECONDS_OF_A_BUILD,
                    "-timeout=30",
                    "-max_len=4096",
                    "-rss_limit_mb=0",
                    corpus.toString(),
                    seeds.toString());
        }

        private static String tail(Path log) {
            try {
                List<String> lines = Files.readAllLines(log).stream()
                        .filter(line -> !line.startsWith("INFO: "))
                        .toList();
                return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
            } catch (IOException e) {
                return e.toString();
            }
        }
    }
}
