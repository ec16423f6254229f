package io.fairlead.http;

import io.fairlead.access.AccessRequest;
import io.fairlead.access.Authenticator;
import io.fairlead.access.PolicyRule;
import io.fairlead.access.ServiceAccountTokens;
import io.fairlead.access.User;
import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import io.fairlead.kinds.Tree;
import io.fairlead.objects.Rights;
import io.fairlead.objects.StatusException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The part of the API that is about access itself: who am I, may I, may he, and tokens (K34).
final class AccessApi {
    private final Optional<Authenticator> authenticator;
    private final Rights rights;
    private final TokenRequests tokens;

    AccessApi(Optional<Authenticator> authenticator, Rights rights, TokenRequests tokens) {
        this.authenticator = authenticator;
        this.rights = rights;
        this.tokens = tokens;
    }

    /// The answer to a review.
    Answer review(ReviewPath path, User user, ApiRequest request) {
        requirePost(request);
        Representation.requirePlain(request.headers().getOrDefault("accept", ""));
        return new Answer.Document(201, reviewed(path, user, request));
    }

    /// The answer to a request for a token of a ServiceAccount.
    Answer token(ApiPath account, ApiRequest request) {
        requirePost(request);
        return new Answer.Document(201, tokens.issue(account, request));
    }

    private static void requirePost(ApiRequest request) {
        if (!request.method().equals("POST")) {
            throw StatusException.methodNotAllowed();
        }
    }

    /// The review as it was sent, with a status.
    private ObjectNode reviewed(ReviewPath path, User user, ApiRequest request) {
        ObjectNode review = request.object();
        JsonNode spec = review.path("spec");
        ObjectNode status = switch (path.kind().name()) {
            case "SelfSubjectReview" -> Json.object().set("userInfo", shown(user));
            case "SelfSubjectRulesReview" -> rules(user, Json.text(spec, "namespace"));
            case "SelfSubjectAccessReview" -> verdict(path, user, spec);
            case "TokenReview" -> token(spec);
            case "LocalSubjectAccessReview" -> {
                requireNamespace(path, spec);
                yield verdict(path, subject(path, spec), spec);
            }
            default -> verdict(path, subject(path, spec), spec);
        };
        ObjectNode answer = Json.object()
                .put("kind", path.kind().name())
                .put("apiVersion", path.kind().apiVersion());
        Tree.object(answer, "metadata").putNull("creationTimestamp");
        if (!spec.isMissingNode()) {
            answer.set("spec", spec);
        }
        answer.set("status", status);
        return answer;
    }

    private static void requireNamespace(ReviewPath path, JsonNode spec) {
        String namespace = Json.text(spec, "resourceAttributes", "namespace");
        if (!namespace.equals(path.namespace())) {
            throw invalid(
                    path,
                    Problem.invalid("spec.resourceAttributes.namespace", namespace, "must match metadata.namespace"));
        }
    }

    private static StatusException invalid(ReviewPath path, Problem problem) {
        return StatusException.invalid(path.kind(), "", List.of(problem));
    }

    private static User subject(ReviewPath path, JsonNode spec) {
        if (Json.text(spec, "user").isEmpty() && Json.texts(spec, "groups").isEmpty()) {
            throw invalid(path, Problem.invalid("spec.user", "", "at least one of user or group must be specified"));
        }
        return new User(Json.text(spec, "user"), "", new TreeSet<>(Json.texts(spec, "groups")), Map.of());
    }

    private ObjectNode verdict(ReviewPath path, User user, JsonNode spec) {
        boolean onResource = spec.has("resourceAttributes");
        if (onResource == spec.has("nonResourceAttributes")) {
            throw invalid(
                    path,
                    Problem.invalid(
                            onResource ? "spec.nonResourceAttributes" : "spec.resourceAttributes",
                            "",
                            "exactly one of nonResourceAttributes or resourceAttributes must be specified"));
        }
        JsonNode about = spec.path(onResource ? "resourceAttributes" : "nonResourceAttributes");
        AccessRequest.Target on = onResource
                ? new AccessRequest.Resource(
                        Json.text(about, "group"),
                        Json.text(about, "resource"),
                        Json.text(about, "subresource"),
                        Json.text(about, "namespace"),
                        Json.text(about, "name"))
                : new AccessRequest.Path(Json.text(about, "path"));
        boolean allowed = rights.current().allows(new AccessRequest(user, Json.text(about, "verb"), on));
        return Json.object().put("allowed", allowed);
    }

    private ObjectNode rules(User user, String namespace) {
        ObjectNode status = Json.object();
        ArrayNode resources = status.putArray("resourceRules");
        ArrayNode paths = status.putArray("nonResourceRules");
        for (PolicyRule rule : rights.current().rulesFor(user, namespace)) {
            (rule.paths().isEmpty() ? resources : paths).add(rule.json());
        }
        return status.put("incomplete", false);
    }

    private ObjectNode token(JsonNode spec) {
        Optional<ServiceAccountTokens.Bearer> bearer = authenticator.flatMap(
                known -> known.findBearer(Json.text(spec, "token"), Json.texts(spec, "audiences")));
        ObjectNode status = Json.object();
        if (bearer.isEmpty()) {
            return status.put("authenticated", false).put("error", "the token is not known, or no longer good");
        }
        status.put("authenticated", true).set("user", shown(bearer.get().user()));
        return put(status, "audiences", bearer.get().audiences());
    }

    private static ObjectNode shown(User user) {
        ObjectNode shown = Json.object().put("username", user.name());
        if (!user.uid().isEmpty()) {
            shown.put("uid", user.uid());
        }
        put(shown, "groups", user.groups().stream().sorted().toList());
        if (!user.extra().isEmpty()) {
            ObjectNode extra = shown.putObject("extra");
            user.extra().forEach((key, values) -> put(extra, key, values));
        }
        return shown;
    }

    private static ObjectNode put(ObjectNode object, String field, List<String> values) {
        ArrayNode array = object.putArray(field);
        values.forEach(array::add);
        return object;
    }
}
