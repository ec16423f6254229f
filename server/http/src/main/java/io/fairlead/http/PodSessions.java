package io.fairlead.http;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.WatchCache;
import io.fairlead.streams.HttpHead;
import java.util.List;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/// Requests that reach into a pod: `log`, `exec`, `attach`, `portforward`. They are answered by the agent of its node;
/// this server only asks whether the caller may, and then carries the bytes.
final class PodSessions {
    // What an upgrade needs; whatever else the client sent, such as its token, is none of the agent's business.
    private static final List<String> FORWARDED = List.of(
            "connection",
            "upgrade",
            "x-stream-protocol-version",
            "sec-websocket-key",
            "sec-websocket-version",
            "sec-websocket-protocol");

    private final AgentCalls agents;
    private final WatchCache cache;

    PodSessions(AgentCalls agents, WatchCache cache) {
        this.agents = agents;
        this.cache = cache;
    }

    Answer answer(ApiPath path, Exchange exchange) {
        ApiRequest request = exchange.request();
        boolean log = path.subresource().equals("log");
        if (!request.method().equals("GET") && (log || !request.method().equals("POST"))) {
            throw StatusException.methodNotAllowed();
        }
        JsonNode pod = cache.of(Kind.POD)
                .find(path.key())
                .orElseThrow(() -> StatusException.notFound(Kind.POD, path.name()))
                .tree();
        HttpHead call = HttpHead.of("GET %s HTTP/1.1".formatted(target(path, pod, request)));
        String node = node(pod, path);
        boolean socket = request.headers().getOrDefault("upgrade", "").equalsIgnoreCase("websocket");
        return log && !socket ? text(node, call, exchange) : tunnel(node, withUpgrade(call, request), exchange);
    }

    private static String node(JsonNode pod, ApiPath path) {
        String node = Json.text(pod, "spec", "nodeName");
        if (node.isEmpty()) {
            throw StatusException.badRequest("pod %s does not have a host assigned".formatted(path.name()));
        }
        return node;
    }

    private static String target(ApiPath path, JsonNode pod, ApiRequest request) {
        NamespacedName name = path.key();
        String what = path.subresource().equals("log") ? "logs" : path.subresource();
        String container = what.equals("portforward") ? "" : "/" + container(pod, request.query("container"), path);
        String arguments = request.queryText().isEmpty() ? "" : "?" + request.queryText();
        return "/%s/%s/%s%s%s".formatted(what, name.namespace(), name.name(), container, arguments);
    }

    /// The one that is asked for; the only one where none is.
    private static String container(JsonNode pod, String asked, ApiPath path) {
        List<String> names = names(pod, "containers");
        boolean known = names.contains(asked)
                || names(pod, "initContainers").contains(asked)
                || names(pod, "ephemeralContainers").contains(asked);
        if (known) {
            return asked;
        } else if (!asked.isEmpty()) {
            throw StatusException.badRequest("container %s is not valid for pod %s".formatted(asked, path.name()));
        } else if (names.size() != 1) {
            throw StatusException.badRequest("a container name must be specified for pod %s, choose one of: [%s]"
                    .formatted(path.name(), String.join(" ", names)));
        }
        return names.getFirst();
    }

    private static List<String> names(JsonNode pod, String field) {
        return StreamSupport.stream(pod.path("spec").path(field).spliterator(), false)
                .map(container -> Json.text(container, "name"))
                .toList();
    }

    private static HttpHead withUpgrade(HttpHead call, ApiRequest request) {
        HttpHead head = call;
        for (String name : FORWARDED) {
            String value = request.headers().getOrDefault(name, "");
            head = value.isEmpty() ? head : head.with(name, value);
        }
        return head;
    }

    private Answer text(String node, HttpHead call, Exchange exchange) {
        AgentCalls.Answered answered = agents.call(node, call, exchange, AgentCalls.LONG);
        return new Answer.Piped(answered.head(), answered.in(), answered.socket());
    }

    private Answer tunnel(String node, HttpHead call, Exchange exchange) {
        AgentCalls.Answered answered = agents.call(node, call, exchange, AgentCalls.LONG);
        return new Answer.Tunnel(answered.head(), answered.in(), answered.socket());
    }
}
