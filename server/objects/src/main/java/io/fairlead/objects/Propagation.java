package io.fairlead.objects;

import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/// What a delete does with the objects that belong to the deleted one (K28).
public enum Propagation {
    /// Whatever the object itself says by its finalizers.
    UNSAID,
    /// They go after it.
    BACKGROUND,
    /// They go before it.
    FOREGROUND,
    /// They stay, and have no owner any more.
    ORPHAN;

    /// Keeps an object until those that block its deletion are gone.
    public static final String FOREGROUND_FINALIZER = "foregroundDeletion";

    /// Keeps an object until no other object belongs to it any more.
    public static final String ORPHAN_FINALIZER = "orphan";

    private static final List<String> WORDS = List.of("Background", "Foreground", "Orphan");

    /// From the body of a delete, or from its query where the body does not say.
    static Propagation of(JsonNode body, UnaryOperator<String> query) {
        String policy =
                body.has("propagationPolicy") ? Json.text(body, "propagationPolicy") : query.apply("propagationPolicy");
        String orphans = body.has("orphanDependents")
                ? body.path("orphanDependents").asString("")
                : query.apply("orphanDependents");
        if (!policy.isEmpty() && !orphans.isEmpty()) {
            throw refused(Problem.invalid(
                    "propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set"));
        }
        return policy.isEmpty() ? ofOld(orphans) : of(policy);
    }

    private static Propagation of(String policy) {
        return switch (policy) {
            case "Background" -> BACKGROUND;
            case "Foreground" -> FOREGROUND;
            case "Orphan" -> ORPHAN;
            default -> throw refused(Problem.notSupported("propagationPolicy", policy, String.join(", ", WORDS)));
        };
    }

    /// The word of clients of long ago.
    private static Propagation ofOld(String orphanDependents) {
        return switch (orphanDependents) {
            case "" -> UNSAID;
            case "true" -> ORPHAN;
            default -> BACKGROUND;
        };
    }

    /// The finalizers of an object that is deleted like this.
    List<String> finalizers(JsonNode object) {
        List<String> finalizers = new ArrayList<>(Json.texts(object, "metadata", "finalizers"));
        if (this != UNSAID) {
            finalizers.removeAll(List.of(FOREGROUND_FINALIZER, ORPHAN_FINALIZER));
        }
        switch (this) {
            case FOREGROUND -> finalizers.add(FOREGROUND_FINALIZER);
            case ORPHAN -> finalizers.add(ORPHAN_FINALIZER);
            case UNSAID, BACKGROUND -> {}
        }
        return finalizers;
    }

    /// True if the object waited only for its finalizers, and the last one is gone.
    static boolean isFinished(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return metadata.has("deletionTimestamp")
                && metadata.path("finalizers").isEmpty()
                && Json.number(metadata, 0, "deletionGracePeriodSeconds") == 0
                && object.path("spec").path("finalizers").isEmpty();
    }

    private static StatusException refused(Problem problem) {
        return StatusException.invalidOption("DeleteOptions", problem);
    }
}
