package io.fairlead.http;

import io.fairlead.api.Kind;
import io.fairlead.kinds.KindRules;
import io.fairlead.kinds.KindTable;
import java.util.List;
import java.util.stream.Stream;

/// A kind as discovery tells of it: in which group, what can be done with it, and which parts it has (K1).
record ServedKind(Kind kind, List<String> verbs, List<String> categories, List<Part> parts) {
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
    private static final List<String> PROXY_VERBS = List.of("create", "delete", "get", "patch", "update");

    /// A subresource, and the kind of object that is sent and answered there.
    record Part(String name, Kind kind, List<String> verbs) {}

    /// What a client may ask of the server that is not kept: it is answered and forgotten.
    static final List<Kind> REVIEWS = List.of(
            review("authentication.k8s.io", "SelfSubjectReview", false),
            review("authentication.k8s.io", "TokenReview", false),
            review("authorization.k8s.io", "LocalSubjectAccessReview", true),
            review("authorization.k8s.io", "SelfSubjectAccessReview", false),
            review("authorization.k8s.io", "SelfSubjectRulesReview", false),
            review("authorization.k8s.io", "SubjectAccessReview", false));

    /// All of a server, sorted by name in each group.
    static List<ServedKind> all(KindTable kinds) {
        Stream<ServedKind> faces = KindFace.ALL.stream().map(face -> of(face, kinds.rules(face.stored())));
        Stream<ServedKind> reviews =
                REVIEWS.stream().map(kind -> new ServedKind(kind, List.of("create"), List.of(), List.of()));
        return Stream.concat(faces, reviews)
                .sorted((a, b) -> a.kind.plural().compareTo(b.kind.plural()))
                .toList();
    }

    private static Kind review(String group, String name, boolean namespaced) {
        return new Kind(group, "v1", name, name.toLowerCase(java.util.Locale.ROOT) + "s", namespaced, List.of());
    }

    private static ServedKind of(KindFace face, KindRules rules) {
        List<Part> parts = rules.subresources().stream()
                .sorted()
                .map(name -> part(face.served(), name))
                .toList();
        // Kinds of `all` are shown by `kubectl get all`: each object once, so under one face only.
        List<String> verbs = VERBS.stream()
                .filter(verb -> rules.deletesCollections() || !verb.equals("deletecollection"))
                .toList();
        return new ServedKind(face.served(), verbs, face.isPlain() ? rules.categories() : List.of(), parts);
    }

    private static Part part(Kind kind, String name) {
        return switch (name) {
            case "scale" -> new Part(name, of("autoscaling", "Scale"), List.of("get", "patch", "update"));
            case "binding" -> new Part(name, of("", "Binding"), List.of("create"));
            case "eviction" -> new Part(name, of("policy", "Eviction"), List.of("create"));
            case "token" -> new Part(name, of("authentication.k8s.io", "TokenRequest"), List.of("create"));
            case "proxy" -> new Part(name, of("", kind.name() + "ProxyOptions"), PROXY_VERBS);
            case "exec", "attach" ->
                new Part(name, of("", kind.name() + capital(name) + "Options"), List.of("create", "get"));
            case "portforward" -> new Part(name, of("", "PodPortForwardOptions"), List.of("create", "get"));
            case "log" -> new Part(name, kind, List.of("get"));
            case "finalize" -> new Part(name, kind, List.of("update"));
            default -> new Part(name, kind, List.of("get", "patch", "update"));
        };
    }

    private static String capital(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    private static Kind of(String group, String name) {
        return new Kind(group, "v1", name, "", true, List.of());
    }
}
