package io.fairlead.objects;

import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import io.fairlead.kinds.EphemeralContainerValidation;
import io.fairlead.kinds.KindRules;
import io.fairlead.kinds.MetadataValidation;
import io.fairlead.kinds.PodRules;
import io.fairlead.kinds.Tree;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Which part of an object an update may change: a write to one never changes the other (A17).
public enum UpdatePart {
    /// All but the status.
    SPEC,
    /// The status, and what metadata lets clients change.
    STATUS,
    /// The containers that are added to a running Pod, and nothing else.
    EPHEMERAL_CONTAINERS,
    /// Everything: for what the server itself decides.
    ALL;

    // What the server says about an object, whatever a client sends.
    private static final List<String> SERVER_FIELDS = List.of(
            "name",
            "namespace",
            "uid",
            "creationTimestamp",
            "generation",
            "resourceVersion",
            "deletionTimestamp",
            "deletionGracePeriodSeconds");

    /// An update of another version or of another object of the same name is refused (K22).
    void checkPreconditions(ApiObject old, JsonNode wanted, KindRules rules) {
        String name = old.key().name();
        String version = Json.text(wanted, "metadata", "resourceVersion");
        if (this == SPEC && (version.isEmpty() || version.equals("0")) && rules.needsVersion()) {
            throw StatusException.versionMissing(old.kind(), name);
        }
        if (!version.isEmpty()
                && !version.equals("0")
                && !version.equals(old.revision().toString())) {
            throw StatusException.modified(old.kind(), name);
        }
        String uid = Json.text(wanted, "metadata", "uid");
        if (!uid.isEmpty() && !uid.equals(old.uid())) {
            throw StatusException.conflict(
                    old.kind(),
                    name,
                    "Precondition failed: UID in precondition: %s, UID in object meta: %s".formatted(uid, old.uid()));
        }
    }

    /// What the object becomes, with defaults and all.
    ObjectNode merge(ApiObject old, ObjectNode wanted, KindRules rules) {
        ObjectNode next = switch (this) {
            case SPEC -> withStatusOf(old, wanted, rules);
            case STATUS -> {
                rules.fillStatus(wanted);
                yield withOnlyStatusOf(old, wanted);
            }
            case EPHEMERAL_CONTAINERS -> PodRules.withEphemeralContainersOf(old.tree(), wanted);
            case ALL -> wanted;
        };
        if (this != ALL) {
            ObjectNode metadata = Tree.object(next, "metadata");
            SERVER_FIELDS.forEach(field -> Tree.set(metadata, field, Json.at(old.tree(), "metadata", field)));
        }
        if (this == SPEC) {
            rules.prepareUpdate(old.tree(), next);
            rules.fillDefaults(next);
        }
        return next;
    }

    List<Problem> check(ApiObject old, JsonNode next, KindRules rules) {
        List<Problem> problems = new ArrayList<>(MetadataValidation.check(next, rules::nameProblem));
        problems.addAll(
                switch (this) {
                    case SPEC -> rules.checkChange(old.tree(), next);
                    case STATUS -> rules.checkStatus(next);
                    case EPHEMERAL_CONTAINERS -> EphemeralContainerValidation.checkChange(old.tree(), next);
                    case ALL -> List.of();
                });
        if (this != ALL && old.isTerminating()) {
            problems.addAll(newFinalizers(old.tree(), next));
        }
        return problems;
    }

    /// An object that is being deleted takes no new finalizer, which would hold it up.
    private static List<Problem> newFinalizers(JsonNode old, JsonNode next) {
        List<String> added = new ArrayList<>(Json.texts(next, "metadata", "finalizers"));
        added.removeAll(Json.texts(old, "metadata", "finalizers"));
        return added.isEmpty()
                ? List.of()
                : List.of(Problem.forbidden(
                        "metadata.finalizers",
                        "no new finalizers can be added if the object is being deleted, found new finalizers "
                                + added));
    }

    /// The generation counts the changes to what is wanted, not to what is said about the object.
    void countGeneration(ApiObject old, ObjectNode next, KindRules rules) {
        ObjectNode metadata = Tree.object(next, "metadata");
        int generation = Json.number(old.tree(), 0, "metadata", "generation");
        if (!rules.hasGeneration()) {
            metadata.remove("generation"); // of an earlier release
        } else if (this == ALL ? isFirstMark(old, next) : isChange(old.tree(), next, rules)) {
            metadata.put("generation", generation + 1);
        }
    }

    /// The mark of deletion counts as a change: controllers have to look at the object again.
    private static boolean isFirstMark(ApiObject old, JsonNode next) {
        return !old.isTerminating()
                && !Json.text(next, "metadata", "deletionTimestamp").isEmpty();
    }

    /// A default that is newer than the object is no change.
    private static boolean isChange(JsonNode old, JsonNode next, KindRules rules) {
        if (!rules.changesGeneration(old, next)) {
            return false;
        }
        ObjectNode before = (ObjectNode) old.deepCopy();
        rules.fillDefaults(before);
        return rules.changesGeneration(before, next);
    }

    private static ObjectNode withStatusOf(ApiObject old, ObjectNode wanted, KindRules rules) {
        if (rules.subresources().contains("status")) {
            Tree.set(wanted, "status", old.tree().path("status").deepCopy());
        }
        return wanted;
    }

    private static ObjectNode withOnlyStatusOf(ApiObject old, ObjectNode wanted) {
        ObjectNode next = old.copy();
        Tree.set(next, "status", wanted.path("status"));
        Tree.set(next, "metadata", wanted.path("metadata"));
        return next;
    }
}
