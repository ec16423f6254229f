package io.fairlead.http;

import io.fairlead.access.AccessRequest;
import io.fairlead.access.User;
import io.fairlead.kinds.Stamp;
import io.fairlead.objects.ApiException;
import io.fairlead.objects.StoreFailure;
import io.fairlead.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Between Jetty and the router: reads a request, lets it in, has it answered, and turns whatever goes wrong into a
/// Status.
final class ApiHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);

    /// Who lets requests in and who answers them.
    record Desk(Gate gate, AccessApi access, Router router, SecondLook look, AnswerWriter writer, Passages passages) {}

    /// What is answered by nodes and pods.
    record Reach(PodReach pods, PodProxy proxy) {
        Optional<Answer> find(ApiRequest request, String query) {
            return pods.find(request, query).or(() -> proxy.find(request, query));
        }
    }

    /// Where a connection stops being one request and its answer.
    record Passages(Reach reach, WatchSockets sockets, Tunnels tunnels) {
        boolean take(Answer answer, Request request, Response response, Callback callback) {
            return sockets.take(answer, request, response, callback)
                    || tunnels.take(answer, request, response, callback);
        }
    }

    /// Who takes notes.
    record Notes(ServerMetrics metrics, AuditLog audit, Stamp stamp) {}

    private final Desk desk;
    private final Notes notes;
    private final Traffic traffic;

    ApiHandler(Desk desk, Notes notes, Traffic traffic) {
        this.desk = desk;
        this.notes = notes;
        this.traffic = traffic;
    }

    /// One request on its way; the sender and the user are the same, unless one speaks for another.
    private static final class Visit {
        final ApiRequest asked;
        final BodyBytes body;
        final Instant begin;
        User sender = User.ANONYMOUS;
        User user = User.ANONYMOUS;

        Visit(ApiRequest asked, BodyBytes body, Instant begin) {
            this.asked = asked;
            this.body = body;
            this.begin = begin;
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        BodyBytes body = new BodyBytes(request);
        Visit visit =
                new Visit(Router.usual(read(request, body)), body, notes.stamp().now());
        try {
            if (answer(visit, request, response, callback)) {
                callback.succeeded();
            }
        } catch (IOException | InterruptedException e) {
            // The client went away, or we do: there is nobody left to tell.
            callback.failed(e);
        }
        note(visit, request, response);
        return true;
    }

    /// False if the connection has become a WebSocket, and the callback is no longer ours.
    private boolean answer(Visit visit, Request request, Response response, Callback callback)
            throws IOException, InterruptedException {
        ApiRequest asked = visit.asked;
        try (Traffic.Place _ = traffic.take(asked)) {
            Answer answer = desk.look().answer(asked, () -> answer(visit, request));
            visit.body.finish();
            if (desk.passages().take(answer, request, response, callback)) {
                return false;
            }
            desk.writer().write(answer, asked, response);
        } catch (ApiException refused) {
            visit.body.finish();
            desk.writer().write(refused, response);
        } catch (StoreException e) {
            LOG.warn("store failed method={} path={}", asked.method(), asked.path(), e);
            desk.writer().write(StoreFailure.answer(e), response);
        } catch (RuntimeException e) {
            LOG.error("request failed method={} path={}", asked.method(), asked.path(), e);
            if (response.isCommitted()) {
                throw new IOException("failed after the answer had begun", e);
            }
            // Without the exception's words: they may hold a piece of what somebody sent.
            String what = e.getClass().getSimpleName();
            desk.writer().write(ApiException.of(500, "InternalError", "Internal error occurred: " + what), response);
        }
        return true;
    }

    private Answer answer(Visit visit, Request request) throws InterruptedException {
        ApiRequest asked = visit.asked;
        visit.sender = desk.gate().authenticate(request, visit.begin);
        visit.user = visit.sender;
        visit.user = desk.gate().impersonate(visit.sender, asked);
        desk.gate().authorize(visit.user, asked);
        String query = Objects.requireNonNullElse(request.getHttpURI().getQuery(), "");
        Optional<Answer> elsewhere = desk.access()
                .find(visit.user, asked)
                .or(() -> desk.passages().reach().find(asked, query));
        return elsewhere.isPresent()
                ? elsewhere.get()
                : desk.router().answer(asked.guardedBy(desk.gate().guard(visit.user)));
    }

    private void note(Visit visit, Request request, Response response) {
        AccessRequest done = RequestAttributes.of(visit.user, visit.asked);
        Duration took = Duration.between(visit.begin, notes.stamp().now());
        notes.metrics().answered(done, response.getStatus(), took);
        notes.audit()
                .write(new AuditLog.Entry(
                        visit.begin, visit.sender, done, response.getStatus(), took, Request.getRemoteAddr(request)));
    }

    private static ApiRequest read(Request request, BodyBytes body) {
        Map<String, String> query = new HashMap<>();
        Request.extractQueryParameters(request).forEach(field -> query.put(field.getName(), field.getValue()));
        Map<String, String> headers = new HashMap<>();
        request.getHeaders()
                .forEach(header -> headers.merge(
                        header.getName().toLowerCase(Locale.ROOT), header.getValue(), (a, b) -> a + "," + b));
        return new ApiRequest(request.getMethod(), Request.getPathInContext(request), query, headers, body);
    }
}
