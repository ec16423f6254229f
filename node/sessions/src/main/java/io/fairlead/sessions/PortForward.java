package io.fairlead.sessions;

import io.fairlead.api.Ip;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.streams.Duplex;
import io.fairlead.streams.ForwardStreams;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/// Connections into a pod, to ports on its loopback: made where the pod is, so a program that listens there alone is
/// reached too.
final class PortForward {
    private static final int CONNECT_MILLIS = 5_000;
    private static final Duration REST = Duration.ofMinutes(1);
    private static final Ip LOOPBACK_4 = Ip.parse("127.0.0.1");
    private static final Ip LOOPBACK_6 = Ip.parse("::1");

    private final Pods.Pod pod;

    PortForward(Pods.Pod pod) {
        this.pod = pod;
    }

    /// Carries each connection that the client opens, until it leaves.
    void run(ForwardStreams streams) throws InterruptedException {
        try (TaskGroup tasks = new TaskGroup("port-forward")) {
            for (Optional<ForwardStreams.Connection> next = streams.next(); next.isPresent(); next = streams.next()) {
                ForwardStreams.Connection connection = next.get();
                tasks.runAlone("connection", () -> carry(connection));
            }
            // Over a WebSocket all connections are known at once, and the last ones still run.
            tasks.join();
        }
    }

    private void carry(ForwardStreams.Connection connection) throws IOException {
        try (OutputStream error = connection.error()) {
            try (Socket socket = connect(port(connection.port()))) {
                join(connection.bytes(), socket, REST);
            } catch (IOException | SessionException e) {
                String sentence = "error forwarding port %s to pod %s: %s"
                        .formatted(connection.port(), pod.name(), e.getMessage());
                error.write(sentence.getBytes(StandardCharsets.UTF_8));
            }
            connection.bytes().out().close();
        }
    }

    /// Both ways, until the pod has said all; a client that ends first has only ended its half, and the pod has so
    /// long for each piece of its answer then. A client that is cut off ends it.
    static void join(Duplex client, Socket socket, Duration rest) throws IOException {
        try (TaskGroup tasks = new TaskGroup("to-pod")) {
            tasks.run("copy", () -> {
                try {
                    Copy.all(client.in(), socket.getOutputStream());
                    socket.shutdownOutput();
                    socket.setSoTimeout((int) Math.max(1, rest.toMillis()));
                    if (rest.isZero()) {
                        socket.close();
                    }
                } catch (IOException e) {
                    socket.close();
                }
            });
            Copy.all(socket.getInputStream(), client.out());
        }
    }

    static int port(String text) {
        if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > 65535) {
            throw SessionException.badRequest("\"%s\" is no port".formatted(text));
        }
        return Integer.parseInt(text);
    }

    /// To the pod's own address, as any client of the pod connects.
    Socket connectFromOutside(int port) throws IOException {
        if (pod.addresses().isEmpty()) {
            throw new IOException("the pod has no address yet");
        }
        return open(pod.addresses().getFirst(), port);
    }

    private Socket connect(int port) throws IOException {
        if (pod.namespace().isEmpty()) {
            return open(port);
        }
        NetworkNamespace namespace =
                NetworkNamespace.find(pod.namespace()).orElseThrow(() -> new IOException("the pod's network is gone"));
        try {
            return namespace.call(() -> open(port));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static Socket open(int port) throws IOException {
        try {
            return open(LOOPBACK_4, port);
        } catch (ConnectException first) {
            try {
                return open(LOOPBACK_6, port);
            } catch (IOException e) {
                throw first;
            }
        }
    }

    private static Socket open(Ip address, int port) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(address.toString(), port), CONNECT_MILLIS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
