package io.fairlead.resolver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.api.IpPort;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.zone.Zone;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What a server of names says of itself over HTTP: `/health`, `/ready`, `/metrics`, `/dump/zone`.
final class DnsPages {
    private static final int BACKLOG = 64;

    private final HttpServer server;
    private final Zones zones;
    private final Supplier<String> metrics;

    DnsPages(IpPort address, Zones zones, Supplier<String> metrics) {
        this.zones = zones;
        this.metrics = metrics;
        try {
            InetAddress ip = InetAddress.getByAddress(address.ip().bytes());
            server = HttpServer.create(new InetSocketAddress(ip, address.port()), BACKLOG);
        } catch (IOException e) {
            throw new DnsException("cannot listen on %s: %s".formatted(address, e.getMessage()), e);
        }
    }

    void run(TaskGroup tasks) {
        server.createContext("/", this::handle);
        server.setExecutor(request -> tasks.runAlone("page", request::run));
        tasks.run("pages", () -> {
            server.start();
            try {
                new CountDownLatch(1).await();
            } finally {
                server.stop(0);
            }
        });
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            @Nullable Zone zone = zones.current();
            switch (exchange.getRequestURI().getPath()) {
                case "/health" -> say(exchange, 200, "OK");
                case "/ready" -> say(exchange, zone == null ? 503 : 200, zone == null ? "kubernetes" : "OK");
                case "/metrics" -> say(exchange, 200, metrics.get());
                case "/dump/zone" -> say(exchange, zone == null ? 503 : 200, zone == null ? "" : zone.text());
                default -> say(exchange, 404, "there are /health, /ready, /metrics and /dump/zone\n");
            }
        }
    }

    private static void say(HttpExchange exchange, int code, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }
}
