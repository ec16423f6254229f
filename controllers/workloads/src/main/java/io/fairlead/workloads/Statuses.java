package io.fairlead.workloads;

import io.fairlead.api.Json;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Pod;
import io.fairlead.runner.Write;
import java.util.Collection;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The status of workloads: what is said of all alike, and whether it has to be written.
final class Statuses {
    private Statuses() {}

    /// A status that says which state of the spec it is about.
    static ObjectNode observed(KubernetesObject workload) {
        ObjectNode status = Json.object();
        long generation = workload.metadata().generation();
        return generation == 0 ? status : status.put("observedGeneration", generation);
    }

    static int ready(Collection<Pod> pods) {
        return (int) pods.stream().filter(pod -> pod.status().ready()).count();
    }

    /// What is to be written so that the status is `wanted`; nothing if it is.
    static Optional<Write> write(KubernetesObject object, JsonNode actual, ObjectNode wanted) {
        return differ(actual, wanted)
                ? Optional.of(new Write.UpdateStatus(object.kind(), object.key(), wanted, ""))
                : Optional.empty();
    }

    /// True if a field of `wanted` is not so in `actual`; a number that is absent counts as 0.
    static boolean differ(JsonNode actual, ObjectNode wanted) {
        return wanted.propertyStream().anyMatch(field -> !same(actual.path(field.getKey()), field.getValue()));
    }

    private static boolean same(JsonNode actual, JsonNode wanted) {
        return wanted.isNumber() ? actual.asLong(0) == wanted.longValue() : actual.equals(wanted);
    }
}
