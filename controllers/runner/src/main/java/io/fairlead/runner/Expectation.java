package io.fairlead.runner;

import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.Revision;
import io.fairlead.api.Snapshot;
import java.util.Optional;

/// What a Snapshot must show before we may act on it, because we wrote it ourselves.
sealed interface Expectation {
    Kind kind();

    NamespacedName name();

    /// A new object. Its absence may mean "not told yet" as well as "deleted again".
    record Created(Kind kind, NamespacedName name, Revision revision) implements Expectation {}

    /// An object that was there before, as it was written or later.
    record Changed(Kind kind, NamespacedName name, Revision revision) implements Expectation {}

    /// A pod that has a node.
    record Bound(NamespacedName name, String uid) implements Expectation {
        @Override
        public Kind kind() {
            return Kind.POD;
        }
    }

    /// An object that is gone, or going.
    record Deleted(Kind kind, NamespacedName name, String uid) implements Expectation {}

    /// An Event: no controller reads them, so none waits for one.
    record Reported(NamespacedName name) implements Expectation {
        @Override
        public Kind kind() {
            return Kind.EVENT;
        }
    }

    /// True if `snapshot` is not older than the write.
    default boolean isIn(Snapshot snapshot) {
        Optional<KubernetesObject> found = Lookup.find(snapshot, kind(), name());
        return switch (this) {
            case Created(var _, var _, Revision revision) ->
                found.filter(object -> isFrom(object, revision)).isPresent();
            case Changed(var _, var _, Revision revision) ->
                found.filter(object -> !isFrom(object, revision)).isEmpty();
            case Bound(var _, String uid) ->
                found.filter(object -> hasUid(object, uid)
                                && object instanceof Pod pod
                                && pod.spec().nodeName().isEmpty())
                        .isEmpty();
            case Reported _ -> true;
            case Deleted(var _, var _, String uid) ->
                found.filter(object -> hasUid(object, uid) && !object.metadata().isTerminating())
                        .isEmpty();
        };
    }

    private static boolean isFrom(KubernetesObject object, Revision revision) {
        return object.metadata().revision().compareTo(revision) >= 0;
    }

    private static boolean hasUid(KubernetesObject object, String uid) {
        return object.metadata().uid().equals(uid);
    }
}
