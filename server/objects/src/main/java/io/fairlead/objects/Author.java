package io.fairlead.objects;

import io.fairlead.api.Kind;
import io.fairlead.merge.FieldOwner;
import io.fairlead.merge.FieldOwner.Operation;
import java.util.Optional;

/// The author of a write as `managedFields` will name it, whether the write is done or only tried (K26), and what
/// rights the author may not give away.
public record Author(String name, Operation operation, String subresource, boolean dryRun, Optional<RoleGuard> guard) {
    /// The server itself.
    public static final Author SERVER = new Author("fairlead", Operation.UPDATE, "", false, Optional.empty());

    Author tryingOnly() {
        return new Author(name, operation, subresource, true, guard);
    }

    public Author applying() {
        return new Author(name, Operation.APPLY, subresource, dryRun, guard);
    }

    public FieldOwner owner(Kind kind) {
        return new FieldOwner(name, operation, kind.apiVersion(), subresource);
    }

    boolean applies() {
        return operation == Operation.APPLY;
    }
}
