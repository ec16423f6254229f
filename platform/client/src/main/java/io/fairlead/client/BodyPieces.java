package io.fairlead.client;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The body of an answer, piece by piece as it comes, read with a patience that ends.
///
/// This is where the callbacks of java.net.http become blocking calls. The queue is bounded by demand: one piece is
/// asked for at the start and one for each that was taken, so a slow reader slows the sender down.
final class BodyPieces implements BodySubscriber<BodyPieces>, AutoCloseable {
    private sealed interface Piece {
        record Bytes(List<ByteBuffer> buffers) implements Piece {}

        record End() implements Piece {}

        record Failed(Throwable cause) implements Piece {}
    }

    private final LinkedBlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
    private final AtomicReference<@Nullable Subscription> subscription = new AtomicReference<>();
    private volatile boolean ended;

    /// The next bytes, or nothing at the end; an exception if none came within `patience`.
    Optional<byte[]> next(Duration patience) throws IOException, InterruptedException {
        Piece piece = pieces.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        if (piece == null) {
            throw new HttpTimeoutException("nothing came for " + patience.toMillis() + " ms");
        }
        return taken(piece);
    }

    /// True if [#next] would not wait.
    boolean isReady() {
        return !pieces.isEmpty();
    }

    /// Ends the answer from our side; one that has come whole needs no end, and over HTTP/2 a server counts those that
    /// are ended.
    @Override
    public void close() {
        Subscription open = subscription.get();
        if (open != null && !ended) {
            open.cancel();
        }
    }

    private Optional<byte[]> taken(Piece piece) throws IOException {
        return switch (piece) {
            case Piece.Bytes(List<ByteBuffer> buffers) -> {
                askForMore();
                yield Optional.of(joined(buffers));
            }
            case Piece.End _ -> {
                pieces.add(piece); // the end stays the end
                yield Optional.empty();
            }
            case Piece.Failed(Throwable cause) -> {
                pieces.add(piece);
                throw new IOException(StatusErrors.why(cause), cause);
            }
        };
    }

    private void askForMore() {
        Subscription open = subscription.get();
        if (open != null) {
            open.request(1);
        }
    }

    private static byte[] joined(List<ByteBuffer> buffers) {
        byte[] bytes = new byte[buffers.stream().mapToInt(ByteBuffer::remaining).sum()];
        int at = 0;
        for (ByteBuffer buffer : buffers) {
            int length = buffer.remaining();
            buffer.get(bytes, at, length);
            at += length;
        }
        return bytes;
    }

    @Override
    public CompletionStage<BodyPieces> getBody() {
        return CompletableFuture.completedStage(this);
    }

    @Override
    public void onSubscribe(Subscription opened) {
        subscription.set(opened);
        opened.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        pieces.add(new Piece.Bytes(buffers));
    }

    @Override
    public void onError(Throwable cause) {
        ended = true;
        pieces.add(new Piece.Failed(cause));
    }

    @Override
    public void onComplete() {
        ended = true;
        pieces.add(new Piece.End());
    }
}
