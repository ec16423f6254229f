package io.fairlead.client;

import io.fairlead.api.Kind;

/// Which objects of a kind a program wants to see; an empty selector or namespace leaves none out.
///
/// An `optional` kind may be one that the API server does not have, or does not show us: then there are none of it.
public record Interest(Kind kind, String namespace, String labelSelector, String fieldSelector, boolean optional) {

    public Interest(Kind kind, String labelSelector, String fieldSelector) {
        this(kind, "", labelSelector, fieldSelector, false);
    }

    /// Every object of the kind.
    public static Interest all(Kind kind) {
        return new Interest(kind, "", "");
    }

    /// The one object of the kind that has this name.
    public static Interest named(Kind kind, String name) {
        return new Interest(kind, "", "metadata.name=" + name);
    }

    public static Interest labelled(Kind kind, String labelSelector) {
        return new Interest(kind, labelSelector, "");
    }

    /// The same, where the API server may not know the kind.
    public Interest ifThere() {
        return new Interest(kind, namespace, labelSelector, fieldSelector, true);
    }

    /// The same, of one namespace alone.
    public Interest in(String namespace) {
        return new Interest(kind, namespace, labelSelector, fieldSelector, optional);
    }
}
