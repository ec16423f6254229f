package io.fairlead.http;

import io.fairlead.api.Kind;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.WatchCache;
import io.fairlead.runtime.FairPlaces;
import io.fairlead.streams.HttpBody;
import io.fairlead.streams.HttpHead;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `pods/proxy` and `services/proxy`: a plain HTTP request to a pod, in the name of a user whom this server lets in.
///
/// The request travels through the agent of the pod's node, so this server needs no route to the pods. Links in a page
/// that begin with a slash are led through here, too; all else of an answer is sent on as it is.
final class PodProxy {
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
    private static final Pattern LINK = Pattern.compile(
            "(?i)(\\b(?:href|src|action|data|background|cite|longdesc|poster|icon)\\s*=\\s*[\"'])(/(?!/)[^\"']*)");
    /// How long a pod may be silent before and within its answer.
    private static final Duration SILENCE = Duration.ofMinutes(5);

    private final AgentCalls agents;
    private final ProxyTargets targets;
    private final Semaphore pages = new Semaphore(MOST_PAGES);
    private final FairPlaces bodies = new FairPlaces(BODIES);

    PodProxy(AgentCalls agents, WatchCache cache) {
        this.agents = agents;
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
        ApiRequest request = exchange.request();
        ProxyTargets.Target target = path.kind().equals(Kind.POD) ? targets.pod(path) : targets.service(path);
        if (path.rest().isEmpty() && !request.path().endsWith("/")) {
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
            send(dialled.socket().getOutputStream(), request, head(path, request, target));
            HttpHead answer = HttpHead.read(dialled.in()).orElseThrow(() -> new IOException("it said nothing"));
            Answer sent = answered(prefix(path, request), answer, HttpBody.of(answer, dialled.in()), dialled.socket());
            done = true;
            return sent;
        } catch (IOException e) {
            throw StatusException.of(
                    503, "ServiceUnavailable", "error trying to reach %s: %s".formatted(target, e.getMessage()));
        } finally {
            if (!done) {
                Answer.closeQuietly(dialled.socket());
            }
        }
    }

    /// A page finds its parts only below a path that ends in a slash.
    private static Answer redirected(ApiRequest request) {
        String query = request.queryText().isEmpty() ? "" : "?" + request.queryText();
        HttpHead head = HttpHead.of("HTTP/1.1 301 Moved Permanently")
                .with("Location", request.path() + "/" + query)
                .with("Content-Length", "0");
        return new Answer.Piped(head, InputStream.nullInputStream(), () -> {});
    }

    private static String prefix(ApiPath path, ApiRequest request) {
        return request.path().substring(0, request.path().length() - path.rest().length() - 1);
    }

    private Answer answered(String prefix, HttpHead head, InputStream body, Closeable source) throws IOException {
        boolean page = head.header("Content-Type").startsWith("text/html")
                && head.header("Content-Encoding").isEmpty();
        if (!page || !pages.tryAcquire()) {
            return new Answer.Piped(head, body, source);
        }
        try {
            return led(prefix, head, body, source);
        } finally {
            pages.release();
        }
    }

    private static Answer led(String prefix, HttpHead head, InputStream body, Closeable source) throws IOException {
        byte[] start = body.readNBytes(LONGEST_PAGE + 1);
        if (start.length == 0 || start.length > LONGEST_PAGE) {
            return new Answer.Piped(head, new SequenceInputStream(new ByteArrayInputStream(start), body), source);
        }
        String text = new String(start, StandardCharsets.ISO_8859_1); // byte for byte: links are plain
        byte[] led = LINK.matcher(text)
                .replaceAll(link -> Matcher.quoteReplacement(link.group(1) + prefix + link.group(2)))
                .getBytes(StandardCharsets.ISO_8859_1);
        HttpHead whole = new HttpHead(
                head.first(),
                head.headers().stream()
                        .filter(header -> !header.name().equalsIgnoreCase("Content-Length"))
                        .toList());
        return new Answer.Piped(
                whole.with("Content-Length", Integer.toString(led.length)), new ByteArrayInputStream(led), source);
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
