package io.fairlead.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;

/// The body of an answer as a stream, read piece by piece as it comes; each piece within the same patience.
final class BodyStream extends InputStream {
    private final BodyPieces pieces;
    private final Duration patience;
    private byte[] piece = {};
    private int at;

    BodyStream(BodyPieces pieces, Duration patience) {
        this.pieces = pieces;
        this.patience = patience;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        while (at == piece.length) {
            Optional<byte[]> next = next();
            if (next.isEmpty()) {
                return -1;
            }
            piece = next.get();
            at = 0;
        }
        int some = Math.min(length, piece.length - at);
        System.arraycopy(piece, at, into, offset, some);
        at += some;
        return some;
    }

    /// A stream cannot say that its reader was interrupted but by an exception of its own.
    private Optional<byte[]> next() throws IOException {
        try {
            return pieces.next(patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("interrupted").initCause(e);
        }
    }

    @Override
    public int available() {
        return piece.length - at;
    }

    @Override
    public void close() {
        pieces.close();
    }
}
