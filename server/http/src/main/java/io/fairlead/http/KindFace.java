package io.fairlead.http;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.kinds.Tree;
import io.fairlead.objects.ApiObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// How the objects of a kind look in one group and version: the same objects, with other names for some fields.
///
/// `names` gives for a field of the stored form the name it has in this one. What clients send is translated before
/// anything is made of it, and answers just before they are written, so that all in between knows one form only.
record KindFace(Kind served, Kind stored, Map<String, String> names) {
    /// Events have two homes; the newer one has other names (K37).
    private static final KindFace EVENT = new KindFace(
            new Kind("events.k8s.io", "v1", "Event", "events", true, List.of()),
            Kind.EVENT,
            Map.of(
                    "involvedObject", "regarding",
                    "message", "note",
                    "reportingComponent", "reportingController",
                    "source", "deprecatedSource",
                    "firstTimestamp", "deprecatedFirstTimestamp",
                    "lastTimestamp", "deprecatedLastTimestamp",
                    "count", "deprecatedCount"));

    /// The faces that are not the stored form itself.
    static final List<KindFace> OTHERS = List.of(
            EVENT,
            oldDeployment("apps", "v1beta2"),
            oldDeployment("apps", "v1beta1"),
            oldDeployment("extensions", "v1beta1"));

    static final List<KindFace> ALL = Stream.concat(Kind.ALL.stream().map(KindFace::plain), OTHERS.stream())
            .toList();

    static KindFace plain(Kind kind) {
        return new KindFace(kind, kind, Map.of());
    }

    /// Where manifests of long ago have their Deployments (decision 035).
    private static KindFace oldDeployment(String group, String version) {
        // Without a short name: kubectl would warn of `deploy` that it could mean two things.
        return new KindFace(
                new Kind(group, version, "Deployment", "deployments", true, List.of()), Kind.DEPLOYMENT, Map.of());
    }

    boolean isPlain() {
        return served.equals(stored);
    }

    /// What a client should know that uses this face.
    List<String> warnings() {
        if (stored.equals(Kind.ENDPOINTS)) {
            return List.of("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice");
        }
        return stored.equals(Kind.DEPLOYMENT) && !isPlain()
                ? List.of("%s Deployment is deprecated in v1.9+, unavailable in v1.16+; use apps/v1 Deployment"
                        .formatted(served.apiVersion()))
                : List.of();
    }

    /// An object as this face shows it.
    ApiObject show(ApiObject object) {
        return isPlain() ? object : ApiObject.of(served, renamed(object.tree(), names), object.revision());
    }

    /// What a client of this face asks, in the stored form.
    ApiRequest translate(ApiRequest request) {
        if (isPlain()) {
            return request;
        }
        Map<String, String> query = new HashMap<>(request.query());
        query.computeIfPresent("fieldSelector", (_, text) -> selector(text));
        ApiRequest translated = request.withQuery(query);
        return request.method().equals("GET") || request.method().equals("DELETE") ? translated : body(translated);
    }

    private ApiRequest body(ApiRequest request) {
        Map<String, String> headers = new HashMap<>(request.headers());
        boolean isPatch = request.method().equals("PATCH");
        JsonNode body = stored(isPatch ? request.parse() : request.object());
        if (!isPatch) {
            headers.put("content-type", Representation.JSON_TYPE);
        }
        byte[] bytes = Json.bytes(body);
        return request.withBody(headers, bytes);
    }

    /// An object or a patch of any type in the stored form: all of them name the outermost fields alike.
    private JsonNode stored(JsonNode body) {
        Map<String, String> back =
                names.entrySet().stream().collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));
        if (body instanceof ArrayNode operations) {
            Tree.objects(Json.object().set("all", operations), "all").forEach(operation -> rename(operation, back));
            return operations;
        }
        ObjectNode object = renamed(body, back);
        if (Json.text(object, "apiVersion").equals(served.apiVersion())) {
            object.put("apiVersion", stored.apiVersion());
        }
        takeSelectorFromTemplate(object);
        return object;
    }

    /// A Deployment of an old group may leave its selector out: it is that of the pods it makes.
    private void takeSelectorFromTemplate(ObjectNode object) {
        JsonNode labels = Json.at(object, "spec", "template", "metadata", "labels");
        boolean whole = object.has("kind") && object.path("spec").isObject();
        if (stored.equals(Kind.DEPLOYMENT) && whole && !object.path("spec").has("selector") && !labels.isEmpty()) {
            Tree.object(Tree.object(object, "spec"), "selector").set("matchLabels", labels.deepCopy());
        }
    }

    private static void rename(ObjectNode operation, Map<String, String> names) {
        for (String field : List.of("path", "from")) {
            String[] parts = Json.text(operation, field).split("/", 3);
            if (parts.length > 1 && names.containsKey(parts[1])) {
                parts[1] = names.getOrDefault(parts[1], parts[1]);
                operation.put(field, String.join("/", parts));
            }
        }
    }

    private static ObjectNode renamed(JsonNode object, Map<String, String> names) {
        ObjectNode renamed = Json.object();
        object.propertyStream()
                .forEach(field -> renamed.set(names.getOrDefault(field.getKey(), field.getKey()), field.getValue()));
        return renamed;
    }

    private String selector(String text) {
        return Stream.of(text.split(","))
                .map(part -> names.entrySet().stream()
                        .filter(name -> part.matches("\\s*" + name.getValue() + "[.=!].*"))
                        .findFirst()
                        .map(name -> name.getKey()
                                + part.strip().substring(name.getValue().length()))
                        .orElse(part))
                .collect(Collectors.joining(","));
    }
}
