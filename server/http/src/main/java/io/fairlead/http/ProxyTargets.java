package io.fairlead.http;

import io.fairlead.api.AgentDoor;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NameValidation;
import io.fairlead.api.NamespacedName;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.WatchCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/// Which pod and port a path with `proxy` in it means: `web`, `web:8080`, `http:web:name`, `https:web:443`.
record ProxyTargets(WatchCache cache) {
    private static final int HTTP = 80;
    private static final Pattern NODE = Pattern.compile("(?:https?:(?=[^:]+:))?([^:]+)(?::([0-9]*))?");

    /// A port of a pod, and the node whose agent reaches it.
    record Target(NamespacedName pod, String node, int port, boolean tls) {
        @Override
        public String toString() {
            return pod.name() + ":" + port;
        }
    }

    private record Name(String name, String port, boolean tls) {
        static Name parse(String text) {
            String[] parts = text.split(":", -1);
            return switch (parts.length) {
                case 1 -> new Name(parts[0], "", false);
                case 2 -> new Name(parts[0], parts[1], false);
                case 3 -> withScheme(parts, text);
                default -> throw StatusException.badRequest("invalid request \"%s\"".formatted(text));
            };
        }

        private static Name withScheme(String[] parts, String text) {
            if (!List.of("", "http", "https").contains(parts[0])) {
                throw StatusException.badRequest("invalid request \"%s\"".formatted(text));
            }
            return new Name(parts[1], parts[2], parts[0].equals("https"));
        }
    }

    /// The node that is meant by `node-1`, `node-1:10250` or `https:node-1:10250`.
    static String node(String text) {
        Matcher name = NODE.matcher(text);
        if (!name.matches()) {
            throw StatusException.badRequest("invalid node request \"%s\"".formatted(text));
        }
        String port = name.group(2);
        if (port != null && !port.isEmpty() && !port.equals(Integer.toString(AgentDoor.PORT))) {
            throw StatusException.badRequest("port %s of a node is not reached from here, only that of its agent, %d"
                    .formatted(port, AgentDoor.PORT));
        }
        return name.group(1);
    }

    Target pod(ApiPath path) {
        Name name = Name.parse(path.name());
        NamespacedName key = new NamespacedName(path.namespace(), name.name());
        JsonNode pod = cache.of(Kind.POD)
                .find(key)
                .orElseThrow(() -> StatusException.notFound(Kind.POD, name.name()))
                .tree();
        String node = Json.text(pod, "spec", "nodeName");
        if (node.isEmpty()) {
            throw StatusException.badRequest("pod %s does not have a host assigned".formatted(name.name()));
        }
        return new Target(key, node, podPort(pod, name.port()), name.tls());
    }

    private static int podPort(JsonNode pod, String asked) {
        if (asked.matches("[0-9]{1,5}")) {
            return Integer.parseInt(asked);
        }
        return items(pod.path("spec").path("containers"))
                .flatMap(container -> items(container.path("ports")))
                .filter(port -> asked.isEmpty() || Json.text(port, "name").equals(asked))
                .map(port -> port.path("containerPort").asInt(HTTP))
                .findFirst()
                .orElseGet(() -> {
                    if (asked.isEmpty()) {
                        return HTTP;
                    }
                    throw StatusException.badRequest("the pod has no port called \"%s\"".formatted(asked));
                });
    }

    Target service(ApiPath path) {
        Name name = Name.parse(path.name());
        NamespacedName key = new NamespacedName(path.namespace(), name.name());
        JsonNode service = cache.of(Kind.SERVICE)
                .find(key)
                .orElseThrow(() -> StatusException.notFound(Kind.SERVICE, name.name()))
                .tree();
        String port = portName(service, name.port()).orElseThrow(() -> noEndpoints(path));
        List<Target> targets = new ArrayList<>();
        cache.of(Kind.ENDPOINT_SLICE).list(path.namespace()).items().stream()
                .map(ApiObject::tree)
                .filter(slice -> Json.text(slice, "metadata", "labels", "kubernetes.io/service-name")
                        .equals(name.name()))
                .forEach(slice -> addTargets(targets, slice, port, name.tls()));
        if (targets.isEmpty()) {
            throw noEndpoints(path);
        }
        return targets.get(ThreadLocalRandom.current().nextInt(targets.size()));
    }

    /// The name of the port that is asked for by name or number; the only one where none is.
    private static Optional<String> portName(JsonNode service, String asked) {
        List<JsonNode> ports = items(service.path("spec").path("ports")).toList();
        return ports.stream()
                .filter(port -> asked.isEmpty()
                        ? ports.size() == 1
                        : Json.text(port, "name").equals(asked)
                                || port.path("port").asString("").equals(asked))
                .map(port -> Json.text(port, "name"))
                .findFirst();
    }

    private static void addTargets(List<Target> targets, JsonNode slice, String portName, boolean tls) {
        String namespace = Json.text(slice, "metadata", "namespace");
        Optional<JsonNode> port = items(slice.path("ports"))
                .filter(one -> Json.text(one, "name").equals(portName))
                .findFirst();
        if (port.isEmpty()) {
            return;
        }
        items(slice.path("endpoints"))
                .filter(endpoint -> endpoint.path("conditions").path("ready").asBoolean(true))
                .filter(endpoint -> Json.text(endpoint, "targetRef", "kind").equals("Pod"))
                .filter(endpoint -> isPodName(Json.text(endpoint, "targetRef", "name")))
                .map(endpoint -> new Target(
                        new NamespacedName(namespace, Json.text(endpoint, "targetRef", "name")),
                        Json.text(endpoint, "nodeName"),
                        port.get().path("port").asInt(HTTP),
                        tls))
                .forEach(targets::add);
    }

    /// Endpoints are written by hand, too: what is no name of a pod leads nowhere.
    private static boolean isPodName(String name) {
        return NameValidation.subdomain(NameValidation.LetterCase.LOWER, name).isEmpty();
    }

    private static StatusException noEndpoints(ApiPath path) {
        return StatusException.of(
                503, "ServiceUnavailable", "no endpoints available for service \"%s\"".formatted(path.name()));
    }

    private static Stream<JsonNode> items(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
