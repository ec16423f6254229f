package io.fairlead.nginx;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Every address of 10.244.1.0/24 as an endpoint: port 8080 answers with its address and what it was asked, and
/// fails for the host errors.example.com unless it is asked in place of another; port 8081 takes a WebSocket
/// and sends back whatever comes, port 8082 speaks HTTP/2 alone, as gRPC does, 8445 the same with TLS, 8087 with a long
/// answer, 8444 HTTP/1.1
/// with TLS; port 8084 takes connections and reads nothing.
final class Endpoints implements AutoCloseable {
    /// How long the stream of port 8087 is; it comes at 3 MB a second.
    static final int STREAM = 9 << 20;

    private final HttpServer server;
    private final ServerSocket echo;
    private final ServerSocket deaf;
    private final List<Socket> unread = new CopyOnWriteArrayList<>();
    private final Map<String, Long> counts = new ConcurrentHashMap<>();
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final Process grpc;
    private final Path folder = Files.createTempDirectory("fl-grpc-");
    private final TaskGroup tasks = new TaskGroup("endpoints");

    Endpoints() throws IOException {
        for (String address : List.of("10.244.1.254/24", "198.51.100.10/24", "10.1.2.3/24")) {
            Command.run(List.of("ip", "address", "add", address, "dev", "lo"), "");
        }
        server = HttpServer.create(new InetSocketAddress(8080), 1024);
        server.setExecutor(workers);
        server.createContext("/", exchange -> {
            Headers headers = exchange.getRequestHeaders();
            boolean fails =
                    String.valueOf(headers.getFirst("Host")).startsWith("errors.") && !headers.containsKey("X-Code");
            echo(exchange, fails ? 503 : 200);
        });
        server.createContext("/status/", exchange -> echo(exchange, Integer.parseInt(last(exchange))));
        answers();
        slowAnswers();
        server.start();
        grpc = startGrpc(folder);
        echo = new ServerSocket(8081, 64);
        deaf = new ServerSocket(8084, 64);
        tasks.run("deaf", () -> {
            while (true) {
                unread.add(deaf.accept());
            }
        });
        tasks.run("echo", () -> {
            while (true) {
                Socket socket = echo.accept();
                tasks.run("echo-client", () -> echo(socket));
            }
        });
    }

    private void answers() {
        server.createContext("/401", exchange -> echo(exchange, 401));
        server.createContext(
                "/post", exchange -> echo(exchange, exchange.getRequestMethod().equals("POST") ? 200 : 403));
        server.createContext("/alice", exchange -> {
            exchange.getResponseHeaders().set("X-User", "alice");
            echo(exchange, 200);
        });
        server.createContext("/head", exchange -> {
            exchange.getResponseHeaders().set("X-Big", "x".repeat(6000));
            echo(exchange, 200);
        });
        server.createContext(
                "/flaky", exchange -> echo(exchange, address(exchange).endsWith(".2") ? 503 : 200));
        server.createContext("/text", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            echo(exchange, 200);
        });
        server.createContext("/seen/", exchange -> {
            count("seen " + last(exchange), 1);
            count("bytes " + last(exchange), exchange.getRequestBody().readAllBytes().length);
            echo(exchange, 200);
        });
    }

    private void slowAnswers() {
        server.createContext("/slowflaky", exchange -> {
            boolean bad = address(exchange).endsWith(".2");
            if (bad) {
                pause(1500);
            }
            echo(exchange, bad ? 503 : 200);
        });
        server.createContext("/slow", exchange -> {
            pause(1000);
            echo(exchange, 200);
        });
        server.createContext("/large/", exchange -> {
            byte[] piece = new byte[1 << 20];
            exchange.sendResponseHeaders(200, 64L * piece.length);
            for (int i = 0; i < 64; i++) {
                exchange.getResponseBody().write(piece);
            }
            count("written " + last(exchange), 1);
            exchange.close();
        });
    }

    private static Process startGrpc(Path folder) throws IOException {
        // Workers of nginx run as another user.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.write(folder.resolve("big"), new byte[STREAM]);
        Files.writeString(folder.resolve("pem"), Door.certificate("behind.test"));
        Files.writeString(folder.resolve("nginx.conf"), """
            daemon off; pid %1$s/pid; error_log stderr; events {}
            http { access_log off; ssl_certificate %1$s/pem; ssl_certificate_key %1$s/pem;
              server { listen 8082 http2; listen 8445 ssl http2; location / {
              default_type application/grpc; add_header grpc-status 0;
              return 200 "$server_addr $server_protocol $scheme $ssl_server_name $request_uri\\n"; } }
              server { listen 8087 http2; error_page 405 =200 $uri; location = /p.S/Stream {
              default_type application/grpc; add_header grpc-status 0; limit_rate 3m; alias %1$s/big; } }
              server { listen 8444 ssl; location / {
              return 200 "$server_addr $scheme $ssl_server_name $request_uri\\n"; } } }
            """.formatted(folder));
        return new ProcessBuilder("/usr/sbin/nginx", "-c", folder + "/nginx.conf", "-e", "stderr")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private static String last(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        return path.split("/", -1)[2];
    }

    private static String address(HttpExchange exchange) {
        return exchange.getLocalAddress().getAddress().getHostAddress();
    }

    private static void pause(long milliseconds) throws IOException {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private void count(String what, long amount) {
        counts.merge(what, amount, Long::sum);
    }

    /// What was counted at `/seen/NAME` ("seen NAME", "bytes NAME") and `/large/NAME` ("written NAME").
    long counted(String what) {
        return counts.getOrDefault(what, 0L);
    }

    private static void echo(HttpExchange exchange, int status) throws IOException {
        StringBuilder text = new StringBuilder(address(exchange));
        text.append(' ').append(exchange.getRequestURI()).append('\n');
        exchange.getRequestHeaders()
                .forEach((name, values) -> values.forEach(
                        value -> text.append(name).append(": ").append(value).append('\n')));
        byte[] body = text.toString().getBytes(StandardCharsets.UTF_8);
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
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
        for (String name : List.of("nginx.conf", "log", "pid", "pem", "big")) {
            Files.deleteIfExists(folder.resolve(name));
        }
        Files.deleteIfExists(folder);
        server.stop(0);
        workers.shutdownNow();
        echo.close();
        deaf.close();
        for (Socket socket : unread) {
            socket.close();
        }
        tasks.close();
    }
}
