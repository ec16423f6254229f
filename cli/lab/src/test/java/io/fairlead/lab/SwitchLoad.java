package io.fairlead.lab;

import io.fairlead.api.IpPort;
import io.fairlead.kernel.ControlGroup;
import io.fairlead.kernel.NetworkNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/// Clients of a Service while something happens to it: some connect again and again, others keep what they have.
final class SwitchLoad implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int ECHO = 5454;

    private final List<ServerSocket> servers = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final AtomicLong answers = new AtomicLong();
    private volatile boolean over;

    /// Who sends: a namespace, and the control group of its processes.
    record Client(NetworkNamespace namespace, ControlGroup group) {}

    /// Has a pod give back at port 5454 what it gets.
    void echoIn(NetworkNamespace pod) {
        ServerSocket server = pod.call(() -> new ServerSocket(ECHO, 100));
        servers.add(server);
        Thread.ofPlatform().daemon().start(() -> {
            while (!server.isClosed()) {
                try {
                    Socket client = server.accept();
                    Thread.ofPlatform().daemon().start(() -> echo(client));
                } catch (IOException _) {
                    // the end of the test: the loop's condition tells
                }
            }
        });
    }

    private static void echo(Socket client) {
        try (client) {
            client.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException _) {
            // the client sees it too
        }
    }

    /// Makes new connections to an answerer until the end.
    void connect(Client client, IpPort to) {
        threads.add(Thread.ofPlatform().start(() -> {
            client.namespace.enter();
            client.group.addThisThread();
            while (!over) {
                try (Socket socket = open(to)) {
                    if (socket.getInputStream().readAllBytes().length == 0) {
                        failures.add("no answer from " + to);
                    }
                    answers.incrementAndGet();
                } catch (IOException e) {
                    failures.add("a new connection to %s: %s".formatted(to, e));
                }
            }
        }));
    }

    /// A connection that stays.
    Socket hold(Client client, IpPort to) {
        return client.namespace.call(() -> {
            client.group.addThisThread();
            return open(to);
        });
    }

    private static Socket open(IpPort to) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.connect(
                    new InetSocketAddress(InetAddress.getByAddress(to.ip().bytes()), to.port()),
                    (int) PATIENCE.toMillis());
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /// Says something over a connection that stays, and hears it.
    void use(Socket held, String since) {
        try {
            held.getOutputStream().write('x');
            if (held.getInputStream().read() != 'x') {
                failures.add("a connection held since %s was ended".formatted(since));
            }
        } catch (IOException e) {
            failures.add("a connection held since %s: %s".formatted(since, e));
        }
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    long answers() {
        return answers.get();
    }

    /// Waits for what is under way.
    void end() throws InterruptedException {
        over = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Override
    public void close() throws IOException {
        over = true;
        for (ServerSocket server : servers) {
            server.close();
        }
    }
}
