package io.fairlead.testkit;

import io.fairlead.runtime.TaskGroup;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Clients of a web server on loopback that do not stop: some keep their connection and ask once more where it broke
/// before an answer came, as every client may that asks for what changes nothing; others hold a WebSocket open and look
/// whether it still answers.
public final class SteadyClients implements AutoCloseable {
    private static final int ASKING = 8;
    /// How many WebSockets they hold.
    public static final int HOLDING = 16;

    private static final int MOST_FAULTS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(2);

    private final int port;
    private final String asks;
    private final String holds;
    private final TaskGroup tasks = new TaskGroup("clients");
    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong retried = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong opened = new AtomicLong();
    private final AtomicLong closed = new AtomicLong();
    private final AtomicLong left = new AtomicLong();
    private final CountDownLatch busy = new CountDownLatch(ASKING + HOLDING);
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private volatile boolean over;

    /// What they saw: requests, those that were asked twice, those that failed all the same, answers that ended their
    /// connection, WebSockets, those of them that ended, and how the first of all these failed.
    public record Seen(
            long asked, long retried, long failed, long left, long opened, long closed, List<String> faults) {
        public Seen {
            faults = List.copyOf(faults);
        }
    }

    /// Starts them: `asks` is the host that they ask, `holds` the host of the WebSockets, whose server sends back each
    /// byte.
    public SteadyClients(int port, String asks, String holds) {
        this.port = port;
        this.asks = asks;
        this.holds = holds;
        for (int i = 0; i < ASKING; i++) {
            tasks.run("asks", this::ask);
        }
        for (int i = 0; i < HOLDING; i++) {
            tasks.run("holds", this::hold);
        }
    }

    public Seen seen() {
        return new Seen(asked.get(), retried.get(), failed.get(), left.get(), opened.get(), closed.get(), faults);
    }

    /// Ends them, once each has finished what it began.
    public Seen finish() throws InterruptedException {
        over = true;
        if (!busy.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("%d clients still wait for an answer".formatted(busy.getCount()));
        }
        return seen();
    }

    private void ask() throws InterruptedException {
        Connection connection = null;
        while (!over) {
            asked.incrementAndGet();
            try {
                connection = connection == null ? new Connection(asks) : connection;
                connection.get();
            } catch (IOException _) {
                retried.incrementAndGet();
                connection = again(connection);
            }
            if (connection != null && connection.ends) {
                left.incrementAndGet();
                connection.close();
                connection = null;
            }
            Thread.sleep(PAUSE);
        }
        if (connection != null) {
            connection.close();
        }
        busy.countDown();
    }

    private @Nullable Connection again(@Nullable Connection broken) {
        if (broken != null) {
            broken.close();
        }
        try {
            Connection next = new Connection(asks);
            next.get();
            return next;
        } catch (IOException e) {
            fail(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private void tell(String fault) {
        if (faults.size() < MOST_FAULTS) {
            faults.add(fault);
        }
    }

    private void fail(String why) {
        failed.incrementAndGet();
        tell(why);
    }

    private void hold() throws InterruptedException {
        try (Connection connection = new Connection(holds)) {
            connection.upgrade();
            opened.incrementAndGet();
            while (!over) {
                connection.echo();
                Thread.sleep(Duration.ofMillis(20));
            }
        } catch (IOException e) {
            closed.incrementAndGet();
            tell("a WebSocket ended: " + e.getMessage());
        } finally {
            busy.countDown();
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("the connection ended after %d bytes of a head".formatted(head.length()));
            }
            head.append((char) b);
        }
        return head.toString();
    }

    @Override
    public void close() {
        over = true;
        tasks.close();
    }

    /// One connection to the front, for one host.
    private final class Connection implements AutoCloseable {
        private final Socket socket;
        private final InputStream in;
        private final String host;
        private boolean ends;

        Connection(String host) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout((int) PATIENCE.toMillis());
            this.in = new BufferedInputStream(socket.getInputStream());
            this.host = host;
        }

        void get() throws IOException {
            send("GET / HTTP/1.1\r\nHost: %s\r\n\r\n");
            String head = head(in);
            int length = head.toLowerCase(Locale.ROOT).indexOf("content-length: ");
            if (!head.startsWith("HTTP/1.1 200") || length < 0) {
                fail(head.lines().findFirst().orElse(""));
                ends = true;
                return;
            }
            int size = Integer.parseInt(head.substring(length + 16, head.indexOf("\r\n", length)));
            if (in.readNBytes(size).length < size) {
                fail("the answer was cut");
            }
            ends = head.toLowerCase(Locale.ROOT).contains("connection: close");
        }

        void upgrade() throws IOException {
            send("GET / HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
            String head = head(in);
            if (!head.startsWith("HTTP/1.1 101")) {
                throw new IOException(
                        "no WebSocket: " + head.lines().findFirst().orElse(""));
            }
        }

        void echo() throws IOException {
            socket.getOutputStream().write('x');
            if (in.read() != 'x') {
                throw new IOException("it does not echo");
            }
        }

        private void send(String head) throws IOException {
            socket.getOutputStream().write(head.formatted(host).getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException _) {
                // It is gone either way.
            }
        }
    }
}
