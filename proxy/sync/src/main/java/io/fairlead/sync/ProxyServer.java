package io.fairlead.sync;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A few pages over HTTP, for probes, Prometheus and people with curl.
final class ProxyServer {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyServer.class);
    private static final int MAX_REQUESTS = 64;
    private static final int BACKLOG = 64;

    /// The path of a page that is answered wherever there is no other.
    static final String ANY_PATH = "*";

    // The JDK's server limits neither by itself, and takes limits only this way. It counts in seconds.
    static {
        System.setProperty("sun.net.httpserver.maxReqTime", "10");
        System.setProperty("sun.net.httpserver.maxRspTime", "30");
    }

    /// What is answered to a GET.
    interface Page {
        /// `accept` is the header of that name, or empty.
        Answer answer(String accept) throws IOException;
    }

    record Answer(int code, Map<String, String> headers, byte[] body) {
        static Answer of(int code, String contentType, String text) {
            return new Answer(code, Map.of("Content-Type", contentType), text.getBytes(StandardCharsets.UTF_8));
        }

        static Answer text(int code, String text) {
            return of(code, "text/plain; charset=utf-8", text);
        }
    }

    private final HttpServer server;
    private final Map<String, Page> pages;
    private final Semaphore permits = new Semaphore(MAX_REQUESTS);

    private ProxyServer(HttpServer server, Map<String, Page> pages) {
        this.server = server;
        this.pages = Map.copyOf(pages);
    }

    /// Takes the address; a client that asks waits until [#run].
    static ProxyServer open(IpPort address, Map<String, Page> pages) {
        try {
            InetAddress ip = InetAddress.getByAddress(address.ip().bytes());
            return new ProxyServer(HttpServer.create(new InetSocketAddress(ip, address.port()), BACKLOG), pages);
        } catch (IOException e) {
            throw new ProxyException("cannot listen on %s: %s".formatted(address, e.getMessage()), e);
        }
    }

    /// Where it answers; the port is a real one also if 0 was asked for.
    IpPort address() {
        InetSocketAddress bound = server.getAddress();
        return new IpPort(Ip.of(bound.getAddress().getAddress()), bound.getPort());
    }

    /// Answers until the group ends.
    void run(TaskGroup tasks) {
        server.createContext("/", this::handle);
        server.setExecutor(request -> {
            if (!permits.tryAcquire()) {
                throw new RejectedExecutionException("more than %d requests at once".formatted(MAX_REQUESTS));
            }
            tasks.runAlone("request", () -> {
                try {
                    request.run();
                } finally {
                    permits.release();
                }
            });
        });
        tasks.run("server", () -> {
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
            Answer answer = answer(exchange);
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            boolean bare = exchange.getRequestMethod().equals("HEAD") || answer.body().length == 0;
            exchange.sendResponseHeaders(answer.code(), bare ? -1 : answer.body().length);
            if (!bare) {
                exchange.getResponseBody().write(answer.body());
            }
        }
    }

    private Answer answer(HttpExchange exchange) throws IOException {
        String method = exchange.getRequestMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return Answer.text(405, "only GET and HEAD are answered here\n");
        }
        Page page = pages.getOrDefault(exchange.getRequestURI().getPath(), pages.get(ANY_PATH));
        if (page == null) {
            return Answer.text(
                    404,
                    "there is "
                            + String.join(", ", pages.keySet().stream().sorted().toList()) + "\n");
        }
        try {
            String accept = exchange.getRequestHeaders().getFirst("Accept");
            return page.answer(accept == null ? "" : accept);
        } catch (RuntimeException e) {
            LOG.error("event=page-failed page={}", exchange.getRequestURI().getPath(), e);
            return Answer.text(500, "failed: see the log of the proxy\n");
        }
    }
}
