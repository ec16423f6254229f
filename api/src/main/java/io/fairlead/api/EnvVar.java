package io.fairlead.api;

import tools.jackson.databind.JsonNode;

/// One variable of a container, and where its value comes from.
public record EnvVar(String name, Source source) {

    public sealed interface Source {
        /// The text itself; `$(NAME)` in it stands for a variable before.
        record Value(String text) implements Source {}

        /// A field of the pod, such as `status.podIP`.
        record Field(String path) implements Source {}

        /// A value of a ConfigMap or a Secret; an `optional` one that is not there gives no variable.
        record Key(Kind kind, String object, String key, boolean optional) implements Source {}

        /// What no room here can give.
        record Unsupported(String field) implements Source {}

        private static Source of(JsonNode json) {
            JsonNode from = json.path("valueFrom");
            if (!from.isObject()) {
                return new Value(Json.text(json, "value"));
            }
            if (from.path("fieldRef").isObject()) {
                return new Field(Json.text(from, "fieldRef", "fieldPath"));
            }
            if (from.path("configMapKeyRef").isObject()) {
                return key(Kind.CONFIG_MAP, from.path("configMapKeyRef"));
            }
            return from.path("secretKeyRef").isObject()
                    ? key(Kind.SECRET, from.path("secretKeyRef"))
                    : new Unsupported("valueFrom." + String.join(".", from.propertyNames()));
        }

        private static Key key(Kind kind, JsonNode json) {
            return new Key(kind, Json.text(json, "name"), Json.text(json, "key"), Json.flag(json, false, "optional"));
        }
    }

    /// All values of a ConfigMap or a Secret, each under its key behind `prefix`.
    public record From(String prefix, Kind kind, String object, boolean optional) {
        static From of(JsonNode json) {
            boolean secret = json.path("secretRef").isObject();
            JsonNode reference = json.path(secret ? "secretRef" : "configMapRef");
            return new From(
                    Json.text(json, "prefix"),
                    secret ? Kind.SECRET : Kind.CONFIG_MAP,
                    Json.text(reference, "name"),
                    Json.flag(reference, false, "optional"));
        }
    }

    static EnvVar of(JsonNode json) {
        return new EnvVar(Json.text(json, "name"), Source.of(json));
    }
}
