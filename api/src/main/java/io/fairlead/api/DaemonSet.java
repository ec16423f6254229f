package io.fairlead.api;

import tools.jackson.databind.JsonNode;

/// A pod of one template on every node that it may be on.
public record DaemonSet(ObjectMeta metadata, LabelSelector selector, JsonNode template, Update update, JsonNode status)
        implements KubernetesObject {

    /// How to get from one template to the next: with up to `maxUnavailable` nodes without a usable pod, or up to
    /// `maxSurge` with two; where `onDelete`, each pod stays until it is deleted.
    public record Update(
            boolean onDelete, Share maxUnavailable, Share maxSurge, int minReadySeconds, int historyLimit) {
        static Update of(JsonNode spec) {
            JsonNode strategy = spec.path("updateStrategy");
            return new Update(
                    Json.text(strategy, "type").equals("OnDelete"),
                    Share.of(Json.at(strategy, "rollingUpdate", "maxUnavailable"), new Share(1, false)),
                    Share.of(Json.at(strategy, "rollingUpdate", "maxSurge"), new Share(0, false)),
                    Json.number(spec, 0, "minReadySeconds"),
                    Json.number(spec, 10, "revisionHistoryLimit"));
        }
    }

    public static DaemonSet of(JsonNode json) {
        JsonNode spec = json.path("spec");
        return new DaemonSet(
                ObjectMeta.of(json),
                LabelSelector.of(spec.path("selector")),
                spec.path("template"),
                Update.of(spec),
                json.path("status"));
    }

    @Override
    public Kind kind() {
        return Kind.DAEMON_SET;
    }
}
