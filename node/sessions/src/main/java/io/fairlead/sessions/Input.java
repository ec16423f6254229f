package io.fairlead.sessions;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import io.fairlead.runtime.TaskGroup;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import tools.jackson.databind.JsonNode;

/// What goes from a client to a program: its input, and the sizes of its terminal.
record Input(InputStream stdin, InputStream sizes, Terminal.Frames frames) {
    private static final int BLOCK = 16 * 1024;

    /// What is longer is no size, however it goes on.
    private static final int LONGEST_SIZE = 1024;

    /// Copies both in tasks of `tasks`.
    void start(TaskGroup tasks) {
        tasks.run("stdin", this::copyStdin);
        tasks.run("sizes", this::copySizes);
    }

    /// Copies until the client has no more to say.
    private void copyStdin() {
        byte[] block = new byte[BLOCK];
        try {
            for (int count = stdin.read(block); count >= 0; count = stdin.read(block)) {
                frames.input(block, count);
            }
            frames.endOfInput();
        } catch (IOException e) {
            // The program has ended, or the client left.
        }
    }

    /// Each size is a JSON object on a line of its own.
    private void copySizes() {
        InputStream bytes = new BufferedInputStream(sizes, BLOCK);
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try {
            for (int next = bytes.read(); next >= 0; next = bytes.read()) {
                if (next != '\n' && line.size() < LONGEST_SIZE) {
                    line.write(next);
                } else if (next == '\n') {
                    tell(line.toByteArray());
                    line.reset();
                }
            }
            tell(line.toByteArray());
        } catch (IOException e) {
            // As above.
        }
    }

    private void tell(byte[] line) throws IOException {
        if (line.length == 0) {
            return;
        }
        try {
            JsonNode size = Json.parse(line);
            frames.size(size.path("Width").asInt(0), size.path("Height").asInt(0));
        } catch (ParseException e) {
            // A size that cannot be read changes nothing.
        }
    }
}
