package io.fairlead.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Many connections through a relay that are open at once: each says a byte and hears it, then all stay open, and each
/// does so again. The server behind the relay is in this process too.
///
/// The arguments: the port of the relay, the port of the server, how many, the process of the relay. Prints what the
/// relay's process took of the memory while all were open.
public final class ConnectionCrowd {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int AT_ONCE = 500; // on their way; a backlog has an end

    private final Selector selector;
    private final ServerSocketChannel server;
    private final List<SocketChannel> clients = new ArrayList<>();
    private final ByteBuffer one = ByteBuffer.allocateDirect(1);
    private long heard;

    private ConnectionCrowd(int port) throws IOException {
        selector = Selector.open();
        server = ServerSocketChannel.open().bind(at(port), 4_096);
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT, this);
    }

    public static void main(String[] args) throws IOException {
        int relay = Integer.parseInt(args[0]);
        int count = Integer.parseInt(args[2]);
        ConnectionCrowd crowd = new ConnectionCrowd(Integer.parseInt(args[1]));
        long begin = System.nanoTime();
        while (crowd.clients.size() < count) {
            int next = Math.min(count, crowd.clients.size() + AT_ONCE);
            while (crowd.clients.size() < next) {
                crowd.connect(relay);
            }
            crowd.awaitHeard(next);
        }
        long opened = (System.nanoTime() - begin) / 1_000_000;
        for (SocketChannel client : crowd.clients) {
            crowd.say(client);
        }
        crowd.awaitHeard(2L * count);
        System.out.printf(
                "fairlead,%1$d connections open at once: until all are,1,%2$d,ms%n"
                        + "fairlead,%1$d connections open at once: memory,1,%3$d,kB%n",
                count, opened, memory(args[3]));
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static long memory(String process) throws IOException {
        return Files.readAllLines(Path.of("/proc", process, "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
    }

    private void connect(int port) throws IOException {
        SocketChannel client = SocketChannel.open();
        client.configureBlocking(false);
        clients.add(client);
        if (client.connect(at(port))) {
            client.register(selector, SelectionKey.OP_READ);
            say(client);
        } else {
            client.register(selector, SelectionKey.OP_CONNECT);
        }
    }

    private void say(SocketChannel client) throws IOException {
        one.clear();
        if (client.write(one) != 1) {
            throw new IOException("a connection takes no byte");
        }
    }

    /// Every failure of a connection ends the measurement.
    private void awaitHeard(long wanted) throws IOException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (heard < wanted) {
            if (System.nanoTime() - until > 0) {
                throw new IOException("%d of %d answers in %s".formatted(heard, wanted, PATIENCE));
            }
            selector.select(1_000);
            for (SelectionKey key : selector.selectedKeys()) {
                take(key);
            }
            selector.selectedKeys().clear();
        }
    }

    private void take(SelectionKey key) throws IOException {
        if (key.isAcceptable()) {
            for (SocketChannel there = server.accept(); there != null; there = server.accept()) {
                there.configureBlocking(false);
                there.register(selector, SelectionKey.OP_READ, this);
            }
            return;
        }
        SocketChannel channel = (SocketChannel) key.channel();
        if (key.isConnectable()) {
            channel.finishConnect();
            key.interestOps(SelectionKey.OP_READ);
            say(channel);
            return;
        }
        one.clear();
        if (channel.read(one) < 0) {
            throw new IOException("a connection ended after %d answers".formatted(heard));
        }
        if (key.attachment() == this) {
            say(channel);
        } else {
            heard++;
        }
    }
}
