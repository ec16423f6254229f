package io.fairlead.api;

import java.util.Comparator;

/// Who an object is among its kind; the namespace of a cluster-wide object is empty.
public record NamespacedName(String namespace, String name) implements Comparable<NamespacedName> {
    private static final Comparator<NamespacedName> ORDER =
            Comparator.comparing(NamespacedName::namespace).thenComparing(NamespacedName::name);

    @Override
    public int compareTo(NamespacedName other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
