package io.fairlead.kubectl;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.Interest;
import io.fairlead.kubectl.ResourceArguments.Wanted;
import java.util.List;

/// What `get` was asked for: which objects, where, and with which labels.
///
/// @param namespace empty for all namespaces
record GetQuery(List<Wanted> wanted, String namespace, String selector) {
    GetQuery {
        wanted = List.copyOf(wanted);
    }

    String namespaceOf(Kind kind) {
        return kind.namespaced() ? namespace : "";
    }

    NamespacedName key(Kind kind, String name) {
        return new NamespacedName(namespaceOf(kind), name);
    }

    /// What to watch: the labelled objects, or the one that is named.
    Interest interest(Wanted one) {
        return one.names().isEmpty()
                ? Interest.labelled(one.kind(), selector)
                : Interest.named(one.kind(), one.names().getFirst());
    }

    boolean hasSeveralKinds() {
        return wanted.size() > 1;
    }

    /// The sentence for an empty answer.
    String nothingFound() {
        boolean everywhere =
                wanted.stream().allMatch(one -> namespaceOf(one.kind()).isEmpty());
        return everywhere ? "No resources found" : "No resources found in %s namespace.".formatted(namespace);
    }
}
