package io.fairlead.api;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// A question that the node asks a container again and again; absent fields have the values the API says.
///
/// `graceSeconds` is how long a container may take to end that failed it; below 0 it is the pod's.
public record Probe(
        Action action,
        int initialDelaySeconds,
        int timeoutSeconds,
        int periodSeconds,
        int successThreshold,
        int failureThreshold,
        int graceSeconds) {

    /// How the question is asked; an empty `host` means the pod's own address.
    public sealed interface Action {
        /// No question: the container counts as fine while it runs.
        record None() implements Action {}

        /// An answer from 200 to 399 is a yes.
        record HttpGet(String scheme, String host, PortReference port, String path, Map<String, String> headers)
                implements Action {}

        /// An open connection is a yes.
        record TcpSocket(String host, PortReference port) implements Action {}

        /// A command inside the container that ends with 0 is a yes.
        record Exec(List<String> command) implements Action {}

        /// The health service of gRPC on a port of the pod; SERVING is a yes.
        record Grpc(int port, String service) implements Action {}

        private static Action of(JsonNode json) {
            if (json.path("exec").isObject()) {
                return new Exec(Json.texts(json, "exec", "command"));
            }
            if (json.path("grpc").isObject()) {
                return new Grpc(Json.number(json, 0, "grpc", "port"), Json.text(json, "grpc", "service"));
            }
            if (json.path("httpGet").isObject()) {
                return httpGet(json.path("httpGet"));
            }
            JsonNode tcp = json.path("tcpSocket");
            return tcp.isObject() ? new TcpSocket(Json.text(tcp, "host"), port(tcp)) : new None();
        }

        private static HttpGet httpGet(JsonNode json) {
            Map<String, String> headers = new java.util.LinkedHashMap<>();
            json.path("httpHeaders")
                    .valueStream()
                    .forEach(h -> headers.put(Json.text(h, "name"), Json.text(h, "value")));
            String path = Json.text(json, "path");
            String scheme = Json.text(json, "scheme");
            return new HttpGet(
                    scheme.isEmpty() ? "HTTP" : scheme,
                    Json.text(json, "host"),
                    port(json),
                    path.startsWith("/") ? path : "/" + path,
                    headers);
        }

        private static PortReference port(JsonNode json) {
            return PortReference.of(json.path("port"), 0);
        }
    }

    /// False where there is no question to ask.
    public boolean asks() {
        return !(action instanceof Action.None);
    }

    static Probe of(JsonNode json) {
        return new Probe(
                Action.of(json),
                Json.number(json, 0, "initialDelaySeconds"),
                Math.max(1, Json.number(json, 1, "timeoutSeconds")),
                Math.max(1, Json.number(json, 10, "periodSeconds")),
                Math.max(1, Json.number(json, 1, "successThreshold")),
                Math.max(1, Json.number(json, 3, "failureThreshold")),
                Json.number(json, -1, "terminationGracePeriodSeconds"));
    }
}
