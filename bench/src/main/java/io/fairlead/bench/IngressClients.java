package io.fairlead.bench;

import io.fairlead.runtime.TaskGroup;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// Clients that stay while everything changes: WebSockets that send a byte ten times a second and wait for it, and
/// clients with kept connections that ask again, once, if a connection ends before a byte of the answer.
final class IngressClients implements AutoCloseable {
    static final int ECHO_PORT = 8081;
    private static final int SOCKETS = 16;
    private static final int PATIENCE = 10_000;

    private final int port;
    private final ServerSocket echo = new ServerSocket(ECHO_PORT, 256);
    private final TaskGroup tasks = new TaskGroup("clients");
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicLong closed = new AtomicLong();
    private final AtomicLong echoes = new AtomicLong();
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong again = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    IngressClients(int port) throws IOException {
        this.port = port;
        tasks.run("echo", () -> {
            while (true) {
                Socket socket = echo.accept();
                tasks.run("echo-one", () -> echo(socket));
            }
        });
    }

    /// Opens the WebSockets; the host leads to [#ECHO_PORT].
    void openWebSockets(String host) {
        for (int i = 0; i < SOCKETS; i++) {
            tasks.run("websocket", () -> webSocket(host));
        }
    }

    private void webSocket(String host) throws InterruptedException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE);
            OutputStream out = socket.getOutputStream();
            out.write("GET / HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
                    .formatted(host)
                    .getBytes(StandardCharsets.UTF_8));
            InputStream in = socket.getInputStream();
            if (!head(in).contains(" 101 ")) {
                throw new IOException("no WebSocket");
            }
            while (!ended.get()) {
                out.write('x');
                if (in.read() != 'x') {
                    throw new IOException("ended");
                }
                echoes.incrementAndGet();
                Thread.sleep(100);
            }
        } catch (IOException _) {
            if (!ended.get()) {
                closed.incrementAndGet();
            }
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            head(in);
            socket.getOutputStream()
                    .write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
                            .getBytes(StandardCharsets.UTF_8));
            for (int b = in.read(); b >= 0; b = in.read()) {
                socket.getOutputStream().write(b);
            }
        } catch (IOException _) {
            // The other side is gone.
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("ended in its head");
            }
            head.append((char) b);
        }
        return head.toString();
    }

    /// Starts clients that ask one after another.
    void startAsking(String host, int clients) {
        for (int i = 0; i < clients; i++) {
            tasks.run("asking", () -> {
                Socket socket = null;
                while (!ended.get()) {
                    socket = ask(host, socket, true);
                }
            });
        }
    }

    private Socket ask(String host, Socket kept, boolean first) {
        Socket socket = kept;
        boolean reused = kept != null;
        try {
            if (socket == null) {
                socket = new Socket(InetAddress.getLoopbackAddress(), port);
                socket.setSoTimeout(PATIENCE);
            }
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(host).getBytes(StandardCharsets.UTF_8));
            InputStream in = new BufferedInputStream(socket.getInputStream(), 1);
            String head = head(in);
            int length = Integer.parseInt(head.replaceFirst("(?s).*Content-Length: (\\d+).*", "$1"));
            if (!head.contains(" 200 ") || in.readNBytes(length).length != length) {
                failures.incrementAndGet();
            }
            answers.incrementAndGet();
            return head.contains("Connection: close") ? closed(socket) : socket;
        } catch (IOException | NumberFormatException _) {
            closed(socket);
            if (reused && first) {
                again.incrementAndGet();
                return ask(host, null, false);
            }
            if (!ended.get()) {
                failures.incrementAndGet();
            }
            return null;
        }
    }

    private static Socket closed(Socket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException _) {
            // It is gone already.
        }
        return null;
    }

    /// What became of them so far.
    record Count(long echoes, long closedWebSockets, long answers, long askedAgain, long failures) {}

    Count count() {
        return new Count(echoes.get(), closed.get(), answers.get(), again.get(), failures.get());
    }

    @Override
    public void close() throws IOException {
        ended.set(true);
        echo.close();
        tasks.close();
    }
}
