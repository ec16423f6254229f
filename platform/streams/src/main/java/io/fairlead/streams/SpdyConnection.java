package io.fairlead.streams;

import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/// The server's side of SPDY/3.1: the client opens streams, we accept each, and bytes go both ways.
public final class SpdyConnection {
    private static final int MOST_STREAMS = 256;

    /// What a client that fills its streams may hold of our memory.
    private static final int MOST_WAITING_BYTES = 512 * 1024;
    private static final int REFUSED = 3;

    private final SpdyHeaders headers = new SpdyHeaders();
    private final SpdyReader reader;
    private final SpdyWriter writer;
    private final ByteQueue.Budget budget = new ByteQueue.Budget(MOST_WAITING_BYTES);
    private final Map<Integer, SpdyStream> streams = new ConcurrentHashMap<>();
    // Nothing stands for the end.
    private final BlockingQueue<Optional<SpdyStream>> opened = new LinkedBlockingQueue<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    private SpdyConnection(Duplex bytes) {
        this.reader = new SpdyReader(bytes.in(), headers);
        this.writer = new SpdyWriter(bytes.out(), headers);
    }

    /// Reads the connection in a task of `tasks` until it ends.
    public static SpdyConnection over(Duplex bytes, TaskGroup tasks) {
        SpdyConnection connection = new SpdyConnection(bytes);
        tasks.run("spdy", connection::readAll);
        return connection;
    }

    /// Waits for the next stream that the client opens; nothing when the connection has ended.
    public Optional<SpdyStream> accept() throws InterruptedException {
        Optional<SpdyStream> next = opened.take();
        if (next.isEmpty()) {
            opened.add(next);
        }
        return next;
    }

    /// Waits until the client is gone.
    void awaitEnd() throws InterruptedException {
        ended.await();
    }

    private void readAll() {
        try {
            for (Optional<SpdyFrame> frame = reader.read(); frame.isPresent(); frame = reader.read()) {
                take(frame.get());
            }
        } catch (IOException e) {
            // The same as its end: the thread that reads or writes a stream finds out.
        } finally {
            streams.values().forEach(stream -> stream.received().end());
            opened.add(Optional.empty());
            ended.countDown();
            headers.close();
        }
    }

    private void take(SpdyFrame frame) throws IOException {
        switch (frame) {
            case SpdyFrame.Open open -> accept(open);
            case SpdyFrame.Bytes(int id, byte[] bytes, boolean last) -> receive(id, bytes, last);
            case SpdyFrame.Reset(int id, int _) -> forget(id);
            case SpdyFrame.Ping ping -> writer.write(ping);
            case SpdyFrame.Reply _, SpdyFrame.Leave _, SpdyFrame.Other _ -> {}
        }
    }

    /// Also those that were opened and reset, or opened again, wait to be accepted: they count, too.
    private void accept(SpdyFrame.Open open) throws IOException {
        if (streams.size() >= MOST_STREAMS || opened.size() >= MOST_STREAMS || streams.containsKey(open.stream())) {
            writer.write(new SpdyFrame.Reset(open.stream(), REFUSED));
            return;
        }
        SpdyStream stream = new SpdyStream(open.stream(), open.headers(), writer, new ByteQueue(budget));
        streams.put(stream.id(), stream);
        writer.write(new SpdyFrame.Reply(stream.id(), Map.of(), false));
        if (open.last()) {
            stream.received().end();
        }
        opened.add(Optional.of(stream));
    }

    private void receive(int id, byte[] bytes, boolean last) throws IOException {
        SpdyStream stream = streams.get(id);
        if (stream == null) {
            return; // it was reset, and these were on their way
        }
        stream.received().output().write(bytes);
        if (last) {
            stream.received().end();
        }
    }

    /// Whatever still comes for the stream is thrown away.
    public void forget(SpdyStream stream) {
        forget(stream.id());
        stream.received().abandon();
    }

    private void forget(int id) {
        SpdyStream stream = streams.remove(id);
        if (stream != null) {
            stream.received().end();
        }
    }
}
