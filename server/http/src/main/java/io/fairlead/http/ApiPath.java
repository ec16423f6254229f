package io.fairlead.http;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// What a path points to: a collection (`name` is empty), an object, or a subresource of one.
///
/// `rest` is what stands behind a subresource that takes more, such as `proxy`.
record ApiPath(KindFace face, String namespace, String name, String subresource, String rest) {
    private static final List<String> NAMESPACE_SUBRESOURCES = List.of("status", "finalize");
    private static final Map<String, List<KindFace>> FACES = KindFace.ALL.stream()
            .collect(Collectors.groupingBy(face -> face.served().plural()));

    /// What `path` points to, or nothing if it is no path of a kind that is served.
    static Optional<ApiPath> find(String path) {
        List<String> parts = List.of(path.substring(Math.min(1, path.length())).split("/", -1));
        return switch (parts.getFirst()) {
            case "api" -> parts.size() < 3 ? Optional.empty() : find("", parts.get(1), parts.subList(2, parts.size()));
            case "apis" ->
                parts.size() < 4 ? Optional.empty() : find(parts.get(1), parts.get(2), parts.subList(3, parts.size()));
            default -> Optional.empty();
        };
    }

    /// The path that `/api/v1/watch/…` stands for, as clients of long ago ask for a watch (K19).
    static Optional<String> findWatched(String path) {
        List<String> parts = new ArrayList<>(List.of(path.split("/", -1)));
        int at = path.startsWith("/apis/") ? 4 : 3;
        boolean watch = parts.size() > at + 1
                && (parts.get(1).equals("api") || parts.get(1).equals("apis"))
                && parts.get(at).equals("watch");
        if (!watch) {
            return Optional.empty();
        }
        parts.remove(at);
        return Optional.of(String.join("/", parts));
    }

    /// The kind of the objects, as they are stored.
    Kind kind() {
        return face.stored();
    }

    NamespacedName key() {
        return new NamespacedName(namespace, name);
    }

    boolean isCollection() {
        return name.isEmpty();
    }

    private static Optional<ApiPath> find(String group, String version, List<String> rest) {
        boolean inNamespace = rest.size() >= 3
                && rest.getFirst().equals("namespaces")
                && !NAMESPACE_SUBRESOURCES.contains(rest.get(2));
        String namespace = inNamespace ? rest.get(1) : "";
        List<String> parts = inNamespace ? rest.subList(2, rest.size()) : rest;
        String subresource = parts.size() > 2 ? parts.get(2) : "";
        boolean takesMore = subresource.equals("proxy");
        List<String> fixed = parts.subList(0, Math.min(parts.size(), 3));
        if ((parts.size() > 3 && !takesMore) || fixed.contains("") || (inNamespace && namespace.isEmpty())) {
            return Optional.empty();
        }
        String name = parts.size() > 1 ? parts.get(1) : "";
        String more = parts.size() > 3 ? String.join("/", parts.subList(3, parts.size())) : "";
        return face(group, version, parts.getFirst())
                .map(face -> new ApiPath(face, namespace, name, subresource, more))
                .filter(ApiPath::isInRightPlace);
    }

    private static Optional<KindFace> face(String group, String version, String plural) {
        return FACES.getOrDefault(plural, List.of()).stream()
                .filter(face -> face.served().group().equals(group)
                        && face.served().version().equals(version))
                .findFirst();
    }

    /// Only a collection can be asked for across all namespaces.
    private boolean isInRightPlace() {
        return kind().namespaced() ? !namespace.isEmpty() || isCollection() : namespace.isEmpty();
    }
}
