package io.fairlead.schema;

import java.util.List;

/// What is wrong with the fields of a body, in the words that clients know from Kubernetes.
///
/// `unknown` are complaints that a request may wish to pass over (`unknown field "spec.foo"`); `wrongTypes` are such
/// that the body cannot be read at all.
public record FieldFaults(List<String> unknown, List<String> wrongTypes) {
    public FieldFaults {
        unknown = List.copyOf(unknown);
        wrongTypes = List.copyOf(wrongTypes);
    }
}
