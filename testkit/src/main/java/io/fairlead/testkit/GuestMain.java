package io.fairlead.testkit;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs test classes inside the guest and writes a line for each test to a file: its name, and why it failed.
public final class GuestMain {
    /// The last line of a report: without it the guest ended before its tests did.
    static final String ALL_RAN = "all tests of the guest ran";

    private GuestMain() {}

    /// The file of the report, then the names of the classes.
    public static void main(String... arguments) {
        List<ClassSelector> classes = Arrays.stream(arguments)
                .skip(1)
                .map(DiscoverySelectors::selectClass)
                .toList();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(classes)
                .configurationParameter(
                        "junit.jupiter.displayname.generator.default",
                        "org.junit.jupiter.api.DisplayNameGenerator$ReplaceUnderscores")
                .configurationParameter("junit.jupiter.execution.timeout.default", "2 m")
                .build();
        Report report = new Report(Path.of(arguments[0]));
        LauncherFactory.create().execute(request, report);
        report.write(ALL_RAN, "");
        System.exit(0);
    }

    private record Report(Path file) implements TestExecutionListener {
        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            String failure = result.getThrowable().map(Report::text).orElse("");
            if (test.isTest() || !failure.isEmpty()) {
                String name = name(test);
                System.out.printf("guest: %s %s%n", failure.isEmpty() ? "passed" : "FAILED", name);
                write(name, failure);
            }
        }

        /// One of several that share a method: its arguments tell it from the others.
        private static String name(TestIdentifier test) {
            String shown = test.getDisplayName();
            return test.getSource().orElse(null) instanceof MethodSource method
                    ? "%s: %s%s"
                            .formatted(
                                    method.getJavaClass().getSimpleName(),
                                    method.getMethodName().replace('_', ' '),
                                    shown.startsWith("[") ? " " + shown : "")
                    : shown;
        }

        private void write(String name, String failure) {
            String text = Base64.getEncoder().encodeToString(failure.getBytes(StandardCharsets.UTF_8));
            try {
                Files.writeString(file, name + "\t" + text + "\n", StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static String text(Throwable failure) {
            StringWriter text = new StringWriter();
            failure.printStackTrace(new PrintWriter(text));
            return text.toString();
        }
    }
}
