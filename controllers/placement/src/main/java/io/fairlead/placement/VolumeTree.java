package io.fairlead.placement;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Node;
import io.fairlead.api.ObjectMeta;
import io.fairlead.api.PersistentVolume;
import io.fairlead.api.PersistentVolume.Claim;
import io.fairlead.api.PersistentVolume.StorageClass;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What is written of volumes and claims.
final class VolumeTree {
    private static final String BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    private VolumeTree() {}

    /// A new folder of a node, for one claim.
    static ObjectNode made(Claim claim, StorageClass kind, Node node, String folder) {
        String name = "pvc-" + claim.metadata().uid();
        ObjectNode volume = Json.object().put("apiVersion", "v1").put("kind", Kind.PERSISTENT_VOLUME.name());
        ObjectNode metadata = volume.putObject("metadata").put("name", name);
        metadata.putObject("annotations").put("pv.kubernetes.io/provisioned-by", kind.provisioner());
        metadata.putArray("finalizers").add(PersistentVolume.FOLDER);
        ObjectNode spec = volume.putObject("spec");
        spec.putObject("capacity").put("storage", claim.wanted().size());
        claim.wanted().modes().forEach(spec.putArray("accessModes")::add);
        spec.put("persistentVolumeReclaimPolicy", kind.deletes() ? "Delete" : "Retain")
                .put("storageClassName", kind.key().name())
                .put("volumeMode", "Filesystem");
        spec.putObject("local").put("path", folder + "/" + name);
        spec.putObject("nodeAffinity")
                .putObject("required")
                .putArray("nodeSelectorTerms")
                .addObject()
                .putArray("matchFields")
                .addObject()
                .put("key", "metadata.name")
                .put("operator", "In")
                .putArray("values")
                .add(node.name());
        refer(spec, claim);
        return volume;
    }

    /// A free volume that is this claim's from now on.
    static ObjectNode taken(ObjectMeta volume, Claim claim) {
        ObjectNode patch = Json.object();
        ObjectNode metadata = patch.putObject("metadata")
                .put("resourceVersion", volume.revision().toString());
        metadata.putObject("annotations").put(BY_CONTROLLER, "yes");
        refer(patch.putObject("spec"), claim);
        return patch;
    }

    private static void refer(ObjectNode spec, Claim claim) {
        spec.putObject("claimRef")
                .put("apiVersion", "v1")
                .put("kind", claim.kind().name())
                .put("namespace", claim.key().namespace())
                .put("name", claim.key().name())
                .put("uid", claim.metadata().uid())
                .put("resourceVersion", claim.metadata().revision().toString());
    }

    /// A claim that has this volume from now on.
    static ObjectNode bound(PersistentVolume volume) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata")
                .putObject("annotations")
                .put("pv.kubernetes.io/bind-completed", "yes")
                .put(BY_CONTROLLER, "yes");
        patch.putObject("spec").put("volumeName", volume.key().name());
        return patch;
    }

    /// The status of a claim that has this volume.
    static ObjectNode status(PersistentVolume volume) {
        ObjectNode status = Json.object().put("phase", "Bound");
        ArrayNode modes = status.putArray("accessModes");
        volume.offer().modes().forEach(modes::add);
        status.putObject("capacity").put("storage", volume.offer().size());
        return status;
    }
}
