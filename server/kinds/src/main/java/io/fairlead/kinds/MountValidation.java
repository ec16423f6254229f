package io.fairlead.kinds;

import java.util.List;

/// The rules for paths that lead into volumes: none leads out of its volume, and none says more than a path.
final class MountValidation {
    private MountValidation() {}

    /// The mounts and the working folder of a container.
    static void checkContainer(FieldValidation container) {
        checkPlain(container, "workingDir");
        for (FieldValidation mount : container.objects("volumeMounts")) {
            String path = mount.text("mountPath");
            checkPlain(mount, "mountPath");
            if (path.contains(":")) {
                mount.invalid("mountPath", path, "must not contain ':'");
            }
            checkWithin(mount, "subPath");
            checkWithin(mount, "subPathExpr");
        }
    }

    /// Where the files of a volume are put.
    static void checkVolumes(FieldValidation spec) {
        for (FieldValidation volume : spec.objects("volumes")) {
            checkSources(volume);
            if (volume.has("projected")) {
                volume.object("projected").objects("sources").forEach(MountValidation::checkProjected);
            }
        }
    }

    private static void checkProjected(FieldValidation part) {
        checkSources(part);
        if (part.has("serviceAccountToken")) {
            checkWithin(part.object("serviceAccountToken"), "path");
        }
    }

    private static void checkSources(FieldValidation volume) {
        for (String source : List.of("configMap", "secret", "downwardAPI")) {
            if (volume.has(source)) {
                checkItems(volume.object(source));
            }
        }
    }

    private static void checkItems(FieldValidation source) {
        source.objects("items").forEach(item -> checkWithin(item, "path"));
    }

    private static void checkWithin(FieldValidation object, String field) {
        String path = object.text(field);
        if (path.startsWith("/")) {
            object.invalid(field, path, "must be a relative path");
        }
        if (List.of(path.split("/", -1)).contains("..")) {
            object.invalid(field, path, "must not contain '..'");
        }
        checkPlain(object, field);
    }

    private static void checkPlain(FieldValidation object, String field) {
        String path = object.text(field);
        if (path.indexOf(0) >= 0) {
            object.invalid(field, path, "must not contain a NUL character");
        }
    }
}
