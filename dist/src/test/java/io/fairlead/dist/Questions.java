package io.fairlead.dist;

import io.fairlead.api.Ip;
import io.fairlead.kernel.NetworkNamespace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/// A client that asks for one name so many times a second, whatever becomes of its questions, and counts what came
/// back.
final class Questions implements AutoCloseable {
    private static final int LIMIT = 60_000; // each has an id of its own
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /// What became of the questions: `wrong` were answered as they never should be, `gap` is the longest time
    /// between two answers.
    record Outcome(int asked, int answered, int wrong, Duration gap) {
        int lost() {
            return asked - answered;
        }
    }

    private final AtomicInteger asked = new AtomicInteger();
    private final ConcurrentHashMap<Integer, Boolean> open = new ConcurrentHashMap<>();
    private final Predicate<ByteBuffer> right;
    private final int port;
    private final Thread sender;
    private final Thread receiver;
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger wrong = new AtomicInteger();
    private volatile long gap;
    private volatile boolean stopped;
    private volatile boolean over;

    /// Asks the server at `server` from inside a namespace; `right` tells whether an answer may be given.
    Questions(NetworkNamespace from, String server, String name, int perSecond, Predicate<ByteBuffer> right) {
        this.right = right;
        byte[] question = question(name);
        DatagramSocket socket = from.call(DatagramSocket::new);
        port = socket.getLocalPort();
        InetAddress to = address(server);
        long pause = 1_000_000_000L / perSecond;
        sender = Thread.ofPlatform().name("questions").start(() -> {
            long next = System.nanoTime();
            while (!stopped && asked.get() < LIMIT) {
                int id = asked.incrementAndGet();
                open.put(id, true);
                byte[] bytes = ByteBuffer.wrap(question.clone())
                        .putShort(0, (short) id)
                        .array();
                send(socket, new DatagramPacket(bytes, bytes.length, to, 53));
                next += pause;
                LockSupport.parkNanos(next - System.nanoTime());
            }
        });
        receiver = Thread.ofPlatform().name("answers").start(() -> receive(socket));
    }

    private void send(DatagramSocket socket, DatagramPacket packet) {
        try {
            socket.send(packet);
        } catch (IOException _) {
            // The question stays open, and so counts as lost.
        }
    }

    private void receive(DatagramSocket socket) {
        long last = System.nanoTime();
        try (socket) {
            socket.setSoTimeout(50);
            while (!over) {
                DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
                try {
                    socket.receive(packet);
                } catch (SocketTimeoutException _) {
                    continue;
                }
                ByteBuffer answer = ByteBuffer.wrap(packet.getData(), 0, packet.getLength());
                if (open.remove(answer.getShort(0) & 0xffff) != null) {
                    answered.incrementAndGet();
                    wrong.addAndGet(right.test(answer) ? 0 : 1);
                    long now = System.nanoTime();
                    gap = Math.max(gap, now - last);
                    last = now;
                }
            }
        } catch (IOException _) {
            // Refused by ICMP: the questions that it is about stay open.
        }
    }

    /// One address, and it is of these; the last record of an answer ends with it.
    static Predicate<ByteBuffer> oneOf(Ip... addresses) {
        List<Ip> known = List.of(addresses);
        return answer -> {
            byte[] last = new byte[4];
            answer.get(answer.limit() - 4, last);
            return (answer.getShort(2) & 0xf) == 0 && answer.getShort(6) > 0 && known.contains(Ip.of(last));
        };
    }

    /// The code of an answer.
    static int code(ByteBuffer answer) {
        return answer.getShort(2) & 0xf;
    }

    /// The addresses of an answer that has no other records than those of the name that was asked for.
    static Set<Ip> addresses(ByteBuffer answer) {
        int at = 12;
        while (answer.get(at) != 0) {
            at += answer.get(at) + 1;
        }
        at += 5;
        Set<Ip> all = new HashSet<>();
        for (int i = 0; i < answer.getShort(6); i++) {
            byte[] address = new byte[4];
            answer.get(at + 12, address);
            all.add(Ip.of(address));
            at += 16;
        }
        return all;
    }

    /// From where it asks.
    int port() {
        return port;
    }

    int answered() {
        return answered.get();
    }

    /// Stops asking, and waits for the last answers.
    Outcome stop() throws InterruptedException {
        stopped = true;
        sender.join();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!open.isEmpty() && System.nanoTime() < end) {
            Thread.sleep(10);
        }
        over = true;
        receiver.join();
        return new Outcome(asked.get(), answered.get(), wrong.get(), Duration.ofNanos(gap));
    }

    @Override
    public void close() {
        stopped = true;
        over = true;
    }

    private static byte[] question(String name) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0});
        for (String label : name.split("\\.", -1)) {
            bytes.write(label.length());
            bytes.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
        }
        bytes.writeBytes(new byte[] {0, 0, 1, 0, 1});
        return bytes.toByteArray();
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (IOException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
