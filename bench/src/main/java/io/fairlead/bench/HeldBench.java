package io.fairlead.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Many connections that are open at once through the relay of the mode userspace, and what its process takes for them.
///
/// Every connection is used once when all are open. Where the machine allows a process fewer descriptors than that takes
/// (two a connection), run it in the guest of `testkit/ipvs-vm`.
public final class HeldBench {
    private static final InetSocketAddress FRONT = new InetSocketAddress("127.0.0.1", 9001);
    private static final InetSocketAddress BACK = new InetSocketAddress("127.0.0.1", 9101);
    private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final List<SocketChannel> clients = new ArrayList<>();
    private final Selector selector = Selector.open();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64);
    private int accepted;
    private int echoed;

    private HeldBench() throws IOException {}

    /// How many connections, 20,000 if nothing is said.
    public static void main(String[] args) throws IOException, InterruptedException {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 20_000;
        Process relay = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.fairlead.userspace.RelayMain",
                        text(FRONT),
                        text(BACK))
                .inheritIO()
                .start();
        try {
            System.out.println("connections,idle_kb,held_kb,seconds,answered");
            System.out.println(new HeldBench().measure(count, relay));
        } finally {
            relay.destroy();
            relay.waitFor();
        }
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    private String measure(int count, Process relay) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(BACK, 4_096).configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            awaitRelay(begin);
            serveUntil(() -> accepted == 1, begin);
            long idle = kilobytes(relay);
            while (clients.size() < count) {
                clients.add(SocketChannel.open(FRONT));
                if (clients.size() % 64 == 0) {
                    serveUntil(() -> accepted == clients.size(), begin);
                }
            }
            serveUntil(() -> accepted == count, begin);
            for (SocketChannel client : clients) {
                client.write(ByteBuffer.wrap(new byte[] {'x'}));
            }
            serveUntil(() -> echoed == count, begin);
            long held = kilobytes(relay);
            int answered = 0;
            for (SocketChannel client : clients) {
                buffer.clear().limit(1);
                answered += Math.max(0, client.read(buffer));
            }
            return "%d,%d,%d,%d,%d"
                    .formatted(count, idle, held, (System.nanoTime() - begin) / 1_000_000_000, answered);
        }
    }

    /// Its first connection is one of those that are counted.
    private void awaitRelay(long begin) throws InterruptedException, IOException {
        while (true) {
            try {
                clients.add(SocketChannel.open(FRONT));
                return;
            } catch (IOException e) {
                if (System.nanoTime() - begin > MOST_NANOS) {
                    throw e;
                }
                Thread.sleep(100);
            }
        }
    }

    private interface Condition {
        boolean holds();
    }

    /// Takes what comes, and sends back what is sent.
    private void serveUntil(Condition condition, long begin) throws IOException {
        while (!condition.holds()) {
            if (System.nanoTime() - begin > MOST_NANOS) {
                throw new IOException("after 5 minutes %d were accepted, %d answered".formatted(accepted, echoed));
            }
            selector.select(this::serve, 1_000);
        }
    }

    private void serve(SelectionKey key) {
        try {
            if (key.channel() instanceof ServerSocketChannel server) {
                for (SocketChannel one = server.accept(); one != null; one = server.accept()) {
                    one.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(false);
                    one.register(selector, SelectionKey.OP_READ);
                    accepted++;
                }
            } else if (key.channel() instanceof SocketChannel one) {
                buffer.clear();
                if (one.read(buffer) < 0) {
                    one.close();
                } else {
                    one.write(buffer.flip());
                    echoed++;
                }
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static long kilobytes(Process process) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
    }
}
