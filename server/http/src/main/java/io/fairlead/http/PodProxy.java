package io.fairlead.http;

import io.fairlead.api.Kind;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.WatchCache;
import io.fairlead.streams.HttpBody;
import io.fairlead.streams.HttpHead;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/// `pods/proxy` and `services/proxy`: a plain HTTP request to a pod, in the name of somebody who is let in here.
///
/// The request travels through the agent of the pod's node, so this server needs no route to the pods. What the pod
/// answers is sent on as it is: links in it are not rewritten.
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
            "proxy-authorization");

    /// How long a pod may be silent before and within its answer.
    private static final Duration SILENCE = Duration.ofMinutes(5);

    private final AgentCalls agents;
    private final ProxyTargets targets;

    PodProxy(AgentCalls agents, WatchCache cache) {
        this.agents = agents;
        this.targets = new ProxyTargets(cache);
    }

    Answer answer(ApiPath path, Exchange exchange) {
        ApiRequest request = exchange.request();
        ProxyTargets.Target target = path.kind().equals(Kind.POD) ? targets.pod(path) : targets.service(path);
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
            done = true;
            return new Answer.Piped(answer, HttpBody.of(answer, dialled.in()), dialled.socket());
        } catch (IOException e) {
            throw StatusException.of(
                    503, "ServiceUnavailable", "error trying to reach %s: %s".formatted(target, e.getMessage()));
        } finally {
            if (!done) {
                Answer.closeQuietly(dialled.socket());
            }
        }
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
