package io.fairlead.http;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.WatchCache;
import io.fairlead.runtime.AnyCertificate;
import io.fairlead.runtime.FairPlaces;
import io.fairlead.streams.Duplex;
import io.fairlead.streams.HttpBody;
import io.fairlead.streams.HttpHead;
import io.fairlead.streams.PageLinks;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLSocket;

/// `pods/proxy`, `services/proxy` and `nodes/proxy`: an HTTP request to a pod, or to the agent of a node about the node
/// itself, in the name of a user whom this server lets in. No other program of a node is reached this way.
///
/// The request travels through the agent of the pod's node, so this server needs no route to the pods; where the name
/// says `https:`, over TLS from here to the pod.
final class ClusterProxy {
    // What belongs to one connection, and what a pod must not see: how its caller proved who he is to us.
    private static final Set<String> KEPT_BACK = Set.of(
            "connection",
            "keep-alive",
            "upgrade",
            "transfer-encoding",
            "te",
            "trailer",
            "host",
            "content-length",
            "authorization",
            "cookie",
            "accept-encoding",
            "proxy-authorization");

    // A page that is larger is sent on as it is.
    private static final int LONGEST_PAGE = 1024 * 1024;

    /// Pages are held whole while their links are changed, and bodies until they are sent: so many at a time, whatever
    /// number of requests there is. A page beyond that is sent on as it is.
    private static final int MOST_PAGES = 16;

    private static final FairPlaces.Limits BODIES = new FairPlaces.Limits(64, 16, 64, Duration.ofSeconds(5));

    /// How long a pod may be silent before and within its answer.
    private static final Duration SILENCE = Duration.ofMinutes(5);

    private final AgentCalls agents;
    private final ProxyTargets targets;
    private final WatchCache cache;
    private final Semaphore pages = new Semaphore(MOST_PAGES);
    private final FairPlaces bodies = new FairPlaces(BODIES);

    ClusterProxy(AgentCalls agents, WatchCache cache) {
        this.agents = agents;
        this.cache = cache;
        this.targets = new ProxyTargets(cache);
    }

    Answer answer(ApiPath path, Exchange exchange) throws InterruptedException {
        if (exchange.request().method().equals("GET")) {
            return proxied(path, exchange);
        }
        Optional<FairPlaces.Place> place = bodies.take(exchange.sender().name());
        if (place.isEmpty()) {
            throw StatusException.tooManyRequests();
        }
        try (FairPlaces.Place _ = place.get()) {
            return proxied(path, exchange);
        }
    }

    private Answer proxied(ApiPath path, Exchange exchange) {
        return path.kind().equals(Kind.NODE) ? ofNode(path, exchange) : ofPod(path, exchange);
    }

    private Answer ofNode(ApiPath path, Exchange exchange) {
        ApiRequest request = exchange.request();
        String node = ProxyTargets.node(path.name());
        if (cache.of(Kind.NODE).find(new NamespacedName("", node)).isEmpty()) {
            throw StatusException.notFound(Kind.NODE, node);
        }
        if (lacksSlash(path, request)) {
            return redirected(request);
        }
        if (!request.method().equals("GET")) {
            throw StatusException.methodNotAllowed();
        }
        if (path.rest().chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw StatusException.badRequest("invalid path \"%s\"".formatted(path.rest()));
        }
        AgentCalls.Answered answered =
                agents.call(node, HttpHead.of("GET /node/%s HTTP/1.1".formatted(path.rest())), exchange, SILENCE);
        try {
            return answered(links(path, request, node), answered.head(), answered.in(), answered.socket());
        } catch (IOException e) {
            Answer.closeQuietly(answered.socket());
            throw unreachable(node, e);
        }
    }

    private static StatusException unreachable(Object target, IOException e) {
        return StatusException.of(
                503, "ServiceUnavailable", "error trying to reach %s: %s".formatted(target, e.getMessage()));
    }

