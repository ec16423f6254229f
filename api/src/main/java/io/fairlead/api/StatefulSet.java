package io.fairlead.api;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// A number of pods of one template, each with a number and a name of its own that it keeps.
///
/// `serviceName` is the headless Service under which the pods have their names in DNS. Unless `parallel`, a pod
/// starts when the one before it is ready, and goes when those after it are gone.
public record StatefulSet(
        ObjectMeta metadata,
        Replicas replicas,
        LabelSelector selector,
        JsonNode template,
        String serviceName,
        boolean parallel,
        Update update,
        Claims claims,
        JsonNode status)
        implements KubernetesObject {

    /// How many pods, and the number of the first.
    public record Replicas(int count, int first) {
        /// The number after the last.
        public int end() {
            return first + count;
        }
    }

    /// How to get from one template to the next: pods with a number below `partition`, counted from the first, keep
    /// the old one; where `onDelete`, each does until it is deleted.
    public record Update(boolean onDelete, int partition, Share maxUnavailable, int minReadySeconds, int historyLimit) {
        static Update of(JsonNode spec) {
            JsonNode strategy = spec.path("updateStrategy");
            return new Update(
                    Json.text(strategy, "type").equals("OnDelete"),
                    Json.number(strategy, 0, "rollingUpdate", "partition"),
                    Share.of(Json.at(strategy, "rollingUpdate", "maxUnavailable"), new Share(1, false)),
                    Json.number(spec, 0, "minReadySeconds"),
                    Json.number(spec, 10, "revisionHistoryLimit"));
        }
    }

    /// What each pod has storage by, under a name of its own; where so said, it goes with the set, or with its pod when
    /// there are to be fewer.
    public record Claims(List<JsonNode> templates, boolean goWithSet, boolean goWithPod) {
        static Claims of(JsonNode spec) {
            JsonNode policy = spec.path("persistentVolumeClaimRetentionPolicy");
            return new Claims(
                    spec.path("volumeClaimTemplates").valueStream().toList(),
                    Json.text(policy, "whenDeleted").equals("Delete"),
                    Json.text(policy, "whenScaled").equals("Delete"));
        }
    }

    public static StatefulSet of(JsonNode json) {
        JsonNode spec = json.path("spec");
        return new StatefulSet(
                ObjectMeta.of(json),
                new Replicas(Json.number(spec, 1, "replicas"), Json.number(spec, 0, "ordinals", "start")),
                LabelSelector.of(spec.path("selector")),
                spec.path("template"),
                Json.text(spec, "serviceName"),
                Json.text(spec, "podManagementPolicy").equals("Parallel"),
                Update.of(spec),
                Claims.of(spec),
                json.path("status"));
    }

    @Override
    public Kind kind() {
        return Kind.STATEFUL_SET;
    }
}
