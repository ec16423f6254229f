package io.fairlead.client;

import io.fairlead.api.Kind;

/// Which objects of a kind somebody wants to see; an empty selector leaves none out.
public record Interest(Kind kind, String labelSelector, String fieldSelector) {

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
}
