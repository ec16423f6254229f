package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import tools.jackson.databind.node.ObjectNode;

/// One object of a file, and where it stands there.
///
/// @param place `"hello.yaml" (document 2)`
record Manifest(String place, Kind kind, ObjectNode object) {

    /// Who it is, once `namespaces` has said where an object without a namespace goes.
    NamespacedName key() {
        return new NamespacedName(
                kind.namespaced() ? Json.text(object, "metadata", "namespace") : "",
                Json.text(object, "metadata", "name"));
    }

    /// `service/hello`.
    String reference() {
        return ResourceArguments.reference(kind, key().name());
    }
}
