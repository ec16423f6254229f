package io.fairlead.admission;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.PersistentVolume;
import io.fairlead.kinds.Tree;
import io.fairlead.objects.Admission;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// Marks new claims and volumes, so that they stay while a pod or a claim uses them.
final class StorageProtection implements Admission {
    private static final Map<Kind, String> MARKS = Map.of(
            Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolume.Claim.PROTECTION,
            Kind.PERSISTENT_VOLUME, PersistentVolume.PROTECTION);

    @Override
    public void admit(Attempt attempt) {
        String mark = MARKS.get(attempt.kind());
        if (mark == null || !attempt.isNew()) {
            return;
        }
        ObjectNode metadata = Tree.object(attempt.object(), "metadata");
        if (!Json.texts(metadata, "finalizers").contains(mark)) {
            metadata.withArrayProperty("finalizers").add(mark);
        }
    }
}
