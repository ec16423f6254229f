package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The rows of the kinds that bound what a namespace may take: LimitRange and ResourceQuota.
final class QuotaRules {
    private static final List<String> TYPES = List.of("Container", "PersistentVolumeClaim", "Pod");
    private static final List<String> SCOPES = List.of(
            "BestEffort",
            "CrossNamespacePodAffinity",
            "NotBestEffort",
            "NotTerminating",
            "PriorityClass",
            "Terminating",
            "VolumeAttributesClass");

    private QuotaRules() {}

    static List<KindRules> all() {
        return List.of(limitRange(), quota());
    }

    private static KindRules limitRange() {
        return KindRow.of(
                        Kind.LIMIT_RANGE,
                        Column.NAME,
                        Column.blank("Created At", KindRules.field("metadata", "creationTimestamp")))
                .being(KindRow.Trait.CREATED_BY_UPDATE)
                .filled(QuotaRules::fillLimits)
                .checked(QuotaRules::checkLimits);
    }

    /// A default that is not given follows from the most, or from the least.
    private static void fillLimits(ObjectNode range) {
        for (ObjectNode item : Tree.objects(range.path("spec"), "limits")) {
            if (Json.text(item, "type").equals("Container")) {
                takeOver(item, "max", "default");
                takeOver(item, "default", "defaultRequest");
                takeOver(item, "min", "defaultRequest");
            }
        }
    }

    private static void takeOver(ObjectNode item, String from, String to) {
        if (item.path(from) instanceof ObjectNode given && !given.isEmpty()) {
            ObjectNode taken = Tree.object(item, to);
            given.properties().forEach(entry -> taken.putIfAbsent(entry.getKey(), entry.getValue()));
        }
    }

    private static List<Problem> checkLimits(JsonNode range) {
        FieldValidation root = FieldValidation.of(range);
        List<String> seen = new ArrayList<>();
        for (FieldValidation item : root.object("spec").objects("limits")) {
            String type = item.text("type");
            if (type.isEmpty()) {
                item.required("type", "");
            } else if (!type.contains("/")) {
                item.choice("type", TYPES);
            }
            if (seen.contains(type)) {
                item.duplicate("type", type);
            }
            seen.add(type);
            if (type.equals("Pod")) {
                for (String field : List.of("default", "defaultRequest")) {
                    if (item.says(field)) {
                        item.forbidden(field, "may not be specified when `type` is 'Pod'");
                    }
                }
            }
            if (type.equals("PersistentVolumeClaim") && !item.says("min") && !item.says("max")) {
                item.required(
                        "limits", "either minimum or maximum storage value is required, but neither was provided");
            }
            checkOrder(item);
        }
        return root.problems();
    }

    private static void checkOrder(FieldValidation item) {
        for (List<String> pair : List.of(
                List.of("min", "max"),
                List.of("min", "default"),
                List.of("min", "defaultRequest"),
                List.of("defaultRequest", "max"),
                List.of("defaultRequest", "default"),
                List.of("default", "max"))) {
            Map<String, String> least = item.map(pair.getFirst());
            Map<String, String> most = item.map(pair.getLast());
            least.forEach((resource, amount) -> {
                if (most.containsKey(resource) && Amounts.of(amount).compareTo(Amounts.of(most.get(resource))) > 0) {
                    item.invalid(
                            pair.getFirst() + "[" + resource + "]",
                            amount,
                            "%s value %s is greater than %s value %s"
                                    .formatted(pair.getFirst(), amount, pair.getLast(), most.get(resource)));
                }
            });
        }
    }

    private static KindRules quota() {
        return KindRow.of(
                        Kind.RESOURCE_QUOTA,
                        Column.NAME,
                        Column.blank("Request", quota -> uses(quota, false)),
                        Column.blank("Limit", quota -> uses(quota, true)),
                        Column.AGE)
                .with("status")
                .being(KindRow.Trait.ANSWERS_DELETED_OBJECT)
                .filled(quota -> {
                    Tree.object(quota, "spec");
                    Tree.object(quota, "status");
                })
                .checked(QuotaRules::checkQuota)
                .checkedChange(QuotaRules::checkQuotaUpdate);
    }

    private static String uses(JsonNode quota, boolean limits) {
        Map<String, String> used = Json.map(quota, "status", "used");
        return Json.map(quota, "status", "hard").entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("limits.") == limits)
                .sorted(Map.Entry.comparingByKey())
                .map(entry ->
                        "%s: %s/%s".formatted(entry.getKey(), used.getOrDefault(entry.getKey(), "0"), entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static List<Problem> checkQuota(JsonNode quota) {
        FieldValidation root = FieldValidation.of(quota);
        FieldValidation spec = root.object("spec");
        spec.map("hard").forEach((resource, amount) -> {
            if (Amounts.of(amount).amount().signum() < 0) {
                spec.invalid("hard[" + resource + "]", amount, "must be greater than or equal to 0");
            }
        });
        spec.texts("scopes").stream()
                .filter(scope -> !SCOPES.contains(scope.text()))
                .forEach(scope -> spec.invalid("scopes", scope.text(), "unsupported scope"));
        return root.problems();
    }

    private static List<Problem> checkQuotaUpdate(JsonNode old, JsonNode quota) {
        JsonNode scopes = Json.at(quota, "spec", "scopes");
        return Json.at(old, "spec", "scopes").equals(scopes)
                ? List.of()
                : List.of(Problem.invalid("spec.scopes", scopes, "field is immutable"));
    }
}
