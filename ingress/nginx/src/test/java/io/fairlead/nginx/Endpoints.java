package io.fairlead.nginx;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.kernel.Command;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Every address of 10.244.1.0/24 as an endpoint: port 8080 answers with its address and what it was asked, and
/// fails for the host errors.example.com unless it is asked in place of another; port 8081 takes a WebSocket
/// and sends back whatever comes, port 8082 speaks HTTP/2 alone, as gRPC does.
final class Endpoints implements AutoCloseable {
    private final HttpServer server;
    private final ServerSocket echo;
    private final Process grpc;
    private final Path folder = Files.createTempDirectory("fl-grpc-");
    private final TaskGroup tasks = new TaskGroup("endpoints");

    Endpoints() throws IOException {
        for (String address : List.of("10.244.1.254/24", "198.51.100.10/24", "10.1.2.3/24")) {
            Command.run(List.of("ip", "address", "add", address, "dev", "lo"), "");
        }
        server = HttpServer.create(new InetSocketAddress(8080), 1024);
        server.createContext("/", exchange -> {
            StringBuilder text =
                    new StringBuilder(exchange.getLocalAddress().getAddress().getHostAddress());
            text.append(' ').append(exchange.getRequestURI()).append('\n');
            exchange.getRequestHeaders()
                    .forEach((name, values) -> values.forEach(value ->
                            text.append(name).append(": ").append(value).append('\n')));
            Headers headers = exchange.getRequestHeaders();
            boolean fails =
                    String.valueOf(headers.getFirst("Host")).startsWith("errors.") && !headers.containsKey("X-Code");
            byte[] body = text.toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(fails ? 503 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.createContext("/401", exchange -> {
            exchange.sendResponseHeaders(401, -1);
            exchange.close();
        });
        server.createContext("/alice", exchange -> {
            exchange.getResponseHeaders().set("X-User", "alice");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        Files.writeString(folder.resolve("nginx.conf"), """
                daemon off; pid %1$s/pid; error_log stderr; events {}
                http { access_log off; server { listen 8082 http2; location / {
                  default_type application/grpc; add_header grpc-status 0;
                  return 200 "$server_addr $server_protocol $request_uri\\n"; } } }
                """.formatted(folder));
        grpc = new ProcessBuilder("/usr/sbin/nginx", "-c", folder + "/nginx.conf", "-e", "stderr")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        echo = new ServerSocket(8081, 64);
        tasks.run("echo", () -> {
            while (true) {
                Socket socket = echo.accept();
                tasks.run("echo-client", () -> echo(socket));
            }
        });
    }

    private static void echo(Socket socket) throws IOException {
        try (socket) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            readHead(in);
            out.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
                    .getBytes(StandardCharsets.UTF_8));
            for (int b = in.read(); b >= 0; b = in.read()) {
                out.write(b);
                out.flush();
            }
        } catch (IOException _) {
            // The other side is gone.
        }
    }

    /// The head of a request or an answer.
    static String readHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("ended in the head: " + head);
            }
            head.append((char) b);
        }
        return head.toString();
    }

    @Override
    public void close() throws IOException {
        grpc.destroy();
        for (String name : List.of("nginx.conf", "log", "pid")) {
            Files.deleteIfExists(folder.resolve(name));
        }
        Files.deleteIfExists(folder);
        server.stop(0);
        echo.close();
        tasks.close();
    }
}
