package io.fairlead.objects;

import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/// How an object is to be deleted (K28); `graceSeconds` is negative and the texts are empty where nothing is said.
public record DeleteOptions(
        int graceSeconds, String uid, String resourceVersion, Propagation propagation, boolean dryRun) {
    public static final DeleteOptions NONE = new DeleteOptions(-1, "", "", Propagation.UNSAID, false);

    /// Deletes this very object, not a later one of the same name.
    public static DeleteOptions only(ApiObject object, Propagation propagation) {
        return new DeleteOptions(-1, object.uid(), "", propagation, false);
    }

    /// From the body of a request, or from its query where the body does not say.
    public static DeleteOptions of(JsonNode body, UnaryOperator<String> query, boolean dryRun) {
        return new DeleteOptions(
                graceSeconds(body, query.apply("gracePeriodSeconds")),
                Json.text(body, "preconditions", "uid"),
                Json.text(body, "preconditions", "resourceVersion"),
                Propagation.of(body, query),
                dryRun || Json.texts(body, "dryRun").contains("All"));
    }

    /// Refuses to delete an object that is not the one that was meant.
    void checkPreconditions(ApiObject object) {
        String name = object.key().name();
        if (!uid.isEmpty() && !uid.equals(object.uid())) {
            throw StatusException.notMeant(
                    object.kind(),
                    name,
                    "the UID in the precondition (%s) does not match the UID in record (%s)"
                            .formatted(uid, object.uid()));
        }
        if (!resourceVersion.isEmpty()
                && !resourceVersion.equals(object.revision().toString())) {
            throw StatusException.notMeant(
                    object.kind(),
                    name,
                    "the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%s)"
                            .formatted(resourceVersion, object.revision()));
        }
    }

    private static int graceSeconds(JsonNode body, String query) {
        int seconds = body.has("gracePeriodSeconds") || query.isEmpty()
                ? Json.number(body, -1, "gracePeriodSeconds")
                : parsed(query);
        if (seconds < 0 && (body.has("gracePeriodSeconds") || !query.isEmpty())) {
            throw StatusException.invalidOption(
                    "DeleteOptions",
                    Problem.invalid("gracePeriodSeconds", seconds, "must be greater than or equal to 0"));
        }
        return seconds;
    }

    private static int parsed(String query) {
        try {
            return Integer.parseInt(query);
        } catch (NumberFormatException e) {
            throw StatusException.badRequest("gracePeriodSeconds: \"" + query + "\" is not a whole number");
        }
    }
}
