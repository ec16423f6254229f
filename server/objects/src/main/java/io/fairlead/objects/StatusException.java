package io.fairlead.objects;

import io.fairlead.access.AccessRequest;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import io.fairlead.api.Revision;
import io.fairlead.merge.Applied;
import io.fairlead.merge.MergeException;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A request that is not done, and the Status object that tells the client why (K32).
public final class StatusException extends RuntimeException {
    private static final String MODIFIED =
            "the object has been modified; please apply your changes to the latest version and try again";

    private final int code;
    private final String reason;
    private final ObjectNode details;
    private final ObjectNode metadata = Json.object();
    private boolean showsDetails;

    private StatusException(int code, String reason, String message, ObjectNode details) {
        // An answer, not a fault of ours: it does not show the stack.
        super(message, null, false, false);
        this.code = code;
        this.reason = reason;
        this.details = details;
    }

    public static StatusException of(int code, String reason, String message) {
        return new StatusException(code, reason, message, Json.object());
    }

    public static StatusException badRequest(String message) {
        return of(400, "BadRequest", message);
    }

    public static StatusException noSuchPath() {
        return of(404, "NotFound", "the server could not find the requested resource")
                .showingDetails();
    }

    public static StatusException notFound(Kind kind, String name) {
        return about(404, "NotFound", kind, name, kind.qualified() + " \"" + name + "\" not found");
    }

    static StatusException alreadyExists(Kind kind, String name) {
        return about(409, "AlreadyExists", kind, name, kind.qualified() + " \"" + name + "\" already exists");
    }

    public static StatusException modified(Kind kind, String name) {
        return conflict(kind, name, MODIFIED);
    }

    public static StatusException conflict(Kind kind, String name, String why) {
        String message = "Operation cannot be fulfilled on " + kind.qualified() + " \"" + name + "\": " + why;
        return about(409, "Conflict", kind, name, message);
    }

    public static StatusException forbidden(Kind kind, String name, String why) {
        return about(403, "Forbidden", kind, name, kind.qualified() + " \"" + name + "\" is forbidden: " + why);
    }

    /// The client did not prove who it is.
    public static StatusException unauthorized() {
        return of(401, "Unauthorized", "Unauthorized");
    }

    /// The client proved who it is, and he may not do this.
    public static StatusException refused(AccessRequest request) {
        return switch (request.on()) {
            case AccessRequest.Path _ -> of(403, "Forbidden", "forbidden: " + request.refusal());
            case AccessRequest.Resource on -> refused(on, request.refusal());
        };
    }

    private static StatusException refused(AccessRequest.Resource on, String why) {
        String resource = on.group().isEmpty() ? on.resource() : on.resource() + "." + on.group();
        String name = on.name().isEmpty() ? "" : " \"" + on.name() + "\"";
        StatusException refused = of(403, "Forbidden", "%s%s is forbidden: %s".formatted(resource, name, why));
        if (!on.name().isEmpty()) {
            refused.details.put("name", on.name());
        }
        if (!on.group().isEmpty()) {
            refused.details.put("group", on.group());
        }
        refused.details.put("kind", on.resource());
        return refused;
    }

    public static StatusException tooManyRequests() {
        StatusException busy = of(429, "TooManyRequests", "the server has received too many requests, try again later");
        busy.details.put("retryAfterSeconds", 1);
        return busy;
    }

