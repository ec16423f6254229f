package io.fairlead.client;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One HTTP request and its answer: the place that knows java.net.http and TLS.
final class Transport implements AutoCloseable {
    static final String JSON = "application/json";
    static final String MERGE_PATCH = "application/merge-patch+json";
    static final String STRATEGIC_PATCH = "application/strategic-merge-patch+json";
    /// What a person would see; a server that cannot print sends the objects.
    static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

    /// Room for a list of some hundred thousand endpoints.
    private static final int MAX_BODY = 256 << 20;

    private static final int UNPACKED_AT_ONCE = 16 << 10;

    /// How long others wait for the first answer; a server may take its time with it.
    private static final Duration ALONE = Duration.ofSeconds(1);

    private static final int HTTP_PORT = 80;
    private static final int UNAUTHORIZED = 401;
    private static final Logger LOG = LoggerFactory.getLogger(Transport.class);

    private final ClusterAccess access;
    private final Login login;
    private final Timeouts timeouts;
    private final String root;
    private final Optional<SocksBridge> bridge;
    private volatile Session session;

    Transport(ClusterAccess access, Timeouts timeouts) {
        this.access = access;
        this.timeouts = timeouts;
        this.root = access.server().toString().replaceAll("/+$", "");
        this.bridge = access.way()
                .proxy()
                .filter(proxy -> "socks5".equals(proxy.getScheme()))
                .map(proxy -> new SocksBridge(proxy, access.server()));
        this.login = new Login(access.plugin().map(PluginRunner::new), InstantSource.system());
        this.session = session(access.tls());
        if (access.way().insecure()) {
            LOG.warn("event=insecure server={} reason=\"insecure-skip-tls-verify: any server is trusted\"", root);
        }
    }

    /// The connections of a while: all of them come to an end together.
    private record Session(HttpClient http, ClusterAccess.Tls tls, AtomicBoolean begun, CountDownLatch firstAnswered) {}

    private Session session(ClusterAccess.Tls tls) {
        return new Session(httpClient(tls), tls, new AtomicBoolean(), new CountDownLatch(1));
    }

