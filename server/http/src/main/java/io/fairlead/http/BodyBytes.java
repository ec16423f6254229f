package io.fairlead.http;

import io.fairlead.objects.ApiException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/// The body of a request: read when a handler wants it, so that a client without rights fills no memory.
final class BodyBytes implements Supplier<byte[]> {
    static final int LIMIT = 3 * 1024 * 1024;

    // A client that sends this much too much still gets to read why.
    private static final int MOST_TAKEN = 4 * LIMIT;

    /// How long the rest of a body may take that no one will read, and how many threads may wait for one at a
    /// time.
    private static final Duration MOMENT = Duration.ofMillis(200);

    private static final Duration LOOK = Duration.ofMillis(2);
    private static final Semaphore WAITING = new Semaphore(8);

    private final Request request;
    private byte @Nullable [] bytes;
    private boolean refused;
    private long taken;

    BodyBytes(Request request) {
        this.request = request;
    }

    @Override
    public byte[] get() {
        if (refused || request.getLength() > LIMIT) {
            throw tooLarge();
        }
        if (bytes == null) {
            bytes = read();
        }
        return bytes;
    }

    private byte[] read() {
        // Not closed: what is too long for us still has to be taken off the connection.
        InputStream in = Content.Source.asInputStream(request);
        try {
            // Who says how long the body is, is believed: else a buffer of 16 kB is made for each.
            byte[] read = in.readNBytes(request.getLength() < 0 ? LIMIT + 1 : (int) request.getLength());
            if (read.length > LIMIT) {
                refused = true;
                throw tooLarge();
            }
            return read;
        } catch (IOException e) {
            throw ApiException.badRequest("the body of the request broke off: " + e.getMessage());
        }
    }

    /// Takes the rest off the connection: to answer earlier would end it while the client still sends, and its
    /// next request on it would fail. A rest that does not come within a moment is left, and the connection with
    /// it; so is what is far too long. Few threads wait for that moment at a time, so that silent clients hold up
    /// no one else.
    void finish() throws InterruptedException {
        if (bytes != null || request.getLength() == 0 || request.getLength() > MOST_TAKEN) {
            return;
        }
        boolean mayWait = WAITING.tryAcquire();
        try {
            long end = System.nanoTime() + (mayWait ? MOMENT.toNanos() : 0);
            while (!takeWhatIsThere() && System.nanoTime() < end) {
                Thread.sleep(LOOK);
            }
        } finally {
            if (mayWait) {
                WAITING.release();
            }
        }
    }

    /// True if nothing more will come.
    private boolean takeWhatIsThere() {
        while (taken <= MOST_TAKEN) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                return false;
            }
            taken += chunk.remaining();
            chunk.release();
            if (chunk.isLast()) {
                return true;
            }
        }
        return true;
    }

    private static ApiException tooLarge() {
        return ApiException.of(
                413, "RequestEntityTooLarge", "the body is too large: at most %d bytes are read".formatted(LIMIT));
    }
}
