package io.fairlead.testkit;

import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// The guest kernel of `testkit/ipvs-vm`, where the tests of some classes run as if they ran here.
///
/// The guest boots once for all classes of a call. It shares the files of this machine, so it has the same classes and
/// leaves its report in a file.
public final class GuestKernel {
    private static final long MINUTES = 10;

    private GuestKernel() {}

    /// The tests of these classes, each as it ended in the guest.
    public static Stream<DynamicTest> tests(Class<?>... classes) {
        List<String> words = new ArrayList<>(List.of(GuestMain.class.getName()));
        try {
            Path report = Files.createTempFile("guest-report", ".txt");
            words.add(report.toString());
            Arrays.stream(classes).map(Class::getName).forEach(words::add);
            String output = java(words);
            List<String> lines = Files.readAllLines(report);
            Files.delete(report);
            return tests(lines, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The tests of a report. Where its last line is missing, there is one more, which fails.
    static Stream<DynamicTest> tests(List<String> lines, String output) {
        String end = GuestMain.ALL_RAN;
        boolean whole = !lines.isEmpty() && lines.getLast().startsWith(end);
        Stream<DynamicTest> reported =
                lines.stream().filter(line -> !line.startsWith(end)).map(line -> test(line, output));
        DynamicTest last = DynamicTest.dynamicTest(end, () -> {
            if (!whole || lines.size() < 2) {
                throw new AssertionError("the guest ended after %d tests:\n%s".formatted(lines.size(), output));
            }
        });
        return Stream.concat(reported, Stream.of(last));
    }

    /// Runs a main class with the class path of this JVM inside the guest, and gives what it wrote.
    public static String java(List<String> words) throws IOException {
        Path root = Path.of(System.getProperty("fairlead.root", "..")).toAbsolutePath();
        List<String> command = new ArrayList<>(List.of(
                root.resolve("testkit/ipvs-vm").toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx600m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Dfairlead.root=" + root,
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))));
        command.addAll(words);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (TaskGroup watchdog = new TaskGroup("guest")) {
            watchdog.run("watchdog", () -> {
                if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                    process.descendants().forEach(ProcessHandle::destroy); // and with them what is read below
                    process.destroy();
                }
            });
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static DynamicTest test(String line, String output) {
        String[] parts = line.split("\t", -1);
        String failure = new String(Base64.getDecoder().decode(parts[1]), StandardCharsets.UTF_8);
        return DynamicTest.dynamicTest(parts[0], () -> {
            if (!failure.isEmpty()) {
                throw new AssertionError("in the guest: " + failure + "\n" + output);
            }
        });
    }
}
