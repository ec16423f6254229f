package io.fairlead.api;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A piece of storage: a folder of the nodes that `where` selects, which `claimed` has, or may have alone.
public record PersistentVolume(
        ObjectMeta metadata,
        Offer offer,
        Optional<Reference> claimed,
        String path,
        boolean deletes,
        Placement where,
        String phase)
        implements KubernetesObject {

    /// Stays until no claim has the volume.
    public static final String PROTECTION = "kubernetes.io/pv-protection";

    /// Stays until the node removed the folder.
    public static final String FOLDER = "fairlead.io/folder";

    /// What a volume has, or what a claim asks for; `size` as it was written.
    public record Offer(String storageClass, List<String> modes, String size, String volumeMode) {
        static Offer of(JsonNode spec, String... size) {
            return new Offer(
                    Json.text(spec, "storageClassName"),
                    Json.texts(spec, "accessModes"),
                    Json.text(spec, size),
                    Json.text(spec, "volumeMode"));
        }

        /// True if this has all that a claim wants.
        public boolean satisfies(Offer wanted) {
            return storageClass.equals(wanted.storageClass)
                    && volumeMode.equals(wanted.volumeMode)
                    && modes.containsAll(wanted.modes)
                    && quantity(size).compareTo(quantity(wanted.size)) >= 0;
        }

        /// The size as an amount.
        public Quantity quantity() {
            return quantity(size);
        }

        private static Quantity quantity(String text) {
            try {
                return text.isEmpty() ? Quantity.NONE : Quantity.parse(text);
            } catch (ParseException e) {
                return Quantity.NONE; // the API server refused it
            }
        }
    }

    /// The claim that a volume is for; `uid` is empty where a user named it before it was there.
    public record Reference(NamespacedName name, String uid) {
        /// True if this claim is meant, and not an earlier one of its name.
        public boolean means(Claim claim) {
            return name.equals(claim.key()) && (uid.isEmpty() || uid.equals(claim.metadata.uid()));
        }
    }

    /// What a pod asks for storage by; `volume` is empty until it has one, `node` until its first pod was placed.
    public record Claim(ObjectMeta metadata, Offer wanted, String volume, String node, String phase)
            implements KubernetesObject {
        /// The annotation by which the scheduler says where the first pod will run.
        public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

        /// Stays until no pod uses the claim.
        public static final String PROTECTION = "kubernetes.io/pvc-protection";

        public static Claim of(JsonNode json) {
            ObjectMeta metadata = ObjectMeta.of(json);
            return new Claim(
                    metadata,
                    Offer.of(json.path("spec"), "resources", "requests", "storage"),
                    Json.text(json, "spec", "volumeName"),
                    metadata.annotations().getOrDefault(SELECTED_NODE, ""),
                    Json.text(json, "status", "phase"));
        }

        @Override
        public Kind kind() {
            return Kind.PERSISTENT_VOLUME_CLAIM;
        }
    }

    /// How volumes are made for claims: `waits` until the first pod was placed.
    public record StorageClass(ObjectMeta metadata, String provisioner, boolean deletes, boolean waits)
            implements KubernetesObject {
        /// The provisioner of volumes that are folders of nodes.
        public static final String LOCAL = "fairlead.io/local";

        /// The annotation of a node that says where it has such folders.
        public static final String NODE_FOLDER = "fairlead.io/volumes";

        public static StorageClass of(JsonNode json) {
            return new StorageClass(
                    ObjectMeta.of(json),
                    Json.text(json, "provisioner"),
                    !Json.text(json, "reclaimPolicy").equals("Retain"),
                    Json.text(json, "volumeBindingMode").equals("WaitForFirstConsumer"));
        }

        @Override
        public Kind kind() {
            return Kind.STORAGE_CLASS;
        }
    }

    public static PersistentVolume of(JsonNode json) {
        JsonNode spec = json.path("spec");
        JsonNode required = Json.at(spec, "nodeAffinity", "required");
        return new PersistentVolume(
                ObjectMeta.of(json),
                Offer.of(spec, "capacity", "storage"),
                Optional.of(spec.path("claimRef")).filter(JsonNode::isObject).map(PersistentVolume::reference),
                Json.text(spec, "local", "path") + Json.text(spec, "hostPath", "path"),
                Json.text(spec, "persistentVolumeReclaimPolicy").equals("Delete"),
                new Placement(
                        Map.of(),
                        required.isObject(),
                        Json.list(required, Placement.Term::of, "nodeSelectorTerms"),
                        List.of()),
                Json.text(json, "status", "phase"));
    }

    private static Reference reference(JsonNode json) {
        return new Reference(
                new NamespacedName(Json.text(json, "namespace"), Json.text(json, "name")), Json.text(json, "uid"));
    }

    @Override
    public Kind kind() {
        return Kind.PERSISTENT_VOLUME;
    }
}
