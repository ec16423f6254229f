package io.fairlead.sessions;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import io.fairlead.runtime.TaskGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;

/// What goes from a client to a program: its input, and the sizes of its terminal.
record Input(InputStream stdin, InputStream sizes, Terminal.Frames frames) {
    private static final int BLOCK = 16 * 1024;

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
        BufferedReader lines = new BufferedReader(new InputStreamReader(sizes, StandardCharsets.UTF_8));
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                tell(line);
            }
        } catch (IOException e) {
            // As above.
        }
    }

    private void tell(String line) throws IOException {
        try {
            JsonNode size = Json.parse(line.getBytes(StandardCharsets.UTF_8));
            frames.size(size.path("Width").asInt(0), size.path("Height").asInt(0));
        } catch (ParseException e) {
            // A size that cannot be read changes nothing.
        }
    }
}
