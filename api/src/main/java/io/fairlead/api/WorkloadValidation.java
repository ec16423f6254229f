package io.fairlead.api;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// The rules for the workloads that make pods from a template: Deployment and ReplicaSet.
public final class WorkloadValidation {
    private static final List<String> OPERATORS = List.of("DoesNotExist", "Exists", "In", "NotIn");

    private WorkloadValidation() {}

    public static List<Problem> check(JsonNode workload) {
        FieldValidation root = FieldValidation.of(workload);
        FieldValidation spec = root.object("spec");
        int replicas = spec.number("replicas", 0);
        if (replicas < 0) {
            spec.invalid("replicas", replicas, "must be greater than or equal to 0");
        }
        FieldValidation template = spec.object("template");
        FieldValidation metadata = template.object("metadata");
        MetadataValidation.checkLabels(metadata, "labels");
        checkSelector(spec, metadata, workload);
        PodValidation.checkSpec(template.object("spec"));
        return root.problems();
    }

    /// The pods of a workload are found by its selector, so it stays as it is.
    public static List<Problem> checkUpdate(JsonNode old, JsonNode workload) {
        FieldValidation root = FieldValidation.of(workload);
        JsonNode selector = workload.path("spec").path("selector");
        if (!old.path("spec").path("selector").equals(selector)) {
            root.object("spec").invalid("selector", selector, "field is immutable");
        }
        return root.problems();
    }

    private static void checkSelector(FieldValidation spec, FieldValidation metadata, JsonNode workload) {
        if (!spec.has("selector")) {
            spec.required("selector", "says which pods are the workload's own");
            return;
        }
        FieldValidation selector = spec.object("selector");
        MetadataValidation.checkLabels(selector, "matchLabels");
        selector.objects("matchExpressions").forEach(WorkloadValidation::checkExpression);
        LabelSelector wanted = LabelSelector.of(workload.path("spec").path("selector"));
        if (wanted.requirements().isEmpty()) {
            spec.invalid("selector", wanted, "an empty selector would take every pod");
        } else if (!wanted.matches(Json.map(workload, "spec", "template", "metadata", "labels"))) {
            metadata.invalid("labels", metadata.map("labels"), "`selector` does not match template `labels`");
        }
    }

    private static void checkExpression(FieldValidation expression) {
        String key = expression.text("key");
        expression.check("key", key, NameValidation.qualifiedName(key));
        String operator = expression.choice("operator", OPERATORS);
        boolean needsValues = operator.equals("In") || operator.equals("NotIn");
        int values = expression.texts("values").size();
        if (operator.isEmpty()) {
            expression.required("operator", "");
        } else if (needsValues && values == 0) {
            expression.required("values", "must be given when `operator` is 'In' or 'NotIn'");
        } else if (!needsValues && values > 0) {
            expression.forbidden("values", "may not be given when `operator` is 'Exists' or 'DoesNotExist'");
        }
    }
}
