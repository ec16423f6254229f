package io.fairlead.kinds;

import io.fairlead.api.NameValidation;
import io.fairlead.api.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// The rules for `metadata`, which are the same for every kind but for the form of the name.
public final class MetadataValidation {
    private static final int ANNOTATIONS_LIMIT = 256 * 1024;

    private MetadataValidation() {}

    public static List<Problem> check(JsonNode object, Function<String, Optional<String>> nameRule) {
        FieldValidation root = FieldValidation.of(object);
        FieldValidation metadata = root.object("metadata");
        checkName(metadata, nameRule);
        checkLabels(metadata, "labels");
        checkAnnotations(metadata);
        metadata.texts("finalizers")
                .forEach(item -> NameValidation.qualifiedName(item.text()).ifPresent(item::invalid));
        metadata.objects("ownerReferences").forEach(MetadataValidation::checkOwner);
        return root.problems();
    }

    /// A map of labels, wherever it stands: the metadata of an object or of a pod template, or a selector.
    static void checkLabels(FieldValidation place, String field) {
        Map<String, String> labels = place.map(field);
        labels.forEach((key, value) -> {
            place.check(field, key, NameValidation.qualifiedName(key));
            place.check(field, value, NameValidation.labelValue(value));
        });
    }

    private static void checkName(FieldValidation metadata, Function<String, Optional<String>> nameRule) {
        String name = metadata.text("name");
        if (name.isEmpty()) {
            metadata.required("name", "name or generateName is required");
        } else {
            metadata.check("name", name, nameRule.apply(name));
        }
        metadata.text("namespace");
        metadata.text("generateName");
    }

    private static void checkAnnotations(FieldValidation metadata) {
        Map<String, String> annotations = metadata.map("annotations");
        annotations.keySet().forEach(key -> metadata.check("annotations", key, NameValidation.qualifiedName(key)));
        long size = annotations.entrySet().stream()
                .mapToLong(e -> e.getKey().length() + e.getValue().length())
                .sum();
        if (size > ANNOTATIONS_LIMIT) {
            metadata.invalid("annotations", size, "must have at most " + ANNOTATIONS_LIMIT + " characters in all");
        }
    }

    private static void checkOwner(FieldValidation owner) {
        for (String field : List.of("apiVersion", "kind", "name", "uid")) {
            if (owner.text(field).isEmpty()) {
                owner.required(field, "");
            }
        }
        owner.flag("controller", false);
        owner.flag("blockOwnerDeletion", false);
    }
}
