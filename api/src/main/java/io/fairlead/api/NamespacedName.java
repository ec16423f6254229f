package io.fairlead.api;

import org.jspecify.annotations.Nullable;

/// Who an object is among its kind; the namespace of a cluster-wide object is empty.
public record NamespacedName(String namespace, String name) implements Comparable<NamespacedName> {

    @Override
    public int compareTo(NamespacedName other) {
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    // Written out, like the order: it is the key of nearly every map, and what a record has by itself is slow until it
    // is compiled.
    @Override
    public int hashCode() {
        return 31 * namespace.hashCode() + name.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NamespacedName that && name.equals(that.name) && namespace.equals(that.namespace);
    }

    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
