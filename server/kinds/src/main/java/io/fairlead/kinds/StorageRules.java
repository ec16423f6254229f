package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The rows of the kinds that tell of storage: volumes, claims of them, and their classes.
public final class StorageRules {
    /// Marks the class of claims that name none.
    public static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

    private static final Map<String, String> SHORT_MODES =
            Map.of("ReadWriteOnce", "RWO", "ReadOnlyMany", "ROX", "ReadWriteMany", "RWX", "ReadWriteOncePod", "RWOP");

    private StorageRules() {}

    static List<KindRules> all() {
        return List.of(volume(), claim(), storageClass());
    }

    private static KindRules volume() {
        return KindRow.of(
                        Kind.PERSISTENT_VOLUME,
                        Column.NAME,
                        Column.blank("Capacity", KindRules.field("spec", "capacity", "storage")),
                        Column.blank("Access Modes", volume -> modes(volume.path("spec"))),
                        Column.blank("Reclaim Policy", KindRules.field("spec", "persistentVolumeReclaimPolicy")),
                        Column.blank("Status", KindRules.field("status", "phase")),
                        Column.blank("Claim", StorageRules::claimOf),
                        Column.blank("StorageClass", KindRules.field("spec", "storageClassName")),
                        Column.text("VolumeAttributesClass", KindRules.field("spec", "volumeAttributesClassName")),
                        Column.blank("Reason", KindRules.field("status", "reason")),
                        Column.AGE,
                        Column.text("VolumeMode", KindRules.field("spec", "volumeMode"))
                                .wide())
                .with("status")
                .being(KindRow.Trait.ANSWERS_DELETED_OBJECT)
                .created(volume -> Tree.object(volume, "status").put("phase", "Pending"))
                .filled(volume -> {
                    ObjectNode spec = Tree.object(volume, "spec");
                    Tree.putIfAbsent(spec, "persistentVolumeReclaimPolicy", "Retain");
                    Tree.putIfAbsent(spec, "volumeMode", "Filesystem");
                    Tree.putIfAbsent(Tree.object(volume, "status"), "phase", "Pending");
                })
                .checked(StorageValidation::checkVolume)
                .checkedChange(StorageValidation::checkVolumeUpdate);
    }

    private static KindRules claim() {
        return KindRow.of(
                        Kind.PERSISTENT_VOLUME_CLAIM,
                        Column.NAME,
                        Column.blank("Status", StorageRules::claimStatus),
                        Column.blank("Volume", KindRules.field("spec", "volumeName")),
                        Column.blank("Capacity", KindRules.field("status", "capacity", "storage")),
                        Column.blank("Access Modes", claim -> modes(claim.path("status"))),
                        Column.blank("StorageClass", KindRules.field("spec", "storageClassName")),
                        Column.text("VolumeAttributesClass", KindRules.field("spec", "volumeAttributesClassName")),
                        Column.AGE,
                        Column.text("VolumeMode", KindRules.field("spec", "volumeMode"))
                                .wide())
                .with("status")
                .being(KindRow.Trait.ANSWERS_DELETED_OBJECT)
                .created(claim -> Tree.object(claim, "status").put("phase", "Pending"))
                .filled(StorageRules::fillClaim)
                .checked(StorageValidation::checkClaim)
                .checkedChange(StorageValidation::checkClaimUpdate);
    }

    /// The defaults of a claim, alone or as a template of a StatefulSet.
    static void fillClaim(ObjectNode claim) {
        ObjectNode spec = Tree.object(claim, "spec");
        Tree.putIfAbsent(spec, "volumeMode", "Filesystem");
        Tree.object(spec, "resources");
        Tree.putIfAbsent(Tree.object(claim, "status"), "phase", "Pending");
    }

    private static KindRules storageClass() {
        return KindRow.of(
                        Kind.STORAGE_CLASS,
                        new Column("Name", "string", 0, (object, now) -> className(object)),
                        Column.blank("Provisioner", KindRules.field("provisioner")),
                        Column.blank("ReclaimPolicy", KindRules.field("reclaimPolicy")),
                        Column.blank("VolumeBindingMode", KindRules.field("volumeBindingMode")),
                        new Column(
                                "AllowVolumeExpansion",
                                "boolean",
                                0,
                                (object, now) -> Json.flag(object, false, "allowVolumeExpansion")),
                        Column.AGE)
                .filled(object -> {
                    Tree.putIfAbsent(object, "reclaimPolicy", "Delete");
                    Tree.putIfAbsent(object, "volumeBindingMode", "Immediate");
                })
                .being(KindRow.Trait.ANSWERS_DELETED_OBJECT)
                .checked(StorageValidation::checkClass)
                .checkedChange(StorageValidation::checkClassUpdate);
    }

    public static boolean isDefault(JsonNode storageClass) {
        return Json.map(storageClass, "metadata", "annotations")
                .getOrDefault(DEFAULT_CLASS, "")
                .equals("true");
    }

    private static String className(JsonNode storageClass) {
        String name = Json.text(storageClass, "metadata", "name");
        return isDefault(storageClass) ? name + " (default)" : name;
    }

    private static String claimStatus(JsonNode claim) {
        return Json.text(claim, "metadata", "deletionTimestamp").isEmpty()
                ? Json.text(claim, "status", "phase")
                : "Terminating";
    }

    private static String claimOf(JsonNode volume) {
        JsonNode claim = Json.at(volume, "spec", "claimRef");
        return claim.isObject() ? Json.text(claim, "namespace") + "/" + Json.text(claim, "name") : "";
    }

    private static String modes(JsonNode place) {
        return Json.texts(place, "accessModes").stream()
                .map(mode -> SHORT_MODES.getOrDefault(mode, mode))
                .distinct()
                .collect(Collectors.joining(","));
    }
}
