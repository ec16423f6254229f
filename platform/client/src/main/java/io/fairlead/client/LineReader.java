package io.fairlead.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/// The lines of an answer, each as soon as its last byte is here.
final class LineReader {
    private final BodyPieces pieces;
    private final int maxLine;
    private final Deque<byte[]> lines = new ArrayDeque<>();
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

    LineReader(BodyPieces pieces, int maxLine) {
        this.pieces = pieces;
        this.maxLine = maxLine;
    }

    /// The next line without its end, or nothing when there are no more; half a line at the end counts as broken.
    Optional<byte[]> next(Duration patience) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (lines.isEmpty()) {
            Optional<byte[]> piece = pieces.next(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            if (piece.isEmpty()) {
                return atEnd();
            }
            split(piece.get());
        }
        return Optional.of(lines.remove());
    }

    /// True if a whole line is here already.
    boolean isReady() throws IOException, InterruptedException {
        while (lines.isEmpty() && pieces.isReady()) {
            Optional<byte[]> piece = pieces.next(Duration.ZERO);
            if (piece.isEmpty()) {
                return false;
            }
            split(piece.get());
        }
        return !lines.isEmpty();
    }

    private Optional<byte[]> atEnd() throws IOException {
        if (begun.size() > 0) {
            throw new IOException("the answer ended within a line");
        }
        return Optional.empty();
    }

    private void split(byte[] piece) throws IOException {
        int start = 0;
        for (int i = 0; i < piece.length; i++) {
            if (piece[i] == '\n') {
                begun.write(piece, start, i - start);
                endLine();
                start = i + 1;
            }
        }
        begun.write(piece, start, piece.length - start);
        if (begun.size() > maxLine) {
            throw new IOException("a line is longer than " + maxLine + " bytes");
        }
    }

    private void endLine() {
        if (begun.size() > 0) {
            lines.add(begun.toByteArray());
        }
        begun.reset();
    }
}