    private HttpClient httpClient(ClusterAccess.Tls tls) {
        boolean secure = "https".equalsIgnoreCase(access.server().getScheme());
        HttpClient.Builder builder = HttpClient.newBuilder()
                .connectTimeout(timeouts.connect())
                .version(secure ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
        if (secure) {
            TlsContext.of(tls, access.way()).ifPresent(builder::sslContext);
        }
        access.way().proxy().ifPresent(proxy -> builder.proxy(ProxySelector.of(address(proxy))));
        return builder.build();
    }

    /// Where the HTTP client finds the proxy: its own address, or that of a way to it.
    private InetSocketAddress address(URI proxy) {
        if (bridge.isPresent()) {
            return bridge.get().address();
        }
        return InetSocketAddress.createUnresolved(proxy.getHost(), proxy.getPort() < 0 ? HTTP_PORT : proxy.getPort());
    }

    /// A certificate is shown when a connection is made: another one takes other connections.
    private void show(ClusterAccess.Tls tls) {
        if (!session.tls.equals(tls)) {
            replace(tls);
        }
    }

    /// Once, however many requests ask for it together: none may cut what another has just begun to use.
    private synchronized void replace(ClusterAccess.Tls tls) {
        if (session.tls.equals(tls)) {
            return;
        }
        try {
            Session fresh = session(tls);
            Session old = session;
            session = fresh;
            old.http.shutdownNow();
        } catch (ParseException e) {
            throw new ApiException("user.exec: " + e.getMessage(), e);
        }
    }

    ObjectNode send(String method, String path) throws InterruptedException {
        return exchange(
                request(path, JSON).method(method, BodyPublishers.noBody()).build());
    }

    /// The answer to a GET, in the form that `accept` asks for.
    ObjectNode get(String path, String accept) throws InterruptedException {
        return exchange(request(path, accept).GET().build());
    }

    ObjectNode send(String method, String path, JsonNode body, String contentType) throws InterruptedException {
        BodyPublisher bytes = BodyPublishers.ofByteArray(Json.bytes(body));
        return exchange(request(path, JSON)
                .header("Content-Type", contentType)
                .method(method, bytes)
                .build());
    }

    /// The answer to a GET as it comes; the caller closes it.
    BodyPieces open(String path, String accept) throws InterruptedException {
        HttpRequest request = request(path, accept).GET().build();
        HttpResponse<BodyPieces> response = start(request);
        if (response.statusCode() == 200) {
            return response.body();
        }
        throw StatusErrors.of(request, response.statusCode(), bytes(request, response.body()));
    }

    /// The text of the answer to a GET as it comes, which may travel compressed; the caller closes it.
    ///
    /// To unpack a list takes less than to decrypt it unpacked.
    InputStream read(String path) throws InterruptedException {
        HttpRequest request =
                request(path, JSON).header("Accept-Encoding", "gzip").GET().build();
        HttpResponse<BodyPieces> response = start(request);
        if (response.statusCode() != 200) {
            throw StatusErrors.of(request, response.statusCode(), bytes(request, response.body()));
        }
        InputStream body = new BodyStream(response.body(), timeouts.answer());
        try {
            boolean packed =
                    response.headers().firstValue("Content-Encoding").orElse("").equals("gzip");
            return packed ? new GZIPInputStream(body, UNPACKED_AT_ONCE) : body;
        } catch (IOException e) {
            response.body().close();
            throw StatusErrors.unanswered(request, e);
        }
    }

    /// The bytes of the answer to a GET as they come, with up to `patience` between them; the caller closes it.
    InputStream follow(String path, Duration patience) throws InterruptedException {
        return new BodyStream(open(path, "*/*"), patience);
    }

    /// Whether the server answers anything at all within `patience`, on the connections that are there.
    boolean answers(Duration patience) throws InterruptedException {
        return answers(patience, Optional.empty());
    }

    /// Whether it answers on a new connection. Then all go on by that one, and those before it are cut: who waits for
    /// an answer on them hears of it.
    boolean renew(Duration patience) throws InterruptedException {
        Session fresh = session(session.tls);
        if (!answers(patience, Optional.of(fresh))) {
            fresh.http.shutdownNow();
            return false;
        }
        Session old = session;
        session = fresh;
        old.http.shutdownNow();
        return true;
    }

    private boolean answers(Duration patience, Optional<Session> asked) throws InterruptedException {
        try {
            HttpRequest request =
                    request("/livez", JSON).timeout(patience).GET().build();
            start(asked.orElse(session), request).body().close(); // the request may have made another session
            return true;
        } catch (ApiException _) {
            return false;
        }
    }

    @Override
    public void close() {
        session.http.shutdownNow();
        bridge.ifPresent(SocksBridge::close);
    }

    /// Turns a GET into a WebSocket of channels; what comes goes to `receiver`.
    ChannelSession channels(String path, List<String> protocols, ChannelSession.Receiver receiver)
            throws InterruptedException {
        HttpRequest request = request(path, "*/*").build();
        ChannelSession.Incoming incoming = new ChannelSession.Incoming(receiver);
        WebSocket.Builder socket = session.http
                .newWebSocketBuilder()
                .connectTimeout(timeouts.connect())
                .subprotocols(protocols.getFirst(), protocols.stream().skip(1).toArray(String[]::new));
        request.headers().firstValue("Authorization").ifPresent(token -> socket.header("Authorization", token));
        URI uri = URI.create(request.uri().toString().replaceFirst("^http", "ws"));
        try {
            return new ChannelSession(
                    socket.buildAsync(uri, incoming).get(timeouts.answer().toMillis(), TimeUnit.MILLISECONDS),
                    incoming);
        } catch (TimeoutException e) {
            throw StatusErrors.unanswered(request, new IOException("no answer in time", e));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof WebSocketHandshakeException refused) {
                throw new ApiException(
                        refused.getResponse().statusCode(),
                        "",
                        "unable to upgrade connection: the server answered %d"
                                .formatted(refused.getResponse().statusCode()));
            }
            throw StatusErrors.unanswered(
                    request, e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause()));
        }
    }

    private HttpRequest.Builder request(String path, String accept) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(root + path))
                .timeout(timeouts.answer())
                .header("Accept", accept)
                .header("User-Agent", "fairlead");
        PluginCredential credential = login.current();
        show(credential.over(access.tls()));
        String own = access.bearer();
        String token = own.isEmpty() ? credential.token() : own;
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    private ObjectNode exchange(HttpRequest request) throws InterruptedException {
        HttpResponse<BodyPieces> response = start(request);
        byte[] body = bytes(request, response.body());
        if (response.statusCode() / 100 != 2) {
            throw StatusErrors.of(request, response.statusCode(), body);
        }
        return object(request, response.statusCode(), body);
    }

    /// The first request goes alone for a while: those that wait for its answer share its connection over HTTP/2,
    /// where each of them would have made one of its own.
    private HttpResponse<BodyPieces> start(HttpRequest request) throws InterruptedException {
        return start(session, request);
    }

    private HttpResponse<BodyPieces> start(Session session, HttpRequest request) throws InterruptedException {
        if (session.begun.getAndSet(true)) {
            var _ = session.firstAnswered.await(ALONE.toMillis(), TimeUnit.MILLISECONDS);
            return answer(session.http, request);
        }
        try {
            return answer(session.http, request);
        } finally {
            session.firstAnswered.countDown();
        }
    }

    private HttpResponse<BodyPieces> answer(HttpClient http, HttpRequest request) throws InterruptedException {
        try {
            HttpResponse<BodyPieces> response = http.send(request, _ -> new BodyPieces());
            if (response.statusCode() == UNAUTHORIZED) {
                login.refused(request.headers().firstValue("Authorization").orElse(""));
            }
            return response;
        } catch (IOException e) {
            throw StatusErrors.unanswered(request, e);
        }
    }

    private byte[] bytes(HttpRequest request, BodyPieces pieces) throws InterruptedException {
        try (pieces) {
            return all(pieces);
        } catch (IOException e) {
            throw StatusErrors.unanswered(request, e);
        }
    }

    private byte[] all(BodyPieces pieces) throws IOException, InterruptedException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        long deadline = System.nanoTime() + timeouts.answer().toNanos();
        while (true) {
            Optional<byte[]> piece = pieces.next(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            if (piece.isEmpty()) {
                return all.toByteArray();
            }
            all.writeBytes(piece.get());
            if (all.size() > MAX_BODY) {
                throw new IOException("the answer is longer than " + MAX_BODY + " bytes");
            }
        }
    }

    private static ObjectNode object(HttpRequest request, int code, byte[] body) {
        try {
            if (Json.parse(body) instanceof ObjectNode object) {
                return object;
            }
        } catch (ParseException _) {
            // told below, with what came instead
        }
        throw StatusErrors.unexpected(request, code, body);
    }
}
