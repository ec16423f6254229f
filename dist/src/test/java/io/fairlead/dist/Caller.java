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
import java.util.concurrent.locks.LockSupport;

/// A client that makes one new connection after the other, and remembers what became of each.
final class Caller implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 3_000;
    private static final int LIMIT = 200_000;

    /// Where a caller stands: `node` is the one whose kernel leads its connections; `external` if it knocks at a node
    /// port and not at the address of the Service.
    record Place(String name, String node, boolean external) {}

    /// One connection; `pod` answered, or no pod did and `failure` says how.
    record Connection(Place from, Span span, String pod, String failure) {
        boolean failed() {
            return pod.isEmpty();
        }
    }

    private final Place place;
    private final IpPort to;
    private final List<Connection> connections = new ArrayList<>();
    private final Thread thread;
    private volatile boolean stopped;

    Caller(Place place, NetworkNamespace from, IpPort to, Duration pace) {
        this.place = place;
        this.to = to;
        this.thread = Thread.ofPlatform().name("caller " + place.name()).start(() -> {
            from.enter();
            while (!stopped && connections.size() < LIMIT) {
                connections.add(connect());
                LockSupport.parkNanos(pace.toNanos());
            }
        });
    }

    List<Connection> stop() throws InterruptedException {
        stopped = true;
        thread.join();
        return connections;
    }

    private Connection connect() {
        long begun = System.nanoTime();
        String pod = "";
        String failure = "";
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(new InetSocketAddress(to.ip().toString(), to.port()), PATIENCE_MILLIS);
            socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            pod = answer.lines()
                    .filter(line -> line.startsWith("pod:"))
                    .map(line -> line.substring(4).strip())
                    .findFirst()
                    .orElseThrow(() -> new IOException("an answer without a pod: \"" + answer + "\""));
        } catch (IOException e) {
            failure = e.toString();
        }
        return new Connection(place, new Span(begun, System.nanoTime()), pod, failure);
    }

    @Override
    public void close() {
        stopped = true;
    }
}
