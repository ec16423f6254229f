package io.fairlead.api;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The rules for the two kinds that list endpoints: EndpointSlice and Endpoints.
public final class EndpointValidation {
    private static final List<String> ADDRESS_TYPES = List.of("FQDN", "IPv4", "IPv6");
    private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");
    // A connection of a cluster must never be led to these (CVE-2021-25737 was one way to use them).
    private static final List<Cidr> SPECIAL = Stream.of(
                    "0.0.0.0/32", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "::/127", "fe80::/10", "ff00::/8")
            .map(Cidr::parse)
            .toList();
    private static final int MOST_ENDPOINTS = 1000;
    private static final int MOST_ADDRESSES = 100;

    private EndpointValidation() {}

    public static List<Problem> checkSlice(JsonNode slice) {
        FieldValidation root = FieldValidation.of(slice);
        String type = root.choice("addressType", ADDRESS_TYPES);
        if (type.isEmpty()) {
            root.required("addressType", "must be 'IPv4', 'IPv6' or 'FQDN'");
        }
        List<FieldValidation> endpoints = root.objects("endpoints");
        if (endpoints.size() > MOST_ENDPOINTS) {
            root.invalid("endpoints", endpoints.size(), "must have at most " + MOST_ENDPOINTS + " items");
        }
        endpoints.forEach(endpoint -> checkEndpoint(endpoint, type));
        checkPorts(root, false);
        return root.problems();
    }

    public static List<Problem> checkSliceUpdate(JsonNode old, JsonNode slice) {
        FieldValidation root = FieldValidation.of(slice);
        String type = Json.text(slice, "addressType");
        if (!Json.text(old, "addressType").equals(type)) {
            root.invalid("addressType", type, "field is immutable");
        }
        return root.problems();
    }

    public static List<Problem> checkEndpoints(JsonNode endpoints) {
        FieldValidation root = FieldValidation.of(endpoints);
        for (FieldValidation subset : root.objects("subsets")) {
            for (String field : List.of("addresses", "notReadyAddresses")) {
                subset.objects(field).forEach(address -> checkIp(address, "ip", address.text("ip")));
            }
            checkPorts(subset, true);
        }
        return root.problems();
    }

    private static void checkEndpoint(FieldValidation endpoint, String type) {
        List<FieldValidation> addresses = endpoint.texts("addresses");
        if (addresses.isEmpty()) {
            endpoint.required("addresses", "an endpoint has at least one address");
        } else if (addresses.size() > MOST_ADDRESSES) {
            endpoint.invalid("addresses", addresses.size(), "must have at most " + MOST_ADDRESSES + " items");
        }
        addresses.forEach(address -> checkAddress(address, type));
        FieldValidation conditions = endpoint.object("conditions");
        for (String condition : List.of("ready", "serving", "terminating")) {
            conditions.flag(condition, true);
        }
        endpoint.text("nodeName");
        endpoint.object("targetRef").text("name");
    }

    private static void checkAddress(FieldValidation address, String type) {
        Optional<Ip> ip = Ip.find(address.text());
        boolean right = switch (type) {
            case "IPv4", "IPv6" ->
                ip.filter(a -> a.family().toString().equals(type)).isPresent();
            default -> true;
        };
        if (!right) {
            address.invalid("must be an " + type + " address");
        } else if (ip.filter(EndpointValidation::isSpecial).isPresent()) {
            address.invalid("may not be a loopback, link-local, multicast or unspecified address");
        }
    }

    private static void checkIp(FieldValidation place, String field, String text) {
        Optional<Ip> ip = Ip.find(text);
        if (ip.isEmpty()) {
            place.invalid(field, text, "must be an IP address (like 10.9.8.7 or 2001:db8::ffff)");
        } else if (isSpecial(ip.get())) {
            place.invalid(field, text, "may not be a loopback, link-local, multicast or unspecified address");
        }
    }

    private static boolean isSpecial(Ip ip) {
        return SPECIAL.stream().anyMatch(block -> block.contains(ip));
    }

    private static void checkPorts(FieldValidation place, boolean numberRequired) {
        Set<String> names = new HashSet<>();
        List<FieldValidation> ports = place.objects("ports");
        for (FieldValidation port : ports) {
            port.choice("protocol", PROTOCOLS);
            if (port.has("port")) {
                port.checkPort("port", port.number("port", 1));
            } else if (numberRequired) {
                port.required("port", "must be between 1 and 65535, inclusive");
            }
            String name = port.text("name");
            if (!names.add(name)) {
                port.duplicate("name", name);
            }
        }
    }
}
