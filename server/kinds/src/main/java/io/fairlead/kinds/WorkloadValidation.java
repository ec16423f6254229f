package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.LabelSelector;
import io.fairlead.api.NameValidation;
import io.fairlead.api.Problem;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The rules for the workloads that make pods from a template: Deployment, ReplicaSet, StatefulSet and DaemonSet.
public final class WorkloadValidation {
    private static final List<String> OPERATORS = List.of("DoesNotExist", "Exists", "In", "NotIn");
    private static final List<String> STATEFUL_CHANGES = List.of(
            "replicas",
            "ordinals",
            "template",
            "updateStrategy",
            "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy",
            "minReadySeconds");

    private WorkloadValidation() {}

    public static List<Problem> check(Kind kind, JsonNode workload) {
        FieldValidation root = FieldValidation.of(workload);
        FieldValidation spec = root.object("spec");
        List.of("replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds")
                .forEach(spec::checkNotNegative);
        FieldValidation template = spec.object("template");
        FieldValidation metadata = template.object("metadata");
        MetadataValidation.checkLabels(metadata, "labels");
        if (kind.equals(Kind.REPLICATION_CONTROLLER)) {
            checkMap(spec, metadata, workload);
        } else {
            checkSelector(spec, metadata, workload);
        }
        checkTemplate(template.object("spec"));
        RolloutValidation.check(kind, spec);
        return root.problems();
    }

    /// The pods of a workload are found by its selector, so it stays as it is.
    public static List<Problem> checkUpdate(Kind kind, JsonNode old, JsonNode workload) {
        JsonNode selector = workload.path("spec").path("selector");
        if (kind.equals(Kind.STATEFUL_SET)) {
            return checkStatefulUpdate(old.path("spec"), workload.path("spec"));
        }
        return kind.equals(Kind.REPLICATION_CONTROLLER)
                        || old.path("spec").path("selector").equals(selector)
                ? List.of()
                : List.of(Problem.invalid("spec.selector", selector, "field is immutable"));
    }

    private static List<Problem> checkStatefulUpdate(JsonNode old, JsonNode spec) {
        return fixed(old).equals(fixed(spec))
                ? List.of()
                : List.of(Problem.forbidden(
                        "spec",
                        "updates to statefulset spec for fields other than '"
                                + String.join("', '", STATEFUL_CHANGES.subList(0, STATEFUL_CHANGES.size() - 1))
                                + "' and '" + STATEFUL_CHANGES.getLast() + "' are forbidden"));
    }

    private static ObjectNode fixed(JsonNode spec) {
        ObjectNode fixed = spec instanceof ObjectNode object ? object.deepCopy() : Json.object();
        fixed.remove(STATEFUL_CHANGES);
        return fixed;
    }

    /// The pods are kept running, so they cannot be ones that end.
    private static void checkTemplate(FieldValidation spec) {
        PodValidation.checkSpec(spec);
        String policy = spec.text("restartPolicy");
        if (!policy.isEmpty() && !policy.equals("Always")) {
            spec.add(Problem.notSupported(spec.path("restartPolicy"), policy, "\"Always\""));
        }
        spec.forbidIfPresent("activeDeadlineSeconds", "activeDeadlineSeconds is not allowed in a workload's template");
    }

    private static void checkSelector(FieldValidation spec, FieldValidation metadata, JsonNode workload) {
        if (!spec.has("selector")) {
            spec.required("selector", "");
            return;
        }
        FieldValidation selector = spec.object("selector");
        MetadataValidation.checkLabels(selector, "matchLabels");
        selector.objects("matchExpressions").forEach(WorkloadValidation::checkExpression);
        JsonNode tree = workload.path("spec").path("selector");
        LabelSelector wanted = LabelSelector.of(tree);
        if (wanted.requirements().isEmpty()) {
            spec.invalid("selector", tree, "empty selector is invalid for a workload");
        } else if (!wanted.matches(Json.map(workload, "spec", "template", "metadata", "labels"))) {
            metadata.invalid(
                    "labels",
                    Json.at(workload, "spec", "template", "metadata", "labels"),
                    "`selector` does not match template `labels`");
        }
    }

    /// The selector of a ReplicationController is a map of labels.
    private static void checkMap(FieldValidation spec, FieldValidation metadata, JsonNode workload) {
        Map<String, String> selector = Json.map(workload, "spec", "selector");
        if (!spec.has("template")) {
            spec.required("template", "");
        }
        if (selector.isEmpty()) {
            spec.required("selector", "");
        } else if (!LabelSelector.of(selector).matches(Json.map(workload, "spec", "template", "metadata", "labels"))) {
            metadata.invalid(
                    "labels",
                    Json.at(workload, "spec", "template", "metadata", "labels"),
                    "`selector` does not match template `labels`");
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
            expression.required("values", "must be specified when `operator` is 'In' or 'NotIn'");
        } else if (!needsValues && values > 0) {
            expression.forbidden("values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
    }
}
