package io.fairlead.nginx;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/// Health and metrics of a controller: `/healthz`, `/readyz`, `/metrics`.
public final class IngressServer implements AutoCloseable {
    private final HttpServer server;

    private IngressServer(HttpServer server) {
        this.server = server;
    }

    /// Answers on every address of the machine.
    public static IngressServer start(int port, IngressController controller) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(port), 64);
            server.createContext("/healthz", exchange -> answer(exchange, 200, "ok\n"));
            server.createContext("/readyz", exchange -> {
                boolean ready = controller.isReady();
                answer(exchange, ready ? 200 : 503, ready ? "ok\n" : "nginx has not been told anything yet\n");
            });
            server.createContext("/metrics", exchange -> answer(exchange, 200, controller.metrics()));
            server.start();
            return new IngressServer(server);
        } catch (IOException e) {
            throw new NginxException("listen on port " + port, e);
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
