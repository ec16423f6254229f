package io.fairlead.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Gathers the events that a watch is told at once. One alone goes out as the array that all watches share.
final class EventBuffer {
    private static final int BLOCK = 64 * 1024;

    private final EventSink sink;
    private final List<byte[]> lines = new ArrayList<>();
    private int size;

    EventBuffer(EventSink sink) {
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
