package io.fairlead.kubectl;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/// `-n`: the namespace that a command works in.
final class NamespaceOptions {
    static final String DEFAULT = "default";

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            scope = ScopeType.INHERIT,
            description = "The namespace to work in. Default: default.")
    private String name = "";

    String name() {
        return name.isEmpty() ? DEFAULT : name;
    }

    /// True if the user typed it: then no manifest may say otherwise.
    boolean isGiven() {
        return !name.isEmpty();
    }

    NamespacedName key(Kind kind, String object) {
        return new NamespacedName(kind.namespaced() ? name() : "", object);
    }
}
