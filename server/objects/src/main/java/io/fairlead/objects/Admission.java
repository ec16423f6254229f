package io.fairlead.objects;

import io.fairlead.api.Kind;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What has a say in a write beside the rules of its kind, because it looks at other objects, too: first all may change
/// the object, and then, once it is known to be valid, all may refuse it.
public interface Admission {
    /// A write on its way: `old` is a missing node for a new object; `object` is what will be stored.
    record Attempt(Kind kind, JsonNode old, ObjectNode object, boolean dryRun) {
        public boolean isNew() {
            return old.isMissingNode();
        }
    }

    /// Changes the object, or refuses it by an [StatusException].
    default void admit(Attempt attempt) {}

    /// Refuses the object by an [StatusException], or does nothing.
    default void check(Attempt attempt) {}
}
