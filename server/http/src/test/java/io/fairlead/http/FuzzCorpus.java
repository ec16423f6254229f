package io.fairlead.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// Inputs that are kept, a folder for each target: to begin with, and what once was answered wrongly.
final class FuzzCorpus {
    private static final Path FOLDER = Path.of(System.getProperty("fairlead.root"), "server/http/src/test/fuzz");

    private FuzzCorpus() {}

    static Path folder(FuzzTarget target) {
        return FOLDER.resolve(target.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    static List<Path> inputs(FuzzTarget target) throws IOException {
        try (Stream<Path> files = Files.list(folder(target))) {
            return files.sorted().toList();
        }
    }
}
