package io.fairlead.apiserver;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import java.util.List;
import java.util.Optional;

/// What a path points to: a collection (`name` is empty), an object, or a subresource of one.
record ApiPath(Kind kind, String namespace, String name, String subresource) {
    private static final List<String> NAMESPACE_SUBRESOURCES = List.of("status", "finalize");

    /// What `path` points to, or nothing if it is no path of a kind that is served.
    static Optional<ApiPath> find(String path) {
        List<String> parts = List.of(path.substring(1).split("/", -1));
        return switch (parts.getFirst()) {
            case "api" -> parts.size() < 3 ? Optional.empty() : find("", parts.get(1), parts.subList(2, parts.size()));
            case "apis" ->
                parts.size() < 4 ? Optional.empty() : find(parts.get(1), parts.get(2), parts.subList(3, parts.size()));
            default -> Optional.empty();
        };
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
        if (parts.size() > 3 || rest.contains("")) {
            return Optional.empty();
        }
        String name = parts.size() > 1 ? parts.get(1) : "";
        String subresource = parts.size() > 2 ? parts.get(2) : "";
        return kind(group, version, parts.getFirst())
                .map(kind -> new ApiPath(kind, namespace, name, subresource))
                .filter(ApiPath::isInRightPlace);
    }

    private static Optional<Kind> kind(String group, String version, String plural) {
        return Kind.ALL.stream()
                .filter(kind -> kind.group().equals(group)
                        && kind.version().equals(version)
                        && kind.plural().equals(plural))
                .findFirst();
    }

    /// Only a collection can be asked for across all namespaces.
    private boolean isInRightPlace() {
        return kind.namespaced() ? !namespace.isEmpty() || isCollection() : namespace.isEmpty();
    }
}
