package io.fairlead.bench;

import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// An endpoint that takes WebSockets and sends back each byte.
final class SocketEcho implements AutoCloseable {
    private final ServerSocket listener;
    private final TaskGroup tasks = new TaskGroup("sockets");

    SocketEcho(int port) throws IOException {
        listener = new ServerSocket(port, 64);
        tasks.run("sockets", () -> {
            while (true) {
                Socket socket = listener.accept();
                tasks.run("socket", () -> echo(socket));
            }
        });
    }

    private static void echo(Socket socket) throws IOException {
        try (socket) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            int line = 0;
            for (int b = in.read(); line < 2 && b >= 0; b = line < 2 ? in.read() : b) {
                line = b == '\n' ? line + 1 : b == '\r' ? line : 0;
            }
            out.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
                    .getBytes(StandardCharsets.UTF_8));
            for (int b = in.read(); b >= 0; b = in.read()) {
                out.write(b);
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        tasks.close();
    }
}