    private Answer ofPod(ApiPath path, Exchange exchange) {
        ApiRequest request = exchange.request();
        ProxyTargets.Target target = path.kind().equals(Kind.POD) ? targets.pod(path) : targets.service(path);
        if (lacksSlash(path, request)) {
            return redirected(request);
        }
        AgentCalls.Answered dialled = agents.call(
                target.node(),
                HttpHead.of("GET /dial/%s/%s/%d HTTP/1.1"
                                .formatted(
                                        target.pod().namespace(), target.pod().name(), target.port()))
                        .with("Connection", "Upgrade")
                        .with("Upgrade", "tcp"),
                exchange,
                SILENCE);
        boolean done = false;
        try {
            Duplex wire = secured(dialled, target);
            send(wire.out(), request, head(path, request, target));
            HttpHead answer = HttpHead.read(wire.in()).orElseThrow(() -> new IOException("it said nothing"));
            Answer sent = answered(links(path, request, target.toString()), answer, wire.in(), dialled.socket());
            done = true;
            return sent;
        } catch (IOException e) {
            throw unreachable(target, e);
        } finally {
            if (!done) {
                Answer.closeQuietly(dialled.socket());
            }
        }
    }

    /// As Kubernetes does it, whatever certificate the program shows: pods are known by their place, not by names.
    private static Duplex secured(AgentCalls.Answered dialled, ProxyTargets.Target target) throws IOException {
        if (!target.tls()) {
            return new Duplex(dialled.in(), dialled.socket().getOutputStream());
        }
        SSLSocket tls = secured(dialled.socket(), target.pod().name(), target.port());
        return new Duplex(new BufferedInputStream(tls.getInputStream()), tls.getOutputStream());
    }

    private static SSLSocket secured(Socket open, String name, int port) throws IOException {
        SSLSocket socket =
                (SSLSocket) AnyCertificate.trusting().getSocketFactory().createSocket(open, name, port, true);
        socket.startHandshake();
        return socket;
    }

    /// True if a client asks for the root without its slash: a page finds its parts only below a path that ends in one.
    private static boolean lacksSlash(ApiPath path, ApiRequest request) {
        return path.rest().isEmpty() && !request.path().endsWith("/");
    }

    private static Answer redirected(ApiRequest request) {
        String query = request.queryText().isEmpty() ? "" : "?" + request.queryText();
        HttpHead head = HttpHead.of("HTTP/1.1 301 Moved Permanently")
                .with("Location", request.path() + "/" + query)
                .with("Content-Length", "0");
        return new Answer.Piped(head, InputStream.nullInputStream(), () -> {});
    }

    private static PageLinks links(ApiPath path, ApiRequest request, String host) {
        String whole = request.path();
        return new PageLinks(whole.substring(0, whole.length() - path.rest().length() - 1), host);
    }

    private Answer answered(PageLinks links, HttpHead given, InputStream in, Closeable source) throws IOException {
        InputStream body = HttpBody.of(given, in);
        HttpHead head = links.redirect(given);
        boolean page = head.header("Content-Type").split(";", 2)[0].strip().equalsIgnoreCase("text/html")
                && head.header("Content-Encoding").isEmpty();
        if (!page || !pages.tryAcquire()) {
            return new Answer.Piped(head, body, source);
        }
        try {
            return led(links, head, body, source);
        } finally {
            pages.release();
        }
    }

    private static Answer led(PageLinks links, HttpHead head, InputStream body, Closeable source) throws IOException {
        byte[] start = body.readNBytes(LONGEST_PAGE + 1);
        if (start.length == 0 || start.length > LONGEST_PAGE) {
            return new Answer.Piped(head, new SequenceInputStream(new ByteArrayInputStream(start), body), source);
        }
        byte[] led = links.page(new String(start, StandardCharsets.ISO_8859_1)) // byte for byte: links are plain
                .getBytes(StandardCharsets.ISO_8859_1);
        HttpHead whole = head.without("Content-Length").with("Content-Length", Integer.toString(led.length));
        return new Answer.Piped(whole, new ByteArrayInputStream(led), source);
    }

    private static void send(OutputStream out, ApiRequest request, HttpHead head) throws IOException {
        byte[] body =
                request.method().equals("GET") ? new byte[0] : request.body().get();
        HttpHead whole = body.length == 0 ? head : head.with("Content-Length", Integer.toString(body.length));
        out.write(whole.bytes());
        out.write(body);
        out.flush();
    }

    private static HttpHead head(ApiPath path, ApiRequest request, ProxyTargets.Target target) {
        String query = request.queryText().isEmpty() ? "" : "?" + request.queryText();
        String rest = "/" + path.rest() + query;
        HttpHead head = HttpHead.of("%s %s HTTP/1.1".formatted(request.method(), rest))
                .with("Host", target.toString())
                .with("Connection", "close");
        for (var header : request.headers().entrySet()) {
            if (!KEPT_BACK.contains(header.getKey().toLowerCase(Locale.ROOT))) {
                head = head.with(header.getKey(), header.getValue());
            }
        }
        return head;
    }
}
