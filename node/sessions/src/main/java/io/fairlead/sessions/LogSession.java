package io.fairlead.sessions;

import io.fairlead.runtime.TaskGroup;
import io.fairlead.streams.Duplex;
import io.fairlead.streams.HttpHead;
import io.fairlead.streams.WebSocketBytes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// What a container wrote, for a client that reads it: as the body of an answer, or as messages of a WebSocket.
record LogSession(Pods.Container container, SessionRequest request, TaskGroup tasks) {
    static final List<String> PROTOCOLS = List.of("binary.k8s.io", "base64.binary.k8s.io");
    private static final Duration FAREWELL = Duration.ofSeconds(10);

    void run() throws IOException, InterruptedException {
        LogOptions options = LogOptions.of(request, InstantSource.system());
        Path file = options.previous()
                ? container.logs().before()
                : container.logs().now();
        if (!Files.exists(file)) {
            throw SessionException.badRequest(missing(options));
        }
        Duplex client = client();
        CountDownLatch gone = new CountDownLatch(1);
        tasks.run("client", () -> {
            Copy.all(client.in(), OutputStream.nullOutputStream());
            gone.countDown();
        });
        new LogReader(file, options, client.out())
                .copy(() -> gone.getCount() > 0 && container.running().getAsBoolean());
        client.out().flush();
        if (isSocket()) {
            client.out().close(); // says that this was all; a connection that is cut sooner may lose the rest
            var _ = gone.await(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private String missing(LogOptions options) {
        String form = options.previous()
                ? "previous terminated container \"%s\" in pod \"%s\" not found"
                : "container \"%s\" in pod \"%s\" is waiting to start";
        return form.formatted(container.name(), request.pod().name());
    }

    private boolean isSocket() {
        return request.head().header("Upgrade").equalsIgnoreCase("websocket");
    }

    private Duplex client() throws IOException {
        if (isSocket() && Upgrade.of(request, PROTOCOLS, tasks) instanceof Upgrade.Socket(var socket, var protocol)) {
            Duplex messages = WebSocketBytes.of(socket, protocol.startsWith("base64"));
            messages.out().write(new byte[0]); // Kubernetes begins so: the client knows that it is heard
            return messages;
        }
        request.answer(HttpHead.of("HTTP/1.1 200 OK")
                .with("Content-Type", "text/plain")
                .with("Connection", "close"));
        return request.wire();
    }
}
