package io.fairlead.http;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.objects.StatusException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.RateControl;
import org.eclipse.jetty.io.WindowRateControl;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The only place that knows how connections come in: Jetty, every request on a virtual thread of its own.
///
/// One port speaks HTTP/1.1 and HTTP/2 over TLS, as the client's ALPN asks for; without TLS it is HTTP/1.1 alone.
final class HttpFront implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpFront.class);
    private static final int HEADER_LIMIT = 32 * 1024;
    private static final long IDLE_MILLIS = 90_000;
    // One process with an informer for each kind and namespace wants more than Jetty's 128.
    private static final int STREAMS_A_CONNECTION = 2_000;
    // A client that stops its informers resets all its streams at once: Jetty's 128 a second would cut the connection.
    private static final int RESETS_A_SECOND = 2_500;
    private static final int FRAMES_A_SECOND = 10_000;
    private static final long STOP_MILLIS = 2_000;

    private final Server server;
    private final ServerConnector connector;
    private final WebSockets webSockets;
    private final ConnectionWatch watch;

    HttpFront(IpPort bind, Optional<ServerTls> tls, int mostConnections, ConnectionWatch watch) {
        this.watch = watch;
        server = new Server(threads());
        server.setStopTimeout(STOP_MILLIS);
        server.setErrorHandler(new StatusErrors());
        connector = new ServerConnector(
                server,
                1,
                1,
                tls.map(HttpFront::secure)
                        .orElseGet(() -> List.of(new HttpConnectionFactory(http())))
                        .toArray(ConnectionFactory[]::new));
        connector.setHost(bind.ip().toString());
        connector.setPort(bind.port());
        connector.setIdleTimeout(IDLE_MILLIS);
        connector.addEventListener(watch);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(mostConnections, connector));
        webSockets = new WebSockets(server);
    }

    private static QueuedThreadPool threads() {
        QueuedThreadPool threads = new QueuedThreadPool(64, 2);
        threads.setName("http");
        threads.setDaemon(true);
        threads.setVirtualThreadsExecutor(VirtualThreads.getNamedVirtualThreadsExecutor("http-"));
        return threads;
    }

    private static HttpConfiguration http() {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(HEADER_LIMIT);
        http.setResponseHeaderSize(HEADER_LIMIT);
        return http;
    }

    private static List<ConnectionFactory> secure(ServerTls tls) {
        HttpConfiguration https = http();
        // Clients come by address more often than by name, so the name that TLS knows need not be the host they ask.
        https.addCustomizer(new SecureRequestCustomizer(false));
        HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(https);
        http2.setMaxConcurrentStreams(STREAMS_A_CONNECTION);
        http2.setRateControlFactory(new RateControl.Factory() {
            @Override
            public RateControl newRateControl(EndPoint client) {
                return new FrameRates(client);
            }
        });
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(HttpVersion.HTTP_1_1.asString());
        return List.of(
                new SslConnectionFactory(tls.factory(), alpn.getProtocol()),
                alpn,
                http2,
                new HttpConnectionFactory(https));
    }

    Executor executor() {
        return connector.getExecutor();
    }

    WebSockets webSockets() {
        return webSockets;
    }

    /// Takes the address, but answers no client yet.
    void open() {
        try {
            connector.open();
        } catch (IOException e) {
            throw new ApiServerException("cannot listen on " + connector.getHost() + ":" + connector.getPort(), e);
        }
    }

    /// Answers from now on.
    void start(Handler handler) {
        // On close, requests that are being answered are answered, but no longer than the stop timeout.
        watch.setHandler(handler);
        server.setHandler(new GracefulHandler(watch));
        try {
            server.start();
        } catch (Exception e) {
            throw new ApiServerException("the HTTP server did not start", e);
        }
    }

    IpPort address() {
        return new IpPort(Ip.parse(connector.getHost()), connector.getLocalPort());
    }

    /// Stops within the stop timeout, whichever clients it still answers then.
    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            LOG.warn("event=connections-cut reason=\"{}\"", e.toString());
        }
        connector.close();
    }

    /// How many frames of one connection are taken in a second, and how many of them take a request back.
    private record FrameRates(WindowRateControl resets, WindowRateControl all, EndPoint client) implements RateControl {
        FrameRates(EndPoint client) {
            this(
                    new WindowRateControl(RESETS_A_SECOND, Duration.ofSeconds(1)),
                    new WindowRateControl(FRAMES_A_SECOND, Duration.ofSeconds(1)),
                    client);
        }

        @Override
        public boolean onEvent(Object event) {
            boolean fine = all.onEvent(event) && (!(event instanceof ResetFrame) || resets.onEvent(event));
            if (!fine) {
                LOG.warn("event=connection-cut reason=\"too many frames\" from={}", client.getRemoteSocketAddress());
            }
            return fine;
        }
    }

    /// Faults that Jetty finds before a request reaches us, as Status objects like all others (K32).
    private static final class StatusErrors extends ErrorHandler {
        @Override
        protected void generateResponse(
                Request request, Response response, int code, String message, Throwable cause, Callback callback) {
            String reason = code < 500 ? "BadRequest" : "InternalError";
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, Representation.JSON_TYPE);
            response.write(
                    true,
                    ByteBuffer.wrap(
                            Json.bytes(StatusException.of(code, reason, message).status())),
                    callback);
        }
    }
}
