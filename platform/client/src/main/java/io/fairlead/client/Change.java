package io.fairlead.client;

import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Revision;
import io.fairlead.api.Snapshot;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// What a watch loop tells the owner of the Snapshot.
sealed interface Change {
    /// These are all the objects of the kind; what is not among them is gone.
    record Listed(Kind kind, List<KubernetesObject> objects, Revision revision) implements Change {
        public Listed {
            objects = List.copyOf(objects);
        }

        private Snapshot replacing(Snapshot before) {
            Set<NamespacedName> names =
                    objects.stream().map(KubernetesObject::key).collect(Collectors.toSet());
            Snapshot after = newest(before, revision);
            for (KubernetesObject known : before.all(kind)) {
                after = names.contains(known.key()) ? after : after.without(known);
            }
            return after.withAll(kind, objects);
        }
    }

    /// The object is there, and looks like this.
    record Stored(KubernetesObject object) implements Change {}

    /// The object is gone; this was its last state.
    record Removed(KubernetesObject object) implements Change {}

    /// The Snapshot that follows from `before`; its revision is that of the newest change in it.
    default Snapshot on(Snapshot before) {
        return switch (this) {
            case Listed listed -> listed.replacing(before);
            case Stored(KubernetesObject object) ->
                newest(before, object.metadata().revision()).with(object);
            case Removed(KubernetesObject object) ->
                newest(before, object.metadata().revision()).without(object);
        };
    }

    private static Snapshot newest(Snapshot snapshot, Revision revision) {
        return revision.isAfter(snapshot.revision()) ? snapshot.at(revision) : snapshot;
    }
}
