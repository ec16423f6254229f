package io.fairlead.commands;

import io.fairlead.kubectl.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `fairlead version`: which Fairlead this is, and on which Java it runs.
@Command(
        name = "version",
        description = "Print the version of Fairlead and of the Java it runs on.",
        footer = {"", "Example:", "  fairlead version"})
final class VersionCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    VersionCommand(Main main) {}

    @Override
    public void run() {
        Console.of(spec).println("fairlead %s (Java %s)".formatted(version(), Runtime.version()));
    }

    /// As the build wrote it.
    static String version() {
        try (@Nullable InputStream file = VersionCommand.class.getResourceAsStream("version.properties")) {
            Properties properties = new Properties();
            properties.load(file);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
