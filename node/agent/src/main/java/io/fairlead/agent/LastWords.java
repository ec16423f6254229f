package io.fairlead.agent;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// What a container wrote to its termination message before it ended.
final class LastWords {
    private static final int MOST_BYTES = 4096;

    private LastWords() {}

    /// The first bytes of the file; empty if it is not there.
    static String read(Path file) {
        try (InputStream in = new FileInputStream(file.toFile())) {
            return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
