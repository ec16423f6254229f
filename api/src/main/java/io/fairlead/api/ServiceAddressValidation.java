package io.fairlead.api;

import java.util.List;
import java.util.Optional;

/// The rules for the cluster addresses of a Service and their families.
final class ServiceAddressValidation {
    private static final List<String> FAMILIES = List.of("IPv4", "IPv6");
    private static final List<String> FAMILY_POLICIES = List.of("PreferDualStack", "RequireDualStack", "SingleStack");

    private final FieldValidation spec;

    ServiceAddressValidation(FieldValidation spec) {
        this.spec = spec;
    }

    void check(Service.Type type, boolean headless) {
        spec.choice("ipFamilyPolicy", FAMILY_POLICIES);
        if (type == Service.Type.EXTERNAL_NAME) {
            checkExternalName();
            return;
        }
        if (headless && type != Service.Type.CLUSTER_IP) {
            spec.invalid("clusterIP", "None", "may not be 'None' when `type` is '" + type + "'");
        }
        checkFamilies();
        checkAddresses();
    }

    private void checkExternalName() {
        String rule = "may not be set when `type` is 'ExternalName'";
        if (!spec.text("clusterIP").isEmpty()) {
            spec.forbidden("clusterIP", rule);
        }
        for (String field : List.of("clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
            spec.forbidIfPresent(field, rule);
        }
    }

    private void checkFamilies() {
        List<FieldValidation> families = spec.texts("ipFamilies");
        families.stream()
                .filter(item -> !FAMILIES.contains(item.text()))
                .forEach(item -> item.invalid("must be 'IPv4' or 'IPv6'"));
        boolean twice = families.stream().map(FieldValidation::text).distinct().count() < families.size();
        if (families.size() > 2 || twice) {
            spec.invalid("ipFamilies", textsOf(families), "holds each family at most once");
        }
    }

    private void checkAddresses() {
        String first = spec.text("clusterIP");
        List<FieldValidation> all = spec.texts("clusterIPs");
        if (!first.isEmpty() && !first.equals("None") && Ip.find(first).isEmpty()) {
            spec.invalid("clusterIP", first, "must be empty, 'None', or an IP address (like 10.9.8.7)");
        }
        if (all.isEmpty()) {
            return;
        }
        if (!all.getFirst().text().equals(first)) {
            spec.invalid("clusterIPs", textsOf(all), "the first entry must be the same as `clusterIP`");
        }
        if (all.size() > 2) {
            spec.invalid("clusterIPs", textsOf(all), "holds at most two addresses, one of each family");
        } else if (all.size() == 2) {
            checkPair(all);
        }
    }

    private void checkPair(List<FieldValidation> pair) {
        for (FieldValidation item : pair) {
            if (Ip.find(item.text()).isEmpty()) {
                item.invalid("must be an IP address (like 10.9.8.7); 'None' stands alone");
                return;
            }
        }
        Optional<Family> one = Ip.find(pair.getFirst().text()).map(Ip::family);
        if (one.equals(Ip.find(pair.getLast().text()).map(Ip::family))) {
            spec.invalid("clusterIPs", textsOf(pair), "holds at most one address of each family");
        }
    }

    private static String textsOf(List<FieldValidation> items) {
        return String.join(",", items.stream().map(FieldValidation::text).toList());
    }
}
