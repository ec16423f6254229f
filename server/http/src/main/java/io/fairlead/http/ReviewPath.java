package io.fairlead.http;

import io.fairlead.access.AccessRequest;
import io.fairlead.api.Kind;
import java.util.List;
import java.util.Optional;

/// Where a review is sent to: a question about access that is answered and not kept.
record ReviewPath(Kind kind, String namespace) {
    static Optional<ReviewPath> find(String path) {
        List<String> parts = List.of(path.split("/", -1));
        boolean inNamespace = parts.size() == 7 && parts.get(4).equals("namespaces");
        if (!path.startsWith("/apis/") || !(parts.size() == 5 || inNamespace)) {
            return Optional.empty();
        }
        return ServedKind.REVIEWS.stream()
                .filter(kind -> kind.namespaced() == inNamespace
                        && kind.group().equals(parts.get(2))
                        && kind.version().equals(parts.get(3))
                        && kind.plural().equals(parts.getLast()))
                .findFirst()
                .map(kind -> new ReviewPath(kind, inNamespace ? parts.get(5) : ""));
    }

    AccessRequest.Resource resource() {
        return new AccessRequest.Resource(kind.group(), kind.plural(), "", namespace, "");
    }
}
