package io.fairlead.kinds;

import io.fairlead.api.Kind;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// The rules for how a workload goes from one template to the next.
final class RolloutValidation {
    private static final Pattern PERCENT = Pattern.compile("[0-9]+%");

    private RolloutValidation() {}

    static void check(Kind kind, FieldValidation spec) {
        switch (kind.name()) {
            case "Deployment" -> checkDeployment(spec);
            case "DaemonSet" -> checkUpdateStrategy(spec);
            case "StatefulSet" -> {
                checkUpdateStrategy(spec);
                spec.choice("podManagementPolicy", List.of("OrderedReady", "Parallel"));
                spec.object("updateStrategy").object("rollingUpdate").checkNotNegative("partition");
            }
            default -> {} // a ReplicaSet has one template for its life
        }
    }

    private static void checkDeployment(FieldValidation spec) {
        FieldValidation strategy = spec.object("strategy");
        String type = strategy.choice("type", List.of("Recreate", "RollingUpdate"));
        if (type.equals("Recreate")) {
            strategy.forbidIfPresent("rollingUpdate", "may not be specified when strategy `type` is 'Recreate'");
        } else {
            checkRolling(strategy.object("rollingUpdate"));
        }
        int deadline = spec.number("progressDeadlineSeconds", Integer.MAX_VALUE);
        if (deadline <= spec.number("minReadySeconds", 0)) {
            spec.invalid("progressDeadlineSeconds", deadline, "must be greater than minReadySeconds");
        }
    }

    private static void checkUpdateStrategy(FieldValidation spec) {
        FieldValidation strategy = spec.object("updateStrategy");
        String type = strategy.choice("type", List.of("OnDelete", "RollingUpdate"));
        if (type.equals("OnDelete")) {
            strategy.forbidIfPresent("rollingUpdate", "only allowed for updateStrategy 'RollingUpdate'");
        } else {
            checkRolling(strategy.object("rollingUpdate"));
        }
    }

    private static void checkRolling(FieldValidation rolling) {
        checkShare(rolling, "maxUnavailable");
        checkShare(rolling, "maxSurge");
        if (isZero(rolling, "maxUnavailable") && isZero(rolling, "maxSurge")) {
            rolling.invalid("maxUnavailable", 0, "may not be 0 when `maxSurge` is 0");
        }
    }

    /// A number of pods, or a part of all in percent.
    private static void checkShare(FieldValidation rolling, String field) {
        JsonNode value = rolling.either(field);
        if (value.isString() && !PERCENT.matcher(value.stringValue()).matches()) {
            rolling.invalid(field, value.stringValue(), "must be an integer or percentage (e.g '5%')");
        } else if (value.isString() && field.equals("maxUnavailable") && percent(value) > 100) {
            rolling.invalid(field, value.stringValue(), "must not be greater than 100%");
        } else if (value.isNumber() && value.intValue() < 0) {
            rolling.invalid(field, value.intValue(), "must be greater than or equal to 0");
        }
    }

    private static boolean isZero(FieldValidation rolling, String field) {
        JsonNode value = rolling.either(field);
        return (value.isNumber() && value.intValue() == 0)
                || (value.isString() && PERCENT.matcher(value.stringValue()).matches() && percent(value) == 0);
    }

    private static long percent(JsonNode value) {
        String digits = value.stringValue().substring(0, value.stringValue().length() - 1);
        return digits.length() > 9 ? Long.MAX_VALUE : Long.parseLong(digits);
    }
}
