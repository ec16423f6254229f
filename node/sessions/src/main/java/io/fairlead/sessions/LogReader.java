package io.fairlead.sessions;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Copies a container's log to a client: the lines that are there, and with `follow` those that come.
///
/// A file that is replaced while it is followed was rotated: what is left of the old one is read, then the new one from
/// its beginning.
final class LogReader {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int BLOCK = 64 * 1024;
    private static final int LONGEST_LINE = 1 << 20;

    private final Path file;
    private final LogOptions options;
    private final OutputStream out;
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream(); // a line whose end is not written yet
    private long left;

    LogReader(Path file, LogOptions options, OutputStream out) {
        this.file = file;
        this.options = options;
        this.out = out;
        this.left = options.limitBytes() < 0 ? Long.MAX_VALUE : options.limitBytes();
    }

    /// Returns when the client has all it asked for: with `follow`, when the container no longer runs.
    void copy(BooleanSupplier running) throws IOException, InterruptedException {
        boolean goesOn;
        try (RandomAccessFile first = new RandomAccessFile(file.toFile(), "r")) {
            if (options.tailLines() >= 0) {
                first.seek(LogTail.start(first, options.tailLines()));
            }
            goesOn = copy(first, running);
        }
        while (goesOn) {
            try (RandomAccessFile next = new RandomAccessFile(file.toFile(), "r")) {
                goesOn = copy(next, running);
            }
        }
    }

    /// True if the file was rotated, and the log goes on in the next one.
    private boolean copy(RandomAccessFile log, BooleanSupplier running) throws IOException, InterruptedException {
        Object identity = identity();
        while (left > 0) {
            boolean alive = running.getAsBoolean(); // asked before the end is looked for: what it wrote last is read
            boolean rotated = options.follow() && !identity.equals(identity());
            read(log);
            if (rotated) {
                return true;
            } else if (!options.follow() || !alive) {
                return false;
            }
            out.flush();
            Thread.sleep(POLL);
        }
        return false;
    }

    private Object identity() throws IOException {
        if (!Files.exists(file)) {
            return ""; // between two renames
        }
        Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        return key == null ? "" : key;
    }

    private void read(RandomAccessFile log) throws IOException {
        byte[] block = new byte[BLOCK];
        for (int count = log.read(block); count > 0 && left > 0; count = log.read(block)) {
            for (int at = 0; at < count; at++) {
                if (block[at] == '\n' || begun.size() >= LONGEST_LINE) {
                    write(LogLine.parse(begun.toString(StandardCharsets.UTF_8)));
                    begun.reset();
                } else {
                    begun.write(block[at]);
                }
            }
        }
    }

    private void write(LogLine line) throws IOException {
        if (options.wants(line)) {
            byte[] bytes = line.show(options.timestamps()).getBytes(StandardCharsets.UTF_8);
            out.write(bytes, 0, (int) Math.min(bytes.length, left));
            left -= Math.min(bytes.length, left);
        }
    }
}
