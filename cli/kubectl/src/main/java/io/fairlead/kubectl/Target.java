package io.fairlead.kubectl;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;

/// One object that a command works on.
record Target(Kind kind, NamespacedName key) {

    /// `service/hello`.
    String reference() {
        return ResourceArguments.reference(kind, key.name());
    }
}
