package io.fairlead.kinds;

import io.fairlead.api.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// What may not change about a Service once it is there (A5, A7, A8, A10).
final class ServiceChangeValidation {
    private static final String UNCHANGED = "may not change once set";

    private final JsonNode before;
    private final JsonNode after;
    private final FieldValidation spec;

    ServiceChangeValidation(JsonNode old, JsonNode service, FieldValidation spec) {
        this.before = old.path("spec");
        this.after = service.path("spec");
        this.spec = spec;
    }

    void check() {
        if (!isType(before, "ExternalName") && !isType(after, "ExternalName")) {
            checkAddresses();
            checkFamilies();
        }
        checkLoadBalancerClass();
        checkHealthPort();
    }

    private void checkAddresses() {
        if (!isHeadless(before) || !isHeadless(after)) {
            checkList("clusterIPs", "clusterIP");
        }
    }

    /// The families of a headless Service are those of its pods, and may follow them.
    private void checkFamilies() {
        if (!isHeadless(before) && !isHeadless(after)) {
            checkList("ipFamilies", "ipFamily");
        }
    }

    /// The first stays; a second may come, and goes only when the policy says so.
    private void checkList(String field, String word) {
        List<String> old = Json.texts(before, field);
        List<String> now = Json.texts(after, field);
        if (!old.isEmpty() && now.isEmpty()) {
            spec.invalid(field + "[0]", after.path(field), "primary " + word + " can not be unset");
        }
        for (int i = 0; i < Math.min(old.size(), now.size()); i++) {
            if (!old.get(i).equals(now.get(i))) {
                spec.invalid(field + "[" + i + "]", after.path(field), UNCHANGED);
            }
        }
        String policy = Json.text(after, "ipFamilyPolicy");
        if (old.size() > 1 && now.size() == 1 && !policy.equals("SingleStack")) {
            spec.invalid("ipFamilyPolicy", policy, "must be set to 'SingleStack' when releasing the secondary " + word);
        }
    }

    private void checkLoadBalancerClass() {
        String now = Json.text(after, "loadBalancerClass");
        boolean stays = isType(before, "LoadBalancer") && isType(after, "LoadBalancer");
        if (stays && !Json.text(before, "loadBalancerClass").equals(now)) {
            spec.invalid("loadBalancerClass", now, UNCHANGED);
        }
    }

    private void checkHealthPort() {
        int old = Json.number(before, 0, "healthCheckNodePort");
        int now = Json.number(after, 0, "healthCheckNodePort");
        if (needsHealthPort(before) && needsHealthPort(after) && old != now) {
            spec.forbidden("healthCheckNodePort", "field is immutable");
        }
    }

    private static boolean isType(JsonNode spec, String type) {
        return Json.text(spec, "type").equals(type);
    }

    private static boolean isHeadless(JsonNode spec) {
        return Json.text(spec, "clusterIP").equals("None");
    }

    private static boolean needsHealthPort(JsonNode spec) {
        return isType(spec, "LoadBalancer")
                && Json.text(spec, "externalTrafficPolicy").equals("Local");
    }
}
