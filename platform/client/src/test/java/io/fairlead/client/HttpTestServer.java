package io.fairlead.client;

import io.fairlead.runtime.TaskGroup;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// A small HTTP/1.1 server on loopback whose handler decides about every byte, and about when the connection breaks.
final class HttpTestServer implements AutoCloseable {
    /// What a handler does with one request.
    interface Handler {
        void answer(Request request, Reply reply) throws IOException, InterruptedException;
    }

    record Request(String method, String path, Map<String, String> query, Map<String, String> headers, String body) {}

    private final ServerSocket socket;
    private final TaskGroup tasks = new TaskGroup("test-server");
    private final Handler handler;

    HttpTestServer(Handler handler) {
        this(listening(), handler);
    }

    HttpTestServer(ServerSocket socket, Handler handler) {
        this.socket = socket;
        this.handler = handler;
        tasks.run("accept", this::accept);
    }

    private static ServerSocket listening() {
        try {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            tasks.close();
        }
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket connection = socket.accept();
                tasks.run("connection", () -> serve(connection));
            } catch (IOException _) {
                // closed, or a handshake that failed: the client sees it
            }
        }
    }

    private void serve(Socket connection) throws InterruptedException {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            Reply reply = new Reply(connection.getOutputStream());
            while (!reply.broken) {
                Request request = read(in);
                handler.answer(request, reply);
            }
        } catch (IOException _) {
            // the client went away, or the handler broke the connection
        }
    }

    private static Request read(InputStream in) throws IOException {
        String[] first = line(in).split(" ", 3);
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        String[] target = first[1].split("\\?", 2);
        return new Request(first[0], target[0], query(target.length > 1 ? target[1] : ""), headers, body);
    }

    private static Map<String, String> query(String text) {
        Map<String, String> query = new LinkedHashMap<>();
        for (String pair : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                query.put(
                        pair.substring(0, equals),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return query;
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the client closed the connection");
            }
            line.write(b);
        }
        return line.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    /// The way back to the client.
    static final class Reply {
        private final OutputStream out;
        private boolean broken;

        private Reply(OutputStream out) {
            this.out = out;
        }

        void json(int code, String body) throws IOException {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            raw("HTTP/1.1 %d x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                    .formatted(code, bytes.length));
            out.write(bytes);
            out.flush();
        }

        void startStream() throws IOException {
            raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
        }

        void chunk(String text) throws IOException {
            raw("%x\r\n%s\r\n".formatted(text.getBytes(StandardCharsets.UTF_8).length, text));
        }

        void endStream() throws IOException {
            raw("0\r\n\r\n");
        }

        /// Closes the connection as it is.
        void drop() {
            broken = true;
        }

        private void raw(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }
}