    /// A pod that is not to go yet: the client that empties its node asks again in a while.
    static StatusException budgetSpent(String budget, int needed, int healthy) {
        StatusException spent =
                of(429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.");
        spent.details.put("retryAfterSeconds", 10);
        return spent.withCause(
                "DisruptionBudget",
                "The disruption budget %s needs %d healthy pods and has %d currently"
                        .formatted(budget, needed, healthy),
                "");
    }

    static StatusException namespaceTerminating(Kind kind, String name, String namespace) {
        return forbidden(
                        kind,
                        name,
                        "unable to create new content in namespace %s because it is being terminated"
                                .formatted(namespace))
                .withCause("NamespaceTerminating", "namespace " + namespace + " is being terminated", "");
    }

    public static StatusException invalid(Kind kind, String name, List<Problem> problems) {
        String all = problems.stream().map(Problem::toString).collect(Collectors.joining(", "));
        String shown = problems.size() == 1 ? all : "[" + all + "]";
        String type = kind.group().isEmpty() ? kind.name() : kind.name() + "." + kind.group();
        StatusException invalid =
                about(422, "Invalid", kind, name, "%s \"%s\" is invalid: %s".formatted(type, name, shown));
        invalid.details.put("kind", kind.name());
        problems.forEach(p -> invalid.withCause(p.reason().toString(), p.sentence(), p.field()));
        return invalid;
    }

    /// Throws a 422 if there is any problem.
    static void refuseIfAny(Kind kind, String name, List<Problem> problems) {
        if (!problems.isEmpty()) {
            throw invalid(kind, name, problems);
        }
    }

    /// An update of a kind that wants to know which version is changed; told of the resource, as Kubernetes does.
    static StatusException versionMissing(Kind kind, String name) {
        Problem problem = Problem.invalid("metadata.resourceVersion", 0, "must be specified for an update");
        StatusException missing = about(
                422, "Invalid", kind, name, "%s \"%s\" is invalid: %s".formatted(kind.qualified(), name, problem));
        return missing.withCause(problem.reason().toString(), problem.sentence(), problem.field());
    }

    /// An object that a delete did not mean; told of the kind, as Kubernetes does.
    static StatusException notMeant(Kind kind, String name, String why) {
        StatusException conflict = conflict(kind, name, why);
        conflict.details.put("kind", kind.name());
        return conflict;
    }

    /// A query parameter that does not fit, told as the API tells it: 422 on the kind that stands for the options.
    public static StatusException invalidOption(String options, Problem problem) {
        StatusException invalid = of(422, "Invalid", "%s.meta.k8s.io \"\" is invalid: %s".formatted(options, problem));
        invalid.details.put("group", "meta.k8s.io").put("kind", options);
        return invalid.withCause(problem.reason().toString(), problem.sentence(), problem.field());
    }

    /// A patch that cannot be applied: 400 if it is none, 422 if it does not fit the object.
    public static StatusException refused(MergeException e) {
        return switch (e.fault()) {
            case MALFORMED -> badRequest(String.valueOf(e.getMessage()));
            case DOES_NOT_FIT ->
                of(422, "Invalid", "the server rejected our request due to an error in our request: " + e.getMessage());
        };
    }

    /// A patch of which no object of its kind comes: told of the patch, as Kubernetes does.
    public static StatusException patchLeavesNoObject(String why) {
        Problem problem = Problem.invalid("patch", "", why);
        return of(422, "Invalid", " \"\" is invalid: " + problem)
                .withCause(problem.reason().toString(), problem.sentence(), problem.field());
    }

    /// A body that is no object of its kind.
    public static StatusException unreadable(String apiVersion, String kind, String why) {
        String version = apiVersion.substring(apiVersion.indexOf('/') + 1);
        return badRequest("%s in version \"%s\" cannot be handled as a %s: %s".formatted(kind, version, kind, why));
    }

    /// An apply to fields that others own (K24).
    public static StatusException applyConflict(Applied.Refused refused) {
        StatusException conflict = of(409, "Conflict", refused.message());
        refused.conflicts().forEach(one -> conflict.withCause("FieldManagerConflict", one.message(), one.path()));
        return conflict;
    }

    public static StatusException methodNotAllowed() {
        return of(405, "MethodNotAllowed", "the server does not allow this method on the requested resource")
                .showingDetails();
    }

    static StatusException expired(Revision asked, Revision oldest) {
        return of(410, "Expired", "too old resource version: %s (%s)".formatted(asked, oldest));
    }

    /// A page of a list whose state is forgotten; with `token` the list goes on in the newest one (K11).
    public static StatusException expiredPage(String token) {
        StatusException expired = of(
                410,
                "Expired",
                "The provided continue parameter is too old to display a consistent list result. You can start a new"
                        + " list without the continue parameter, or use the continue token in this response to retrieve"
                        + " the remainder of the results. Continuing with the provided token results in an inconsistent"
                        + " list: objects that changed since the first page may be missing or may show up twice.");
        expired.metadata.put("continue", token);
        return expired;
    }

    public static StatusException tooNew(Revision asked, Revision current) {
        StatusException timeout =
                of(504, "Timeout", "Too large resource version: %s, current: %s".formatted(asked, current));
        timeout.details.put("retryAfterSeconds", 1);
        return timeout.withCause("ResourceVersionTooLarge", "Too large resource version", "");
    }

    static StatusException unavailable(String message) {
        StatusException unavailable = of(503, "ServiceUnavailable", message);
        unavailable.details.put("retryAfterSeconds", 1);
        return unavailable;
    }

    private static StatusException about(int code, String reason, Kind kind, String name, String message) {
        ObjectNode details = Json.object().put("name", name);
        if (!kind.group().isEmpty()) {
            details.put("group", kind.group());
        }
        return new StatusException(code, reason, message, details.put("kind", kind.plural()));
    }

    /// Of what Kubernetes' router itself refuses there are details, without a word in them.
    private StatusException showingDetails() {
        showsDetails = true;
        return this;
    }

    private StatusException withCause(String why, String message, String field) {
        ArrayNode causes = details.withArrayProperty("causes");
        ObjectNode cause = causes.addObject().put("reason", why).put("message", message);
        if (!field.isEmpty()) {
            cause.put("field", field);
        }
        return this;
    }

    public boolean isAlreadyExists() {
        return reason.equals("AlreadyExists");
    }

    public int code() {
        return code;
    }

    /// Seconds after which a client should try again; 0 where it need not.
    public int retryAfterSeconds() {
        return Json.number(details, 0, "retryAfterSeconds");
    }

    public ObjectNode status() {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.set("metadata", metadata);
        status.put("status", "Failure").put("message", String.valueOf(getMessage()));
        status.put("reason", reason);
        if (showsDetails || !details.isEmpty()) {
            status.set("details", details);
        }
        return status.put("code", code);
    }
}
