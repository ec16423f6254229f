package io.fairlead.bench;

import io.fairlead.api.IpPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLongArray;

/// Many watches, each on a connection of its own, read by one thread that counts the events of each.
final class Watchers implements AutoCloseable {
    private final Selector selector;
    private final int[] left;
    private final AtomicLongArray arrived;

    private static final class Watch {
        int seen;
        byte last;
    }

    /// Opens `count` watches of `path`, of which each is to see `events` events.
    Watchers(IpPort server, String path, int count, int events) throws IOException {
        selector = Selector.open();
        left = new int[events];
        java.util.Arrays.fill(left, count);
        arrived = new AtomicLongArray(events);
        byte[] head = ("GET " + path + " HTTP/1.1\r\nHost: bench\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < count; i++) {
            SocketChannel channel =
                    SocketChannel.open(new InetSocketAddress(server.ip().toString(), server.port()));
            channel.write(ByteBuffer.wrap(head));
            // The head of the answer says that the watch stands.
            channel.read(ByteBuffer.allocate(4096));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, new Watch());
        }
    }

    /// When the last watch had the event of this number, in nanoseconds; 0 while some have not.
    long arrived(int event) {
        return arrived.get(event);
    }

    void read() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(256 * 1024);
        while (selector.isOpen()) {
            selector.select(key -> read(key, buffer), 1000);
        }
    }

    private void read(SelectionKey key, ByteBuffer buffer) {
        Watch watch = (Watch) key.attachment();
        buffer.clear();
        try {
            if (((SocketChannel) key.channel()).read(buffer) < 0) {
                key.cancel();
            }
        } catch (IOException e) {
            key.cancel();
        }
        buffer.flip();
        while (buffer.hasRemaining()) {
            byte next = buffer.get();
            if (next == '\n' && watch.last == '}') {
                count(watch.seen++);
            }
            watch.last = next;
        }
    }

    private void count(int event) {
        if (event < left.length && --left[event] == 0) {
            arrived.set(event, System.nanoTime());
        }
    }

    @Override
    public void close() throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }
}
