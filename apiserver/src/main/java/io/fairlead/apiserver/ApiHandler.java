package io.fairlead.apiserver;

import io.fairlead.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Between Jetty and the router: reads a request, has it answered, and turns whatever goes wrong into a Status.
final class ApiHandler extends Handler.Abstract {
    static final int BODY_LIMIT = 3 * 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);

    private final Router router;
    private final AnswerWriter writer;
    private final ServerMetrics metrics;
    private final Stamp stamp;

    ApiHandler(Router router, AnswerWriter writer, ServerMetrics metrics, Stamp stamp) {
        this.router = router;
        this.writer = writer;
        this.metrics = metrics;
        this.stamp = stamp;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Instant begin = stamp.now();
        ApiRequest asked = read(request);
        try {
            answer(asked, response);
            callback.succeeded();
        } catch (IOException | InterruptedException e) {
            // The client went away, or we do: there is nobody left to tell.
            callback.failed(e);
        }
        String verb = asked.isWatch() ? "WATCH" : asked.method();
        metrics.answered(verb, resource(asked), response.getStatus(), Duration.between(begin, stamp.now()));
        return true;
    }

    private void answer(ApiRequest request, Response response) throws IOException, InterruptedException {
        try {
            writer.write(router.answer(request), request, response);
        } catch (ApiException refused) {
            writer.write(refused, response);
        } catch (StoreException e) {
            LOG.warn("store failed method={} path={}", request.method(), request.path(), e);
            writer.write(ApiException.unavailable("the store cannot be reached: " + e.getMessage()), response);
        } catch (RuntimeException e) {
            LOG.error("request failed method={} path={}", request.method(), request.path(), e);
            if (response.isCommitted()) {
                throw new IOException("failed after the answer had begun", e);
            }
            writer.write(ApiException.of(500, "InternalError", "Internal error occurred: " + e), response);
        }
    }

    private static ApiRequest read(Request request) {
        Map<String, String> query = new HashMap<>();
        Request.extractQueryParameters(request).forEach(field -> query.put(field.getName(), field.getValue()));
        Map<String, String> headers = new HashMap<>();
        request.getHeaders()
                .forEach(header -> headers.merge(
                        header.getName().toLowerCase(Locale.ROOT), header.getValue(), (a, b) -> a + "," + b));
        return new ApiRequest(
                request.getMethod(), Request.getPathInContext(request), query, headers, readBody(request));
    }

    /// The whole body is read before anything is answered, whoever wants it: to answer earlier would end the connection
    /// while the client still sends, and its next request on it would fail.
    private static Supplier<byte[]> readBody(Request request) {
        try {
            byte[] bytes = body(request);
            return () -> bytes;
        } catch (ApiException refused) {
            return () -> {
                throw refused;
            };
        }
    }

    private static byte[] body(Request request) {
        if (request.getLength() > BODY_LIMIT) {
            throw tooLarge();
        }
        try (InputStream in = Content.Source.asInputStream(request)) {
            byte[] bytes = in.readNBytes(BODY_LIMIT + 1);
            if (bytes.length > BODY_LIMIT) {
                throw tooLarge();
            }
            return bytes;
        } catch (IOException e) {
            throw ApiException.badRequest("the body of the request broke off: " + e.getMessage());
        }
    }

    private static ApiException tooLarge() {
        return ApiException.of(
                413, "RequestEntityTooLarge", "the body is too large: at most %d bytes are read".formatted(BODY_LIMIT));
    }

    private static String resource(ApiRequest request) {
        return ApiPath.find(request.path()).map(path -> path.kind().plural()).orElse("");
    }
}
