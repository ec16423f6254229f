package io.fairlead.resolver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.api.IpPort;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a server of names says of itself over HTTP: `/health`, `/livez`, `/ready`, `/readyz`, `/metrics`, `/dump/zone`;
/// and `/log`, by which
/// this machine has the questions logged for a while.
final class DnsPages {
    private static final int BACKLOG = 64;
    private static final Pattern SECONDS = Pattern.compile("seconds=(\\d{1,4})");

    private final HttpServer server;
    private final DnsServer names;
    private final QueryLog log;

    DnsPages(IpPort address, DnsServer names, QueryLog log) {
        this.names = names;
        this.log = log;
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
            switch (exchange.getRequestURI().getPath()) {
                case "/health" -> say(exchange, 200, "OK");
                case "/livez" -> probe(exchange, true);
                case "/ready", "/readyz" -> probe(exchange, names.isReady());
                case "/metrics" -> say(exchange, 200, names.metrics());
                case "/dump/zone" -> {
                    Optional<String> zone = names.zoneText();
                    say(exchange, zone.isPresent() ? 200 : 503, zone.orElse("the cluster is not known yet\n"));
                }
                case "/log" -> log(exchange);
                default ->
                    say(exchange, 404, "there are /health, /livez, /ready, /readyz, /metrics, /dump/zone and /log\n");
            }
        }
    }

    /// A task that failed and begins again is named.
    private void probe(HttpExchange exchange, boolean well) throws IOException {
        SortedSet<String> failing = names.failing();
        String why = failing.isEmpty() ? "kubernetes" : "failing tasks: " + String.join(", ", failing);
        boolean fine = well && failing.isEmpty();
        say(exchange, fine ? 200 : 503, fine ? "OK" : why);
    }

    /// Questions say who asks for what: only who is on this machine may have them written down.
    private void log(HttpExchange exchange) throws IOException {
        String query = Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse("");
        Matcher seconds = SECONDS.matcher(query);
        if (!exchange.getRequestMethod().equals("POST") || !seconds.matches()) {
            say(exchange, 400, "POST /log?seconds=N logs every question for N seconds, 0 to 9999\n");
        } else if (!exchange.getRemoteAddress().getAddress().isLoopbackAddress()) {
            say(exchange, 403, "only from this machine itself\n");
        } else {
            log.during(Duration.ofSeconds(Integer.parseInt(seconds.group(1))));
            say(exchange, 200, "OK\n");
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
