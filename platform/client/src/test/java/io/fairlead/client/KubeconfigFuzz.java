package io.fairlead.client;

import io.fairlead.api.ParseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What Jazzer calls: the bytes of a kubeconfig. It is read, or refused with a [ParseException]. The name of the method
/// is
/// Jazzer's.
public final class KubeconfigFuzz {
    private static final Path FILE = newFile();

    private KubeconfigFuzz() {}

    private static Path newFile() {
        try {
            Path file = Files.createTempFile("fairlead", ".kubeconfig");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        Files.write(FILE, input);
        try {
            Kubeconfig.read(FILE);
        } catch (ParseException e) {
            // that is how it is refused
        }
    }
}
