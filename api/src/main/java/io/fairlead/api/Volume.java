package io.fairlead.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// A folder that the containers of a pod may have among their files.
public record Volume(String name, Source source) {

    public sealed interface Source {
        /// A folder of the pod's own that is empty at first; in memory if `memory` says so, of at most `sizeLimit`
        /// bytes where that is above 0.
        record EmptyDir(boolean memory, long sizeLimit) implements Source {
            private static EmptyDir of(JsonNode json) {
                return new EmptyDir(Json.text(json, "medium").equals("Memory"), size(Json.text(json, "sizeLimit")));
            }

            private static long size(String text) {
                try {
                    return text.isEmpty() ? 0 : Quantity.parse(text).units();
                } catch (ParseException e) {
                    return 0; // the API server refused it
                }
            }
        }

        /// A file or folder of the node.
        record HostPath(String path, String type) implements Source {}

        /// Files with what the API says.
        record Files(List<Projection> projections, int defaultMode) implements Source {}

        /// What a claim of the pod's namespace has.
        record Claimed(String claim, boolean readOnly) implements Source {}

        /// What no room here can give.
        record Unsupported(String field) implements Source {}

        private static Source of(JsonNode json) {
            if (json.path("hostPath").isObject()) {
                return new HostPath(Json.text(json, "hostPath", "path"), Json.text(json, "hostPath", "type"));
            }
            if (json.path("persistentVolumeClaim").isObject()) {
                JsonNode claim = json.path("persistentVolumeClaim");
                return new Claimed(Json.text(claim, "claimName"), Json.flag(claim, false, "readOnly"));
            }
            if (json.path("projected").isObject()) {
                return new Files(
                        json.path("projected")
                                .path("sources")
                                .valueStream()
                                .flatMap(Projection::of)
                                .toList(),
                        mode(json.path("projected")));
            }
            List<Projection> one = Projection.of(json).toList();
            if (!one.isEmpty()) {
                return new Files(
                        one,
                        json.valueStream()
                                .filter(JsonNode::isObject)
                                .mapToInt(Source::mode)
                                .findFirst()
                                .orElse(0644));
            }
            List<String> fields = json.propertyStream()
                    .map(Map.Entry::getKey)
                    .filter(field -> !field.equals("name"))
                    .toList();
            // A volume that says nothing of itself is an empty folder.
            return fields.isEmpty() || fields.contains("emptyDir")
                    ? EmptyDir.of(json.path("emptyDir"))
                    : new Unsupported(String.join(".", fields));
        }

        private static int mode(JsonNode json) {
            return Json.number(json, 0644, "defaultMode");
        }
    }

    /// Where files of a volume come from.
    public sealed interface Projection {
        /// The values of a ConfigMap or a Secret: those of `items`, each under a path of its own, or all of them.
        record Values(Kind kind, String object, Map<String, Item> items, boolean optional) implements Projection {}

        /// Where one value goes, and with which mode; below 0 with that of its volume.
        record Item(String path, int mode) {
            private static Item of(JsonNode json) {
                return new Item(Json.text(json, "path"), Json.number(json, -1, "mode"));
            }
        }

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
            Map<String, Item> items = new LinkedHashMap<>();
            json.path("items").valueStream().forEach(item -> items.put(Json.text(item, "key"), Item.of(item)));
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
    ///
    /// `subPathExpr` is a `subPath` that names variables of the container.
    public record Mount(String volume, String path, String subPath, String subPathExpr, boolean readOnly) {
        static Mount of(JsonNode json) {
            return new Mount(
                    Json.text(json, "name"),
                    Json.text(json, "mountPath"),
                    Json.text(json, "subPath"),
                    Json.text(json, "subPathExpr"),
                    Json.flag(json, false, "readOnly"));
        }
    }

    static Volume of(JsonNode json) {
        return new Volume(Json.text(json, "name"), Source.of(json));
    }
}
