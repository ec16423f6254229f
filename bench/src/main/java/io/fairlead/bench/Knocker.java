package io.fairlead.bench;

import io.fairlead.api.Ip;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// Makes real connections, to VIPs for the most part, from the network namespace of the calling thread.
final class Knocker {
    static final int PORT = 80;
    // Much less than the second after which a kernel tries again to reach what was not there yet.
    private static final Duration PATIENCE = Duration.ofMillis(5);
    private static final Duration PAUSE = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private Knocker() {}

    /// Whether a connection to the VIP is made.
    static boolean isAnswered(Ip vip) {
        try (SocketChannel channel = open()) {
            return isAnswered(channel, vip, PORT);
        } catch (IOException e) {
            return false;
        }
    }

    /// Most answers are there as soon as the call is made, for packets between namespaces travel with the caller.
    private static boolean isAnswered(SocketChannel channel, Ip ip, int port) throws IOException {
        channel.configureBlocking(false);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        channel.connect(new InetSocketAddress(address(ip), port));
        while (!channel.finishConnect() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return channel.isConnected();
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

    /// Connections that stand.
    record Calls(List<SocketChannel> channels) implements AutoCloseable {
        @Override
        public void close() {
            for (SocketChannel channel : channels) {
                try {
                    channel.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /// Connects to each in its turn, as often as it takes until it answers. To hang up takes a third of the time of a
    /// connection: that is left to the caller, who does it when nothing is measured any more.
    static Calls awaitAll(List<Ip> ips, int port) throws InterruptedException {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        List<SocketChannel> channels = new ArrayList<>(ips.size());
        for (Ip ip : ips) {
            Optional<SocketChannel> channel = find(ip, port);
            while (channel.isEmpty()) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("%s does not answer".formatted(ip));
                }
                Thread.sleep(PAUSE);
                channel = find(ip, port);
            }
            channels.add(channel.get());
        }
        return new Calls(channels);
    }

    private static Optional<SocketChannel> find(Ip ip, int port) {
        try {
            SocketChannel channel = open();
            if (isAnswered(channel, ip, port)) {
                return Optional.of(channel);
            }
            channel.close();
        } catch (IOException _) {
            // refused: such a channel has closed itself
        }
        return Optional.empty();
    }

    /// Hangs up with a reset: what is left of a connection must not slow the next one down.
    private static SocketChannel open() throws IOException {
        return SocketChannel.open().setOption(StandardSocketOptions.SO_LINGER, 0);
    }

    private static InetAddress address(Ip ip) throws IOException {
        return InetAddress.getByAddress(ip.bytes());
    }
}
