package io.fairlead.http;

import io.fairlead.objects.StatusException;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/// The body of a request: read when a handler wants it, so that a client without rights fills no memory.
final class BodyBytes implements Supplier<byte[]> {
    static final int LIMIT = 3 * 1024 * 1024;

    // A client that sends this much too much still gets to read why.
    private static final int MOST_TAKEN = 4 * LIMIT;

    /// How long the rest of a body may take that no handler will read, and how many threads may wait for one at a
    /// time.
    private static final Duration MOMENT = Duration.ofMillis(200);

    private static final Duration LOOK = Duration.ofMillis(2);
    private static final Semaphore WAITING = new Semaphore(8);

    private static final int MOST_PROMISED = 64 * 1024;
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final long LEAST_BYTES_A_SECOND = 32 * 1024;

    private final Request request;
    private byte @Nullable [] bytes;
    private boolean refused;
    private boolean left;
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
        // A client that says how long its body is, is believed up to a point: what it promises takes no memory.
        ByteArrayOutputStream all = new ByteArrayOutputStream(Math.clamp(request.getLength(), 512, MOST_PROMISED));
        long begin = System.nanoTime();
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                awaitMore(begin, all.size());
                continue;
            }
            if (Content.Chunk.isFailure(chunk)) {
                left = true;
                throw StatusException.badRequest("the body of the request broke off: "
                        + chunk.getFailure().getMessage());
            }
            all.writeBytes(BufferUtil.toArray(chunk.getByteBuffer()));
            chunk.release();
            if (all.size() > LIMIT) {
                refused = true;
                throw tooLarge();
            }
            if (chunk.isLast()) {
                return all.toByteArray();
            }
        }
    }

    /// A body has a while to begin, and then comes at a pace: what is slower holds a place for nothing.
    private void awaitMore(long begin, int count) {
        CountDownLatch more = new CountDownLatch(1);
        long end = begin + GRACE.toNanos() + count * (1_000_000_000L / LEAST_BYTES_A_SECOND);
        request.demand(Invocable.from(Invocable.InvocationType.NON_BLOCKING, more::countDown));
        try {
            if (more.await(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        left = true;
        throw StatusException.of(
                408,
                "Timeout",
                "the body came too slowly: %d bytes in %d s"
                        .formatted(
                                count,
                                Duration.ofNanos(System.nanoTime() - begin).toSeconds()));
    }

    /// Takes the rest off the connection: to answer earlier would end it while the client still sends, and its
    /// next request on it would fail. A rest that does not come within a moment is left, and the connection with
    /// it; so is what is far too long. Few threads wait for that moment at a time, so that silent clients hold up
    /// no other request.
    void finish() throws InterruptedException {
        if (left || bytes != null || request.getLength() == 0 || request.getLength() > MOST_TAKEN) {
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

    private static StatusException tooLarge() {
        return StatusException.of(
                413, "RequestEntityTooLarge", "the body is too large: at most %d bytes are read".formatted(LIMIT));
    }
}
