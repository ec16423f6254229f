package io.fairlead.bench;

import io.fairlead.api.Ip;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// Makes real connections, to VIPs for the most part, from the network namespace of the calling thread.
final class Knocker {
    static final int PORT = 80;
    private static final int AT_ONCE = 128;
    // Much less than the second after which a kernel tries again to reach what was not there yet.
    private static final int PATIENCE_MILLIS = 20;

    private Knocker() {}

    /// Whether a connection to the VIP is made.
    static boolean isAnswered(Ip vip) {
        try (SocketChannel channel = open()) {
            channel.socket().connect(new InetSocketAddress(address(vip), PORT), PATIENCE_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// Which endpoint a new connection to the VIP reaches.
    static Ip endpointOf(Ip vip) throws IOException {
        try (SocketChannel channel = open()) {
            channel.connect(new InetSocketAddress(address(vip), PORT));
            ByteBuffer answer = ByteBuffer.allocate(4);
            while (answer.hasRemaining()) {
                if (channel.read(answer) < 0) {
                    throw new IOException("hung up without an answer");
                }
            }
            return Ip.of(answer.array());
        }
    }

    /// Connects to every VIP, as often as it takes until each has answered.
    static void awaitAll(List<Ip> vips) throws IOException {
        awaitAll(vips, PORT);
    }

    static void awaitAll(List<Ip> ips, int port) throws IOException {
        Deque<Ip> waiting = new ArrayDeque<>(ips);
        int begun = 0;
        try (Selector selector = Selector.open()) {
            while (!waiting.isEmpty() || begun > 0) {
                while (begun < AT_ONCE && !waiting.isEmpty()) {
                    begun += begin(waiting.remove(), port, selector, waiting) ? 1 : 0;
                }
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    finish(key, waiting);
                    begun--;
                }
                selector.selectedKeys().clear();
            }
        }
    }

    private static boolean begin(Ip ip, int port, Selector selector, Deque<Ip> again) throws IOException {
        SocketChannel channel = open();
        channel.configureBlocking(false);
        try {
            channel.connect(new InetSocketAddress(address(ip), port));
            channel.register(selector, SelectionKey.OP_CONNECT, ip);
            return true;
        } catch (IOException e) {
            channel.close();
            again.add(ip);
            return false;
        }
    }

    private static void finish(SelectionKey key, Deque<Ip> again) throws IOException {
        try (SocketChannel channel = (SocketChannel) key.channel()) {
            channel.finishConnect();
        } catch (IOException e) {
            again.add((Ip) key.attachment());
        }
    }

    /// Hangs up with a reset: what is left of a connection must not slow the next one down.
    private static SocketChannel open() throws IOException {
        return SocketChannel.open().setOption(StandardSocketOptions.SO_LINGER, 0);
    }

    private static InetAddress address(Ip ip) throws IOException {
        return InetAddress.getByAddress(ip.bytes());
    }
}
