package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Files that hold what a compiler must give; their diff is the review of a change.
public final class Golden {
    private Golden() {}

    /// Compares `actual` with the file; with `-Dgolden=update` writes it to the file instead.
    public static void check(Path file, String actual) {
        check(file, actual, System.getProperty("golden", "compare").equals("update"));
    }

    static void check(Path file, String actual, boolean update) {
        try {
            if (update) {
                Files.writeString(file, actual);
            }
            assertThat(file).as("golden file; -Dgolden=update writes it").isRegularFile();
            assertThat(actual).as("%s; -Dgolden=update rewrites it", file).isEqualTo(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
