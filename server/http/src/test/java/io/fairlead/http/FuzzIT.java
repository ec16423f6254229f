package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Jazzer looks for what the server answers wrongly: for some seconds in every build, and for as long as one likes with
/// `bench/fuzz SECONDS`. What it finds belongs into the corpus, next to its fix.
final class FuzzIT {
    private static final int SECONDS_OF_A_BUILD = 3;

    // Where a long run keeps what it has learnt, for the next one.
    private static final Path LEARNT = Path.of(System.getProperty("fairlead.root"), "server/http/target/fuzz");

    @Test
    void jazzer_finds_nothing_in_a_few_seconds(@TempDir Path folder) throws Exception {
        Path seeds = Files.createDirectory(folder.resolve("seeds"));
        for (FuzzTarget target : FuzzTarget.values()) {
            for (Path input : FuzzCorpus.inputs(target)) {
                Path seed = seeds.resolve(target + "-" + input.getFileName());
                Files.write(seed, chosenBy(target, Files.readAllBytes(input)));
            }
        }
        new JazzerRun("", folder, SECONDS_OF_A_BUILD).expectNothing(seeds);
    }

    /// As [FuzzMain] reads it when it is given no name.
    private static byte[] chosenBy(FuzzTarget target, byte[] input) {
        byte[] chosen = new byte[input.length + 1];
        chosen[0] = (byte) List.of(FuzzTarget.values()).indexOf(target);
        System.arraycopy(input, 0, chosen, 1, input.length);
        return chosen;
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    @Tag("long")
    void jazzer_finds_nothing_in_as_long_as_it_was_given(FuzzTarget target) throws Exception {
        Path folder = LEARNT.resolve(FuzzCorpus.folder(target).getFileName());
        new JazzerRun(target.name(), folder, Integer.getInteger("fuzz.seconds", 0))
                .expectNothing(FuzzCorpus.folder(target));
    }

    /// @param target the name of the only target, or nothing for all
    private record JazzerRun(String target, Path folder, int seconds) {
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
                    "-Dfuzz.target=" + target,
                    "-cp",
                    System.getProperty("java.class.path"),
                    "com.code_intelligence.jazzer.Jazzer",
                    "--target_class=" + FuzzMain.class.getName(),
                    "--instrumentation_includes=io.fairlead.api.**:io.fairlead.schema.**:io.fairlead.merge.**:io.fairlead.http.**",
                    // It looks for wrong answers alone; what its own detectors look for is not done here.
                    "--disabled_hooks=com.code_intelligence.jazzer.sanitizers.*",
                    "--reproducer_path=" + found,
                    "-artifact_prefix=" + found + "/",
                    "-max_total_time=" + seconds,
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
