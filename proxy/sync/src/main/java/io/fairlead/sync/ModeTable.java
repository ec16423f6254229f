package io.fairlead.sync;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// In what the modes differ, as the tests saw it: a line for each kind of connection, a column for each mode.
public final class ModeTable {
    private static final String FILE = "modes.txt";

    private ModeTable() {}

    /// `=` is what the specification says, and what every mode does that has it.
    public static String text() {
        try (InputStream in = ModeTable.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException(FILE + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + FILE, e);
        }
    }
}
