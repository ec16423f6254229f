package io.fairlead.api;

import tools.jackson.databind.JsonNode;

/// A wish for a number of pods of one template; `template` is kept as the tree it came as.
public record Deployment(
        ObjectMeta metadata,
        int replicas,
        LabelSelector selector,
        JsonNode template,
        Strategy strategy,
        JsonNode status)
        implements KubernetesObject {

    /// How to get from one template to the next.
    ///
    /// @param recreate           all old pods go before the first new one comes
    /// @param maxSurge           how many more pods than wanted there may be
    /// @param maxUnavailable     how many fewer than wanted may be usable
    /// @param minReadySeconds    how long a pod must be ready to be usable
    /// @param deadlineSeconds    how long may pass without progress
    /// @param historyLimit       how many old templates are kept
    /// @param paused             nothing is rolled out for now
    public record Strategy(
            boolean recreate,
            Share maxSurge,
            Share maxUnavailable,
            int minReadySeconds,
            int deadlineSeconds,
            int historyLimit,
            boolean paused) {
        private static final Share QUARTER = new Share(25, true);

        static Strategy of(JsonNode spec) {
            JsonNode rolling = Json.at(spec, "strategy", "rollingUpdate");
            return new Strategy(
                    Json.text(spec, "strategy", "type").equals("Recreate"),
                    Share.of(rolling.path("maxSurge"), QUARTER),
                    Share.of(rolling.path("maxUnavailable"), QUARTER),
                    Json.number(spec, 0, "minReadySeconds"),
                    Json.number(spec, 600, "progressDeadlineSeconds"),
                    Json.number(spec, 10, "revisionHistoryLimit"),
                    Json.flag(spec, false, "paused"));
        }

        /// How many more pods than `replicas` there may be.
        public int surge(int replicas) {
            return recreate ? 0 : maxSurge.roundedUp(replicas);
        }

        /// How many pods may be unusable; one at least where none may be in surplus, or nothing could ever change.
        public int unavailable(int replicas) {
            int most = recreate ? 0 : Math.min(replicas, maxUnavailable.roundedDown(replicas));
            return most == 0 && surge(replicas) == 0 && !recreate ? 1 : most;
        }
    }

    public static Deployment of(JsonNode json) {
        JsonNode spec = json.path("spec");
        return new Deployment(
                ObjectMeta.of(json),
                Json.number(spec, 1, "replicas"),
                LabelSelector.of(spec.path("selector")),
                spec.path("template"),
                Strategy.of(spec),
                json.path("status"));
    }

    @Override
    public Kind kind() {
        return Kind.DEPLOYMENT;
    }
}
