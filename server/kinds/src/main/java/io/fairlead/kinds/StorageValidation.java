package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.NameValidation;
import io.fairlead.api.NameValidation.LetterCase;
import io.fairlead.api.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The rules for volumes, claims of them, and their classes.
public final class StorageValidation {
    private static final List<String> MODES =
            List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
    private static final List<String> NO_SOURCES = List.of(
            "capacity",
            "accessModes",
            "claimRef",
            "persistentVolumeReclaimPolicy",
            "storageClassName",
            "mountOptions",
            "volumeMode",
            "nodeAffinity",
            "volumeAttributesClassName");

    private StorageValidation() {}

    public static List<Problem> checkVolume(JsonNode volume) {
        FieldValidation root = FieldValidation.of(volume);
        FieldValidation spec = root.object("spec");
        checkModes(spec);
        if (spec.map("capacity").isEmpty()) {
            spec.required("capacity", "");
        } else if (Json.at(volume, "spec", "capacity", "storage").isMissingNode()) {
            spec.add(Problem.notSupported(spec.path("capacity"), Json.at(volume, "spec", "capacity"), "storage"));
        }
        spec.choice("persistentVolumeReclaimPolicy", List.of("Delete", "Recycle", "Retain"));
        spec.choice("volumeMode", List.of("Block", "Filesystem"));
        checkClassName(spec);
        List<String> sources = sources(volume.path("spec"));
        if (sources.isEmpty()) {
            root.add(Problem.required("spec", "must specify a volume type"));
        }
        sources.stream().skip(1).forEach(source -> spec.forbidden(source, "may not specify more than 1 volume type"));
        if (sources.contains("local")) {
            checkLocal(spec);
        }
        if (sources.contains("hostPath") && spec.object("hostPath").text("path").isEmpty()) {
            spec.object("hostPath").required("path", "");
        }
        return root.problems();
    }

    private static List<String> sources(JsonNode spec) {
        return spec.propertyStream()
                .map(field -> field.getKey())
                .filter(field -> !NO_SOURCES.contains(field))
                .toList();
    }

    /// A folder of one node is of no use on another.
    private static void checkLocal(FieldValidation spec) {
        if (spec.object("local").text("path").isEmpty()) {
            spec.object("local").required("path", "");
        }
        if (!spec.says("nodeAffinity")) {
            spec.required("nodeAffinity", "Local volume requires node affinity");
        }
    }

    public static List<Problem> checkVolumeUpdate(JsonNode old, JsonNode volume) {
        List<Problem> problems = new ArrayList<>();
        for (String source : sources(old.path("spec"))) {
            if (!Json.at(old, "spec", source).equals(Json.at(volume, "spec", source))) {
                problems.add(Problem.forbidden(
                        "spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation"));
            }
        }
        if (!Json.text(old, "spec", "volumeMode").equals(Json.text(volume, "spec", "volumeMode"))) {
            problems.add(
                    Problem.invalid("spec.volumeMode", Json.text(volume, "spec", "volumeMode"), "field is immutable"));
        }
        return problems;
    }

    public static List<Problem> checkClaim(JsonNode claim) {
        FieldValidation root = FieldValidation.of(claim);
        checkClaimSpec(root.object("spec"), claim.path("spec"));
        return root.problems();
    }

    static void checkClaimSpec(FieldValidation spec, JsonNode tree) {
        checkModes(spec);
        if (Json.at(tree, "resources", "requests", "storage").isMissingNode()) {
            spec.object("resources").required("requests[storage]", "");
        }
        spec.choice("volumeMode", List.of("Block", "Filesystem"));
        checkClassName(spec);
    }

    /// A claim that is bound keeps what it was bound for; one that is not may still be given a class.
    public static List<Problem> checkClaimUpdate(JsonNode old, JsonNode claim) {
        return fixed(old).equals(fixed(claim))
                ? List.of()
                : List.of(Problem.forbidden(
                        "spec",
                        "spec is immutable after creation except resources.requests and volumeAttributesClassName for"
                                + " bound claims"));
    }

    private static ObjectNode fixed(JsonNode claim) {
        ObjectNode fixed = claim.path("spec") instanceof ObjectNode spec ? spec.deepCopy() : Json.object();
        fixed.remove(List.of("volumeName", "resources", "volumeAttributesClassName", "storageClassName"));
        return fixed;
    }

    private static void checkModes(FieldValidation spec) {
        List<FieldValidation> modes = spec.texts("accessModes");
        if (modes.isEmpty()) {
            spec.required("accessModes", "at least 1 access mode is required");
        }
        modes.stream()
                .filter(mode -> !MODES.contains(mode.text()))
                .forEach(mode -> spec.add(Problem.notSupported(
                        spec.path("accessModes"), mode.text(), "\"" + String.join("\", \"", MODES) + "\"")));
    }

    private static void checkClassName(FieldValidation spec) {
        String name = spec.text("storageClassName");
        if (!name.isEmpty()) {
            spec.check("storageClassName", name, NameValidation.subdomain(LetterCase.LOWER, name));
        }
    }

    public static List<Problem> checkClass(JsonNode storageClass) {
        FieldValidation root = FieldValidation.of(storageClass);
        String provisioner = root.text("provisioner");
        if (provisioner.isEmpty()) {
            root.required("provisioner", "");
        } else {
            root.check("provisioner", provisioner, NameValidation.qualifiedName(provisioner));
        }
        root.choice("reclaimPolicy", List.of("Delete", "Retain"));
        root.choice("volumeBindingMode", List.of("Immediate", "WaitForFirstConsumer"));
        return root.problems();
    }

    public static List<Problem> checkClassUpdate(JsonNode old, JsonNode storageClass) {
        Stream<Problem> parameters = old.path("parameters").equals(storageClass.path("parameters"))
                ? Stream.empty()
                : Stream.of(Problem.forbidden("parameters", "updates to parameters are forbidden."));
        Stream<Problem> provisioner = old.path("provisioner").equals(storageClass.path("provisioner"))
                ? Stream.empty()
                : Stream.of(Problem.forbidden("provisioner", "updates to provisioner are forbidden."));
        Stream<Problem> others = Stream.of("reclaimPolicy", "volumeBindingMode")
                .filter(field -> !old.path(field).equals(storageClass.path(field)))
                .map(field -> Problem.invalid(field, Json.text(storageClass, field), "field is immutable"));
        return Stream.of(parameters, provisioner, others).flatMap(all -> all).toList();
    }
}
