package io.fairlead.containers;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;

/// The log of one run of one container: what it wrote, line by line, with the time and the stream.
///
/// ```
/// 2026-11-16T04:05:06.123456789Z stdout F listening on 8080/TCP
/// ```
///
/// The container itself writes to two plain files, so that it never waits for the agent and goes on when there is
/// none. The agent moves what it finds there over to the log, remembers how far it came, and lets the disk forget it.
/// A log of 10 MiB becomes `….log.1`, in the place of the one before.
final class ContainerLog {
    static final long LARGEST = 10 << 20;
    private static final int CHUNK = 64 << 10;
    /// How many chunks of a container that runs are moved before others have their turn.
    private static final int MOST_CHUNKS = 64;
    /// A line may be longer: then it comes in pieces, marked `P` for partial.
    private static final int LONGEST_LINE = 16 << 10;

    private final Path log;
    private final Path positions;
    private final List<Stream> streams;

    /// A file that the container writes to, and how much of it is in the log.
    private static final class Stream {
        private final Path file;
        private final String name;
        private long position;

        Stream(Path file, String name) {
            this.file = file;
            this.name = name;
        }
    }

    private ContainerLog(Path log) {
        this.log = log;
        this.positions = sibling(log, ".pos");
        this.streams = List.of(new Stream(output(log), "stdout"), new Stream(errors(log), "stderr"));
    }

    /// Goes on where an agent before this one stopped. From now on there is a log, were it empty.
    static ContainerLog open(Path log) {
        ContainerLog opened = new ContainerLog(log);
        opened.readPositions();
        opened.create();
        return opened;
    }

    private void create() {
        try (OutputStream _ = new FileOutputStream(log.toFile(), true)) {
            // nothing to write yet
        } catch (IOException e) {
            throw new NodeException("cannot write " + log, e);
        }
    }

    /// Where the container writes its output.
    static Path output(Path log) {
        return sibling(log, ".out");
    }

    static Path errors(Path log) {
        return sibling(log, ".err");
    }

    private static Path sibling(Path log, String end) {
        return log.resolveSibling(log.getFileName() + end);
    }

    /// Moves over what is new; with the rest of a last line if the container has `ended`.
    synchronized void pump(boolean ended) {
        try {
            boolean moved = false;
            for (Stream stream : streams) {
                long length = stream.file.toFile().length();
                if (length < stream.position) {
                    stream.position = 0; // the container cut its own output
                }
                // One that writes as fast as it is read must not keep the logs of all others waiting.
                for (int chunks = 0;
                        (ended || chunks < MOST_CHUNKS) && hasMore(stream) && move(stream, ended);
                        chunks++) {
                    moved = true;
                }
            }
            if (moved) {
                Files.writeString(positions, streams.get(0).position + " " + streams.get(1).position);
            }
        } catch (IOException e) {
            throw new NodeException("cannot write " + log, e);
        }
    }

    private static boolean hasMore(Stream stream) {
        return stream.file.toFile().length() > stream.position;
    }

    /// The last of it; the container's own files go.
    synchronized void finish() {
        pump(true);
        try {
            for (Stream stream : streams) {
                Files.deleteIfExists(stream.file);
            }
            Files.deleteIfExists(positions);
        } catch (IOException e) {
            throw new NodeException("cannot tidy up " + log, e);
        }
    }

    /// Moves some lines; false if there is no whole one.
    private boolean move(Stream stream, boolean ended) throws IOException {
        byte[] chunk = read(stream);
        CriLines lines = CriLines.of(chunk, new CriLines.Origin(Instant.now(), stream.name), ended, LONGEST_LINE);
        if (lines.used() == 0) {
            return false;
        }
        rotate();
        try (OutputStream out = new FileOutputStream(log.toFile(), true)) {
            out.write(lines.text().getBytes(StandardCharsets.ISO_8859_1));
        }
        stream.position += lines.used();
        io.fairlead.kernel.FileSpace.release(stream.file, stream.position);
        return true;
    }

    private static byte[] read(Stream stream) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(stream.file.toFile(), "r")) {
            file.seek(stream.position);
            byte[] chunk = new byte[Math.clamp(file.length() - stream.position, 0, CHUNK)];
            file.readFully(chunk);
            return chunk;
        }
    }

    private void rotate() throws IOException {
        if (log.toFile().length() > LARGEST) {
            Files.move(log, sibling(log, ".1"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private void readPositions() {
        try {
            if (Files.exists(positions)) {
                String[] numbers = Files.readString(positions).strip().split(" ", -1);
                for (int i = 0; i < streams.size() && i < numbers.length; i++) {
                    streams.get(i).position = Long.parseLong(numbers[i]);
                }
            }
        } catch (IOException | NumberFormatException e) {
            throw new NodeException("cannot read " + positions, e);
        }
    }
}
