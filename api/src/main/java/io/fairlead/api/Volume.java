package io.fairlead.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// A folder that the containers of a pod may have among their files.
public record Volume(String name, Source source) {

    public sealed interface Source {
        /// A folder of the pod's own that is empty at first.
        record EmptyDir() implements Source {}

        /// A file or folder of the node.
        record HostPath(String path, String type) implements Source {}

        /// Files with what the API says.
        record Files(List<Projection> projections) implements Source {}

        /// What no room here can give.
        record Unsupported(String field) implements Source {}

        private static Source of(JsonNode json) {
            if (json.path("hostPath").isObject()) {
                return new HostPath(Json.text(json, "hostPath", "path"), Json.text(json, "hostPath", "type"));
            }
            if (json.path("projected").isObject()) {
                return new Files(json.path("projected")
                        .path("sources")
                        .valueStream()
                        .flatMap(Projection::of)
                        .toList());
            }
            List<Projection> one = Projection.of(json).toList();
            if (!one.isEmpty()) {
                return new Files(one);
            }
            List<String> fields = json.propertyStream()
                    .map(Map.Entry::getKey)
                    .filter(field -> !field.equals("name"))
                    .toList();
            // A volume that says nothing of itself is an empty folder.
            return fields.isEmpty() || fields.contains("emptyDir")
                    ? new EmptyDir()
                    : new Unsupported(String.join(".", fields));
        }
    }

    /// Where files of a volume come from.
    public sealed interface Projection {
        /// The values of a ConfigMap or a Secret: those of `items`, each under a path of its own, or all of them.
        record Values(Kind kind, String object, Map<String, String> items, boolean optional) implements Projection {}

        /// Fields of the pod by the path of their file.
        record Fields(Map<String, String> paths) implements Projection {}

        /// A token of the pod's ServiceAccount.
        record Token(String path, String audience, int expirationSeconds) implements Projection {}

        private static Stream<Projection> of(JsonNode json) {
            return Stream.of("configMap", "secret", "downwardAPI", "serviceAccountToken")
                    .filter(field -> json.path(field).isObject())
                    .map(field -> of(field, json.path(field)));
        }

        private static Projection of(String field, JsonNode json) {
            return switch (field) {
                case "configMap" -> values(Kind.CONFIG_MAP, Json.text(json, "name"), json);
                case "secret" -> values(Kind.SECRET, Json.text(json, "secretName") + Json.text(json, "name"), json);
                case "downwardAPI" -> new Fields(downward(json));
                default ->
                    new Token(
                            Json.text(json, "path"),
                            Json.text(json, "audience"),
                            Json.number(json, 3600, "expirationSeconds"));
            };
        }

        private static Values values(Kind kind, String object, JsonNode json) {
            Map<String, String> items = new LinkedHashMap<>();
            json.path("items")
                    .valueStream()
                    .forEach(item -> items.put(Json.text(item, "key"), Json.text(item, "path")));
            return new Values(kind, object, items, Json.flag(json, false, "optional"));
        }

        private static Map<String, String> downward(JsonNode json) {
            Map<String, String> paths = new LinkedHashMap<>();
            json.path("items")
                    .valueStream()
                    .forEach(item -> paths.put(Json.text(item, "path"), Json.text(item, "fieldRef", "fieldPath")));
            return paths;
        }
    }

    /// Where a container has a volume among its files.
    public record Mount(String volume, String path, String subPath, boolean readOnly) {
        static Mount of(JsonNode json) {
            return new Mount(
                    Json.text(json, "name"),
                    Json.text(json, "mountPath"),
                    Json.text(json, "subPath"),
                    Json.flag(json, false, "readOnly"));
        }
    }

    static Volume of(JsonNode json) {
        return new Volume(Json.text(json, "name"), Source.of(json));
    }
}
