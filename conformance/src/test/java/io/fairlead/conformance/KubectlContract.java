package io.fairlead.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// kubectl prints what the transcripts say, on whatever the server keeps its objects.
interface KubectlContract {
    ServerRun server();

    /// Which transcripts are run.
    List<Transcript> transcripts() throws IOException;

    @TestFactory
    default Stream<DynamicTest> kubectl_prints_what_the_transcript_says() throws IOException {
        return transcripts().stream()
                .map(transcript -> DynamicTest.dynamicTest(transcript.name(), () -> replay(transcript)));
    }

    private void replay(Transcript transcript) throws IOException, InterruptedException {
        Path home = Files.createTempDirectory(server().folder(), "home");
        Terminal terminal = Terminal.open(home.resolve("user"), server().kubeconfig(), transcript.name());
        int minor = terminal.minorVersion();
        // On a build server a kubectl that is newer than the transcripts must fail, so that a developer looks;
        // elsewhere it may pass by.
        assumeTrue(
                minor <= Transcript.LATEST || "true".equals(System.getenv("CI")),
                "kubectl 1.%d is later than the transcripts".formatted(minor));
        Transcript played = play(transcript, terminal, minor);
        if (System.getProperty("golden", "compare").equals("update")) {
            Files.writeString(transcript.file(), played.text());
            return;
        }
        assertThat(differences(transcript, played, minor))
                .as("%s with kubectl 1.%d; -Dgolden=update rewrites it", transcript.file(), minor)
                .isEmpty();
    }

    private static Transcript play(Transcript transcript, Terminal terminal, int minor)
            throws IOException, InterruptedException {
        List<Step> steps = new ArrayList<>();
        for (Step step : transcript.steps()) {
            steps.add(step.with(minor, Mask.of(terminal.run(step.command()))));
        }
        return new Transcript(transcript.name(), steps);
    }

    /// The commands that print something else than they should, with both.
    private static List<String> differences(Transcript wanted, Transcript played, int minor) {
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < wanted.steps().size(); i++) {
            String expected = wanted.steps().get(i).output(minor);
            String printed = played.steps().get(i).output(minor);
            if (!expected.equals(printed)) {
                differences.add("$ %s%nexpected:%n%s%nprinted:%n%s%n"
                        .formatted(wanted.steps().get(i).command(), expected, printed));
            }
        }
        return differences;
    }
}
