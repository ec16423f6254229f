package io.fairlead.kinds;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The rules for ServiceCIDR and IPAddress: where cluster addresses come from, and who has which.
public final class ServiceCidrValidation {
    private ServiceCidrValidation() {}

    public static List<Problem> check(JsonNode serviceCidr) {
        FieldValidation root = FieldValidation.of(serviceCidr);
        FieldValidation spec = root.object("spec");
        JsonNode list = Json.at(serviceCidr, "spec", "cidrs");
        List<FieldValidation> cidrs = spec.texts("cidrs");
        if (cidrs.isEmpty()) {
            spec.required("cidrs", "at least one CIDR required");
        } else if (cidrs.size() > 2) {
            spec.invalid("cidrs", list, "may only hold up to 2 values");
        }
        cidrs.forEach(ServiceCidrValidation::checkBlock);
        List<Family> families = cidrs.stream()
                .flatMap(item -> Cidr.find(item.text()).stream())
                .map(Cidr::family)
                .toList();
        if (families.size() == 2 && families.getFirst() == families.getLast()) {
            spec.invalid(
                    "cidrs",
                    list,
                    "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/96");
        }
        return root.problems();
    }

    private static void checkBlock(FieldValidation item) {
        String text = item.text();
        Optional<String> broken = AddressValidation.cidr(text);
        item.check(broken);
        Cidr.find(text)
                .map(Cidr::toString)
                .filter(canonical -> broken.isEmpty() && !canonical.equals(text))
                .ifPresent(canonical -> item.invalid("must be in canonical form (\"" + canonical + "\")"));
    }

    /// Addresses were given out of the blocks, so they stay; a second family may come.
    public static List<Problem> checkUpdate(JsonNode old, JsonNode serviceCidr) {
        List<String> before = Json.texts(old, "spec", "cidrs");
        List<String> after = Json.texts(serviceCidr, "spec", "cidrs");
        boolean grown =
                after.size() >= before.size() && after.subList(0, before.size()).equals(before);
        return grown
                ? List.of()
                : List.of(Problem.invalid("spec.cidrs", Json.at(serviceCidr, "spec", "cidrs"), "field is immutable"));
    }

    /// What is wrong with the name of an IPAddress: it is the address, in the one way to write it.
    public static Optional<String> addressName(String name) {
        return AddressValidation.ip(name)
                .or(() -> Ip.find(name)
                        .map(Ip::toString)
                        .filter(canonical -> !canonical.equals(name))
                        .map(canonical -> "must be in canonical form (\"" + canonical + "\")"));
    }

    public static List<Problem> checkAddress(JsonNode address) {
        FieldValidation root = FieldValidation.of(address);
        FieldValidation spec = root.object("spec");
        if (!spec.has("parentRef")) {
            spec.required("parentRef", "");
            return root.problems();
        }
        FieldValidation parent = spec.object("parentRef");
        List.of("resource", "name").stream()
                .filter(field -> parent.text(field).isEmpty())
                .forEach(field -> parent.required(field, ""));
        parent.text("group");
        parent.text("namespace");
        return root.problems();
    }

    public static List<Problem> checkAddressUpdate(JsonNode old, JsonNode address) {
        JsonNode parent = Json.at(address, "spec", "parentRef");
        return parent.equals(Json.at(old, "spec", "parentRef"))
                ? List.of()
                : List.of(Problem.invalid("spec.parentRef", parent, "field is immutable"));
    }
}
