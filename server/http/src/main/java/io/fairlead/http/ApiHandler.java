package io.fairlead.http;

import io.fairlead.objects.ApiException;
import io.fairlead.objects.StoreFailure;
import io.fairlead.store.StoreException;
import java.io.IOException;
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
/// into
/// a Status.
final class ApiHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);

    private final RequestLimits limits;
    private final Filter.Next filters;
    private final AnswerWriter writer;
    private final Upgrades upgrades;
    private final RequestLog log;
    private final InstantSource clock;

    ApiHandler(
            RequestLimits limits,
            Filter.Next filters,
            AnswerWriter writer,
            Upgrades upgrades,
            RequestLog log,
            InstantSource clock) {
        this.limits = limits;
        this.filters = filters;
        this.writer = writer;
        this.upgrades = upgrades;
        this.log = log;
        this.clock = clock;
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
        try {
            if (answer(exchange, body, request, response, callback)) {
                callback.succeeded();
            }
        } catch (IOException | InterruptedException e) {
            // The client went away, or we do: there is nobody left to tell.
            callback.failed(e);
        }
        log.answered(exchange, response.getStatus(), Request.getRemoteAddr(request), clock.instant());
        return true;
    }

    /// False if the connection has become a WebSocket or a tunnel, and the callback is no longer ours.
    private boolean answer(Exchange exchange, BodyBytes body, Request request, Response response, Callback callback)
            throws IOException, InterruptedException {
        ApiRequest asked = exchange.request();
        try (RequestLimits.Place _ = limits.take(asked)) {
            Answer answer = filters.answer(exchange);
            body.finish();
            if (upgrades.take(answer, request, response, callback)) {
                return false;
            }
            writer.write(answer, asked, response);
        } catch (ApiException refused) {
            body.finish();
            writer.write(refused, response);
        } catch (StoreException e) {
            // The store itself logs when it begins to fail and when it works again.
            LOG.debug("event=store-failed method={} path={}", asked.method(), asked.path(), e);
            writer.write(StoreFailure.answer(e), response);
        } catch (RuntimeException e) {
            LOG.error("event=request-failed method={} path={}", asked.method(), asked.path(), e);
            if (response.isCommitted()) {
                throw new IOException("failed after the answer had begun", e);
            }
            // Without the exception's words: they may hold a piece of what a client sent.
            String what = e.getClass().getSimpleName();
            writer.write(ApiException.of(500, "InternalError", "Internal error occurred: " + what), response);
        }
        return true;
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
