package io.fairlead.http;

import io.fairlead.access.Authenticator;
import io.fairlead.access.ServiceAccountTokens;
import io.fairlead.access.ServiceAccountTokens.Reference;
import io.fairlead.access.ServiceAccountTokens.TokenSpec;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Problem;
import io.fairlead.kinds.Stamp;
import io.fairlead.kinds.Tree;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.WatchCache;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Gives out tokens of ServiceAccounts: the subresource `serviceaccounts/token`.
final class TokenRequests {
    private static final Kind KIND = new Kind("authentication.k8s.io", "v1", "TokenRequest", "", true, List.of());
    private static final Duration USUAL_LIFE = Duration.ofHours(1);
    private static final Duration SHORTEST_LIFE = Duration.ofMinutes(10);
    private static final Duration LONGEST_LIFE = Duration.ofSeconds(1L << 32);

    private final Optional<Authenticator> authenticator;
    private final WatchCache cache;
    private final Stamp stamp;

    TokenRequests(Optional<Authenticator> authenticator, WatchCache cache, Stamp stamp) {
        this.authenticator = authenticator;
        this.cache = cache;
        this.stamp = stamp;
    }

    /// Whether what a token was bound to is there; an object that is being deleted still counts.
    static boolean isThere(WatchCache cache, Reference object) {
        return findKind(object.kind())
                .flatMap(kind -> cache.of(kind).find(object.name()))
                .filter(found -> found.uid().equals(object.uid()))
                .isPresent();
    }

    /// The request as it was sent, with what was given.
    ObjectNode issue(ApiPath path, ApiRequest request) {
        Authenticator signer = authenticator.orElseThrow(StatusException::noSuchPath);
        Reference account = reference(Kind.SERVICE_ACCOUNT, path.key());
        ObjectNode asked = request.objectOrEmpty();
        JsonNode spec = asked.path("spec");
        Duration life = life(spec);
        List<String> audiences = Json.texts(spec, "audiences");
        List<String> meant = audiences.isEmpty() ? List.of(ServiceAccountTokens.ISSUER) : audiences;
        String token = signer.issue(new TokenSpec(stamp.uid(), account, meant, life, bound(path, spec)));
        return answer(path, spec, meant, life, token);
    }

    private ObjectNode answer(ApiPath path, JsonNode spec, List<String> audiences, Duration life, String token) {
        ObjectNode answer = Json.object().put("kind", KIND.name()).put("apiVersion", KIND.apiVersion());
        Tree.object(answer, "metadata").put("name", path.name()).put("namespace", path.namespace());
        ObjectNode shown = answer.putObject("spec");
        ArrayNode array = shown.putArray("audiences");
        audiences.forEach(array::add);
        shown.put("expirationSeconds", life.toSeconds());
        Tree.set(shown, "boundObjectRef", spec.path("boundObjectRef"));
        answer.putObject("status")
                .put(
                        "expirationTimestamp",
                        stamp.now().truncatedTo(ChronoUnit.SECONDS).plus(life).toString())
                .put("token", token);
        return answer;
    }

    private static Duration life(JsonNode spec) {
        Duration life = Duration.ofSeconds(spec.path("expirationSeconds").asLong(USUAL_LIFE.toSeconds()));
        String field = "spec.expirationSeconds";
        if (life.compareTo(SHORTEST_LIFE) < 0) {
            throw invalid(Problem.invalid(field, life.toSeconds(), "may not specify a duration less than 10 minutes"));
        }
        if (life.compareTo(LONGEST_LIFE) > 0) {
            throw invalid(
                    Problem.invalid(field, life.toSeconds(), "may not specify a duration larger than 2^32 seconds"));
        }
        return life;
    }

    private List<Reference> bound(ApiPath path, JsonNode spec) {
        JsonNode wanted = spec.path("boundObjectRef");
        if (wanted.isMissingNode()) {
            return List.of();
        }
        Kind kind = findKind(Json.text(wanted, "kind").toLowerCase(Locale.ROOT))
                .filter(known -> !known.equals(Kind.SERVICE_ACCOUNT))
                .orElseThrow(() -> invalid(Problem.notSupported(
                        "spec.boundObjectRef.kind", Json.text(wanted, "kind"), "\"Pod\", \"Secret\", \"Node\"")));
        NamespacedName name = new NamespacedName(kind.namespaced() ? path.namespace() : "", Json.text(wanted, "name"));
        Reference bound = reference(kind, name);
        String uid = Json.text(wanted, "uid");
        if (!uid.isEmpty() && !uid.equals(bound.uid())) {
            throw StatusException.conflict(
                    kind,
                    name.name(),
                    "the UID in the bound object reference (%s) does not match the UID in record".formatted(uid));
        }
        return kind.equals(Kind.POD) ? withNode(bound) : List.of(bound);
    }

    /// A token that goes with a pod says on which node that is.
    private List<Reference> withNode(Reference pod) {
        Optional<Reference> node = cache.of(Kind.POD)
                .find(pod.name())
                .map(object -> new NamespacedName("", Json.text(object.tree(), "spec", "nodeName")))
                .flatMap(name -> cache.of(Kind.NODE)
                        .find(name)
                        .map(found -> new Reference(Kind.NODE.singular(), name, found.uid())));
        return Stream.concat(Stream.of(pod), node.stream()).toList();
    }

    private Reference reference(Kind kind, NamespacedName name) {
        ApiObject found = cache.of(kind).find(name).orElseThrow(() -> StatusException.notFound(kind, name.name()));
        return new Reference(kind.singular(), name, found.uid());
    }

    private static Optional<Kind> findKind(String word) {
        return switch (word) {
            case "pod" -> Optional.of(Kind.POD);
            case "secret" -> Optional.of(Kind.SECRET);
            case "node" -> Optional.of(Kind.NODE);
            case "serviceaccount" -> Optional.of(Kind.SERVICE_ACCOUNT);
            default -> Optional.empty();
        };
    }

    private static StatusException invalid(Problem problem) {
        return StatusException.invalid(KIND, "", List.of(problem));
    }
}
