package io.fairlead.apiserver;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The only place that knows how connections come in: Jetty, plain HTTP, every request on a virtual thread of its own.
final class HttpFront implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpFront.class);
    private static final int HEADER_LIMIT = 32 * 1024;
    private static final long IDLE_MILLIS = 90_000;
    private static final long STOP_MILLIS = 2_000;

    private final Server server;
    private final ServerConnector connector;

    HttpFront(IpPort bind) {
        QueuedThreadPool threads = new QueuedThreadPool(64, 2);
        threads.setName("http");
        threads.setDaemon(true);
        threads.setVirtualThreadsExecutor(VirtualThreads.getNamedVirtualThreadsExecutor("http-"));
        server = new Server(threads);
        server.setStopTimeout(STOP_MILLIS);
        server.setErrorHandler(new StatusErrors());
        connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http()));
        connector.setHost(bind.ip().toString());
        connector.setPort(bind.port());
        connector.setIdleTimeout(IDLE_MILLIS);
        server.addConnector(connector);
    }

    private static HttpConfiguration http() {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(HEADER_LIMIT);
        http.setResponseHeaderSize(HEADER_LIMIT);
        return http;
    }

    /// Takes the address, but answers nobody yet.
    void open() {
        try {
            connector.open();
        } catch (IOException e) {
            throw new ApiServerException("cannot listen on " + connector.getHost() + ":" + connector.getPort(), e);
        }
    }

    /// Answers from now on.
    void start(ApiHandler handler) {
        // On close, requests that are being answered are answered, but no longer than the stop timeout.
        server.setHandler(new GracefulHandler(handler));
        try {
            server.start();
        } catch (Exception e) {
            throw new ApiServerException("the HTTP server did not start", e);
        }
    }

    IpPort address() {
        return new IpPort(Ip.parse(connector.getHost()), connector.getLocalPort());
    }

    /// Stops within the stop timeout, whoever is still being answered then.
    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            LOG.warn("cut off those who did not take their answer in time: {}", e.toString());
        }
        connector.close();
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
                            Json.bytes(ApiException.of(code, reason, message).status())),
                    callback);
        }
    }
}
