package io.fairlead.http;

import io.fairlead.access.AccessRequest;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.StoreFailure;
import io.fairlead.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Between Jetty and the filters: reads a request, has it answered, writes the answer, and turns whatever goes wrong
/// into a Status.
final class ApiHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);

    private final Filter.Next filters;
    private final AnswerWriter writer;
    private final Upgrades upgrades;
    private final RequestLog log;
    private final InstantSource clock;

    ApiHandler(Filter.Next filters, AnswerWriter writer, Upgrades upgrades, RequestLog log, InstantSource clock) {
        this.filters = filters;
        this.writer = writer;
        this.upgrades = upgrades;
        this.log = log;
        this.clock = clock;
    }

    /// Where each request is counted and written down once it is answered.
    record RequestLog(ServerMetrics metrics, AuditLog audit) {
        void answered(Exchange exchange, int code, String address, Instant now) {
            AccessRequest done = RequestAttributes.of(exchange.user(), exchange.request());
            Duration took = Duration.between(exchange.begin(), now);
            metrics.answered(done, code, took);
            audit.write(new AuditLog.Entry(exchange.begin(), exchange.sender(), done, code, took, address));
        }

        void failed(Throwable cause) {
            metrics.failed(cause.getClass().getSimpleName());
        }
    }

    /// Where a connection stops being one request and its answer.
    record Upgrades(WatchSockets sockets, Tunnels tunnels) {
        boolean take(Answer answer, Request request, Response response, Callback callback) {
            return sockets.take(answer, request, response, callback)
                    || tunnels.take(answer, request, response, callback);
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        BodyBytes body = new BodyBytes(request);
        Exchange exchange = new Exchange(read(request, body), Credentials.of(request), clock.instant());
        request.addFailureListener(_ -> exchange.leave());
        if (isOfPod(exchange.request()) && !WebSockets.isWanted(request)) {
            ConnectionWatch.whenGone(request, response, exchange::leave);
        }
        try (exchange) {
            if (answer(exchange, body, request, response, callback)) {
                callback.succeeded();
            }
        } catch (IOException | InterruptedException e) {
            // The client went away, or we do: no client is left to answer.
            callback.failed(e);
        }
        log.answered(exchange, response.getStatus(), Request.getRemoteAddr(request), clock.instant());
        return true;
    }

    /// False if the connection has become a WebSocket or a tunnel, and the callback is no longer ours.
    private boolean answer(Exchange exchange, BodyBytes body, Request request, Response response, Callback callback)
            throws IOException, InterruptedException {
        ApiRequest asked = exchange.request();
        try {
            Answer answer = filters.answer(exchange);
            body.finish();
            if (upgrades.take(answer, request, response, callback)) {
                return false;
            }
            writer.write(answer, asked, response);
        } catch (StatusException refused) {
            body.finish();
            writer.write(refused, response);
        } catch (StoreException e) {
            // The store itself logs when it begins to fail and when it works again.
            LOG.debug("event=store-failed method={} path={}", asked.method(), asked.path(), e);
            writer.write(StoreFailure.answer(e), response);
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            log.failed(e);
            LOG.error("event=request-failed method={} path={}", asked.method(), asked.path(), e);
            if (response.isCommitted()) {
                throw new IOException("failed after the answer had begun", e);
            }
            // Without the exception's words: they may hold a piece of what a client sent.
            String what = e.getClass().getSimpleName();
            writer.write(StatusException.of(500, "InternalError", "Internal error occurred: " + what), response);
        }
        return true;
    }

    /// What is answered by a node may take for ever: then it is for us to see that the client is gone. A WebSocket has
    /// a reader of its own, which a second one would rob of its bytes.
    private static boolean isOfPod(ApiRequest request) {
        return request.target()
                .map(ApiPath::subresource)
                .filter(part -> part.equals("log") || part.equals("proxy"))
                .isPresent();
    }

    private static ApiRequest read(Request request, BodyBytes body) {
        Map<String, String> query = new HashMap<>();
        Request.extractQueryParameters(request).forEach(field -> query.put(field.getName(), field.getValue()));
        Map<String, String> headers = new HashMap<>();
        request.getHeaders()
                .forEach(header -> headers.merge(
                        header.getName().toLowerCase(Locale.ROOT), header.getValue(), (a, b) -> a + "," + b));
        String queryText = Objects.requireNonNullElse(request.getHttpURI().getQuery(), "");
        return ApiRequest.usual(
                request.getMethod(), Request.getPathInContext(request), query, queryText, headers, body);
    }
}
