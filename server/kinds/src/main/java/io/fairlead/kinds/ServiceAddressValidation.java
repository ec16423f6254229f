package io.fairlead.kinds;

import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Service;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The rules for the cluster addresses of a Service and their families (A7, A8).
final class ServiceAddressValidation {
    private static final List<String> FAMILIES = List.of("IPv4", "IPv6");
    private static final List<String> FAMILY_POLICIES = List.of("PreferDualStack", "RequireDualStack", "SingleStack");

    private final FieldValidation spec;
    private final JsonNode tree;
    private final Set<String> before;

    /// `old` is the spec as it was: its addresses may stay, however they are written.
    ServiceAddressValidation(FieldValidation spec, JsonNode old, JsonNode tree) {
        this.spec = spec;
        this.tree = tree;
        this.before = Set.copyOf(Json.texts(old, "clusterIPs"));
    }

    void check(Service.Type type, boolean headless) {
        spec.choice("ipFamilyPolicy", FAMILY_POLICIES);
        if (type == Service.Type.EXTERNAL_NAME) {
            checkExternalName();
            return;
        }
        if (headless && type != Service.Type.CLUSTER_IP) {
            spec.invalid("clusterIPs[0]", "None", "may not be set to 'None' for " + type + " services");
        }
        checkFamilies();
        checkAddresses();
    }

    private void checkExternalName() {
        String rule = "may not be set for ExternalName services";
        if (!spec.text("clusterIP").isEmpty() || !spec.texts("clusterIPs").isEmpty()) {
            spec.forbidden("clusterIPs", rule);
        }
        if (!spec.texts("ipFamilies").isEmpty()) {
            spec.forbidden("ipFamilies", rule);
        }
        if (!spec.text("ipFamilyPolicy").isEmpty()) {
            spec.forbidden("ipFamilyPolicy", rule);
        }
    }

    private void checkFamilies() {
        Set<String> seen = new HashSet<>();
        for (FieldValidation family : spec.texts("ipFamilies")) {
            family.checkChoice(FAMILIES);
            if (!seen.add(family.text())) {
                family.duplicate();
            }
        }
    }

    private void checkAddresses() {
        String first = spec.text("clusterIP");
        List<FieldValidation> all = spec.texts("clusterIPs");
        if (first.isEmpty() && !all.isEmpty()) {
            invalid("must be empty when `clusterIP` is not specified");
        } else if (!first.isEmpty() && (all.isEmpty() || !all.getFirst().text().equals(first))) {
            invalid("first value must match `clusterIP`");
        }
        if (all.size() > 2) {
            invalid("may only hold up to 2 values");
        }
        if (areAddresses(all) && all.size() == 2 && family(all.getFirst()).equals(family(all.getLast()))) {
            invalid("may specify no more than one IP for each IP family");
        }
        checkFamiliesOf(all);
    }

    /// True if each is an address, or the only one is `None`.
    private boolean areAddresses(List<FieldValidation> all) {
        boolean good = true;
        for (int i = 0; i < all.size(); i++) {
            FieldValidation item = all.get(i);
            if (i == 0 && item.text().equals("None")) {
                if (all.size() > 1) {
                    invalid("'None' must be the first and only value");
                }
                return false;
            }
            Optional<String> broken = AddressValidation.newIp(item.text(), before);
            item.check(broken);
            good &= broken.isEmpty();
        }
        return good;
    }

    private void checkFamiliesOf(List<FieldValidation> addresses) {
        List<FieldValidation> families = spec.texts("ipFamilies");
        for (int i = 0; i < Math.min(addresses.size(), families.size()); i++) {
            String family = families.get(i).text();
            Optional<String> actual = family(addresses.get(i));
            if (actual.isPresent() && !actual.get().equals(family)) {
                addresses.get(i).invalid("expected an " + family + " value as indicated by `ipFamilies[" + i + "]`");
            }
        }
    }

    private static Optional<String> family(FieldValidation address) {
        return Ip.find(address.text()).map(ip -> ip.family().toString());
    }

    private void invalid(String rule) {
        spec.invalid("clusterIPs", tree.path("clusterIPs"), rule);
    }
}
