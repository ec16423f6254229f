package io.fairlead.client;

import io.fairlead.api.KubernetesObject;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;

/// What a program keeps of the objects of a cluster.
///
/// `of` gives it, as an object of the same kind and key. Fields of the names in `unread`, at any depth, are of no use
/// for that: who reads many objects passes over them, and `of` must give the same with them as without.
public record Excerpt(Set<String> unread, UnaryOperator<KubernetesObject> of) {
    /// Who wrote which field is a third of what a small object has, and no room computes with it.
    private static final String MANAGED_FIELDS = "managedFields";

    public static final Excerpt WHOLE = new Excerpt(Set.of(), UnaryOperator.identity());

    public Excerpt {
        Set<String> names = new HashSet<>(unread);
        names.add(MANAGED_FIELDS);
        unread = Set.copyOf(names);
    }
}
