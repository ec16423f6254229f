package io.fairlead.access;

import io.fairlead.api.Json;
import io.fairlead.api.NamespacedName;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The tokens of ServiceAccounts: signed here, good for a time, and only as long as the account and the object they
/// are bound to are there.
public final class ServiceAccountTokens {
    /// Who signs; also the audience that means the API server itself.
    public static final String ISSUER = "https://kubernetes.default.svc.cluster.local";

    private static final String PRIVATE_CLAIMS = "kubernetes.io";
    private static final int REMEMBERED = 1024;

    /// One object, by what no other has; `kind` is as a token names it: `pod`, `secret`, `node`, `serviceaccount`.
    public record Reference(String kind, NamespacedName name, String uid) {}

    /// Says whether an object is there now.
    public interface Objects {
        boolean isThere(Reference object);
    }

    /// What a token is to say; `bound` are the objects it ends with, besides the account.
    public record TokenSpec(
            String id, Reference account, List<String> audiences, Duration life, List<Reference> bound) {
        public TokenSpec {
            audiences = List.copyOf(audiences);
            bound = List.copyOf(bound);
        }
    }

    /// Who sent a token, and for whom of those who asked it is meant.
    public record Bearer(User user, List<String> audiences) {}

    private final KeyPair keys;
    private final Objects objects;
    // A signature takes longer to check than everything else about a request: what was signed stays signed.
    private final Map<String, JsonNode> signed = new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, JsonNode> eldest) {
            return size() > REMEMBERED;
        }
    };

    public ServiceAccountTokens(KeyPair keys, Objects objects) {
        this.keys = keys;
        this.objects = objects;
    }

    public String issue(TokenSpec wish, Instant now) {
        ObjectNode claims = Json.object();
        ArrayNode audiences = claims.putArray("aud");
        wish.audiences().forEach(audiences::add);
        claims.put("exp", now.plus(wish.life()).getEpochSecond())
                .put("iat", now.getEpochSecond())
                .put("iss", ISSUER)
                .put("jti", wish.id());
        ObjectNode about = claims.putObject(PRIVATE_CLAIMS)
                .put("namespace", wish.account().name().namespace());
        put(about, wish.account());
        wish.bound().forEach(object -> put(about, object));
        claims.put("nbf", now.getEpochSecond())
                .put("sub", userName(wish.account().name()));
        return Jwt.sign(claims, keys);
    }

    private static void put(ObjectNode about, Reference object) {
        about.putObject(object.kind()).put("name", object.name().name()).put("uid", object.uid());
    }

    /// Whose token it is, if it is good now and meant for one of `audiences`.
    public Optional<Bearer> find(String token, List<String> audiences, Instant now) {
        return findSigned(token)
                .filter(claims -> isInTime(claims, now))
                .filter(this::isBacked)
                .flatMap(claims -> bearer(claims, audiences));
    }

    private Optional<JsonNode> findSigned(String token) {
        String digest = TokenDigest.of(token);
        synchronized (signed) {
            JsonNode known = signed.get(digest);
            if (known != null) {
                return Optional.of(known);
            }
        }
        Optional<JsonNode> claims = Jwt.verify(token, keys.getPublic());
        claims.ifPresent(fresh -> {
            synchronized (signed) {
                signed.put(digest, fresh);
            }
        });
        return claims;
    }

    private static boolean isInTime(JsonNode claims, Instant now) {
        return Json.text(claims, "iss").equals(ISSUER)
                && claims.path("nbf").asLong(Long.MAX_VALUE) <= now.getEpochSecond()
                && now.getEpochSecond() < claims.path("exp").asLong(0);
    }

    /// The account and all objects that the token is bound to must still be the same.
    private boolean isBacked(JsonNode claims) {
        JsonNode about = claims.path(PRIVATE_CLAIMS);
        return about.has("serviceaccount")
                && Set.of("serviceaccount", "pod", "secret", "node").stream()
                        .filter(about::has)
                        // The node of a pod is only named: the token ends with the pod.
                        .filter(kind -> !kind.equals("node") || !about.has("pod"))
                        .allMatch(kind -> objects.isThere(reference(about, kind)));
    }

    private static Reference reference(JsonNode about, String kind) {
        String namespace = kind.equals("node") ? "" : Json.text(about, "namespace");
        return new Reference(
                kind, new NamespacedName(namespace, Json.text(about, kind, "name")), Json.text(about, kind, "uid"));
    }

    private static Optional<Bearer> bearer(JsonNode claims, List<String> audiences) {
        List<String> meant =
                Json.texts(claims, "aud").stream().filter(audiences::contains).toList();
        if (meant.isEmpty()) {
            return Optional.empty();
        }
        Reference account = reference(claims.path(PRIVATE_CLAIMS), "serviceaccount");
        User user = User.authenticated(userName(account.name()), account.uid(), groups(account.name()));
        return Optional.of(new Bearer(user.with(extra(claims)), meant));
    }

    private static Map<String, List<String>> extra(JsonNode claims) {
        Map<String, List<String>> extra = new TreeMap<>();
        String id = Json.text(claims, "jti");
        if (!id.isEmpty()) {
            extra.put("authentication.kubernetes.io/credential-id", List.of("JTI=" + id));
        }
        for (String kind : List.of("node", "pod")) {
            JsonNode object = claims.path(PRIVATE_CLAIMS).path(kind);
            if (!object.isMissingNode()) {
                extra.put("authentication.kubernetes.io/%s-name".formatted(kind), List.of(Json.text(object, "name")));
                extra.put("authentication.kubernetes.io/%s-uid".formatted(kind), List.of(Json.text(object, "uid")));
            }
        }
        return extra;
    }

    private static String userName(NamespacedName account) {
        return User.SERVICE_ACCOUNT_PREFIX + account.namespace() + ":" + account.name();
    }

    private static Set<String> groups(NamespacedName account) {
        return Set.of(User.SERVICE_ACCOUNTS, User.SERVICE_ACCOUNTS + ":" + account.namespace());
    }
}
