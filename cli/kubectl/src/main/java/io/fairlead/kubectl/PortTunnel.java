package io.fairlead.kubectl;

import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.client.ChannelSession;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// Carries each connection of a listener to one port of a pod, over a WebSocket of its own.
record PortTunnel(ApiClient client, NamespacedName pod, int port, Console console) {
    private static final int DATA = 0;
    private static final int BLOCK = 16 * 1024;
    private static final Duration LONGEST = Duration.ofHours(4);

    void accept(ServerSocket listener, TaskGroup tasks) {
        try (listener) {
            while (true) {
                Socket socket = listener.accept();
                console.println("Handling connection for " + listener.getLocalPort());
                tasks.runAlone("connection", () -> carry(socket));
            }
        } catch (IOException e) {
            // Closed with the command.
        }
    }

    private void carry(Socket socket) throws InterruptedException {
        AtomicIntegerArray seen = new AtomicIntegerArray(2); // both channels begin with the number of the port
        List<Map.Entry<String, String>> options = List.of(Map.entry("ports", Integer.toString(port)));
        try (socket;
                ChannelSession session = client.session(pod, "portforward", options, (channel, bytes) -> {
                    int from = channel < 2 && seen.getAndIncrement(channel) == 0 ? 2 : 0;
                    if (channel == DATA) {
                        socket.getOutputStream().write(bytes, from, bytes.length - from);
                    } else if (bytes.length > from) {
                        console.complain("error: " + new String(bytes, StandardCharsets.UTF_8).strip());
                    }
                });
                TaskGroup tasks = new TaskGroup("tunnel")) {
            tasks.runAlone("out", () -> send(socket, session));
            session.awaitEnd(LONGEST);
        } catch (IOException | ApiException e) {
            console.complain("error: port %d of pod %s: %s".formatted(port, pod.name(), e.getMessage()));
        }
    }

    private static void send(Socket socket, ChannelSession session) throws InterruptedException {
        byte[] block = new byte[BLOCK];
        try {
            InputStream in = socket.getInputStream();
            for (int count = in.read(block); count >= 0; count = in.read(block)) {
                session.send(DATA, block, count);
            }
        } catch (IOException e) {
            session.close(); // one side left
        }
    }
}
