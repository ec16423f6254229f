package io.fairlead.dist;

import io.fairlead.api.IpPort;
import io.fairlead.kernel.NetworkNamespace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/// HTTP connections from inside a network namespace, one new connection a request.
final class Traffic {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /// What became of one connection; times are those of [System#nanoTime].
    sealed interface Answer {
        long begun();

        record From(String pod, long begun) implements Answer {}

        record Failed(String why, long begun) implements Answer {}
    }

    private Traffic() {}

    /// Makes `count` connections one after the other.
    static List<Answer> send(NetworkNamespace from, IpPort to, int count) {
        return from.call(() -> {
            List<Answer> answers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                answers.add(ask(to));
            }
            return answers;
        });
    }

    /// Makes connections without pause until it is stopped.
    static Running keepSending(NetworkNamespace from, IpPort to) {
        return new Running(from, to, Duration.ZERO);
    }

    /// Makes so many connections a second, or fewer where an answer takes longer, until it is stopped.
    static Running keepSending(NetworkNamespace from, IpPort to, double perSecond) {
        return new Running(from, to, Duration.ofNanos((long) (1e9 / perSecond)));
    }

    /// A client that makes one connection after the other, on a thread of its own.
    static final class Running implements AutoCloseable {
        private static final int LIMIT = 2_000_000;

        private final List<Answer> answers = new ArrayList<>();
        private final Thread thread;
        private final CountDownLatch first = new CountDownLatch(1);
        private volatile boolean stopped;

        private Running(NetworkNamespace from, IpPort to, Duration pace) {
            thread = Thread.ofPlatform().name("traffic to " + to).start(() -> {
                from.enter();
                long next = System.nanoTime();
                while (!stopped && answers.size() < LIMIT) {
                    answers.add(ask(to));
                    first.countDown();
                    next += pace.toNanos();
                    LockSupport.parkNanos(next - System.nanoTime());
                }
            });
        }

        /// Waits until the first connection was made.
        void awaitFirst() throws InterruptedException {
            first.await();
        }

        /// Ends the traffic; gives what became of each connection.
        List<Answer> stop() throws InterruptedException {
            stopped = true;
            thread.join();
            return answers;
        }

        @Override
        public void close() {
            stopped = true;
        }
    }

    /// One connection from the calling thread's namespace.
    static Answer ask(IpPort to) {
        long begun = System.nanoTime();
        try (Socket socket = new Socket()) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.connect(new InetSocketAddress(to.ip().toString(), to.port()), (int) PATIENCE.toMillis());
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: hello\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String text = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return text.lines()
                    .filter(line -> line.startsWith("pod:"))
                    .findFirst()
                    .<Answer>map(line -> new Answer.From(line.substring(4).strip(), begun))
                    .orElseGet(() -> new Answer.Failed("an answer without a pod: " + text, begun));
        } catch (IOException e) {
            return new Answer.Failed(e.toString(), begun);
        }
    }
}
