package io.fairlead.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Gathers the events that go to a watch at once. One alone goes out as the array that all watches share.
final class EventBuffer {
    private static final int BLOCK = 64 * 1024;

    /// Where the events of a watch go: the body of an answer, or a WebSocket.
    @FunctionalInterface
    interface Sink {
        /// Sends one or more whole events, each ended by a newline; returns when they are on their way. The array is
        /// shared with other watches, so no sink changes it.
        void send(byte[] lines) throws IOException, InterruptedException;
    }

    private final Sink sink;
    private final List<byte[]> lines = new ArrayList<>();
    private int size;

    EventBuffer(Sink sink) {
        this.sink = sink;
    }

    void add(byte[] line) throws IOException, InterruptedException {
        lines.add(line);
        size += line.length;
        if (size >= BLOCK) {
            flush();
        }
    }

    void flush() throws IOException, InterruptedException {
        if (lines.size() == 1) {
            sink.send(lines.getFirst());
        } else if (!lines.isEmpty()) {
            ByteArrayOutputStream all = new ByteArrayOutputStream(size);
            lines.forEach(all::writeBytes);
            sink.send(all.toByteArray());
        }
        lines.clear();
        size = 0;
    }
}
