package io.fairlead.kinds;

import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.NameValidation;
import io.fairlead.api.NameValidation.LetterCase;
import io.fairlead.api.Problem;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The rules for the two kinds that list endpoints: EndpointSlice and Endpoints.
public final class EndpointValidation {
    private static final List<String> ADDRESS_TYPES = List.of("FQDN", "IPv4", "IPv6");
    private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");
    private static final int MOST_ENDPOINTS = 1000;
    private static final int MOST_ADDRESSES = 100;
    private static final int MOST_PORTS = 20_000;
    private static final int MOST_HINTS = 8;
    private static final int MOST_TOPOLOGY = 16;

    private EndpointValidation() {}

    public static List<Problem> checkSlice(JsonNode slice) {
        FieldValidation root = FieldValidation.of(slice);
        String type = root.choice("addressType", ADDRESS_TYPES);
        if (type.isEmpty()) {
            root.required("addressType", "");
        }
        root.checkCount("endpoints", MOST_ENDPOINTS);
        root.objects("endpoints").forEach(endpoint -> checkEndpoint(endpoint, type));
        root.checkCount("ports", MOST_PORTS);
        checkPorts(root.objects("ports"));
        return root.problems();
    }

    public static List<Problem> checkSliceUpdate(JsonNode old, JsonNode slice) {
        String type = Json.text(slice, "addressType");
        return Json.text(old, "addressType").equals(type)
                ? List.of()
                : List.of(Problem.invalid("addressType", type, "field is immutable"));
    }

    public static List<Problem> checkEndpoints(JsonNode endpoints) {
        FieldValidation root = FieldValidation.of(endpoints);
        for (FieldValidation subset : root.objects("subsets")) {
            int count = 0;
            for (String field : List.of("addresses", "notReadyAddresses")) {
                List<FieldValidation> addresses = subset.objects(field);
                count += addresses.size();
                addresses.forEach(EndpointValidation::checkEndpointAddress);
            }
            if (count == 0) {
                root.add(Problem.required(subset.place(), "must specify `addresses` or `notReadyAddresses`"));
            }
            List<FieldValidation> ports = subset.objects("ports");
            ports.forEach(port -> checkWholePort(port, ports.size() > 1));
        }
        return root.problems();
    }

    private static void checkEndpointAddress(FieldValidation address) {
        String ip = address.text("ip");
        address.check("ip", ip, AddressValidation.ip(ip));
        // Looked at a second time, as Kubernetes does: what is no address is not an ordinary one, either.
        Optional<Ip> read = Ip.find(ip);
        if (read.isEmpty()) {
            address.invalid("ip", ip, "must be a valid IP address");
        } else {
            address.check("ip", ip, AddressValidation.ordinary(read.get()));
        }
        checkPlace(address);
    }

    private static void checkEndpoint(FieldValidation endpoint, String type) {
        List<FieldValidation> addresses = endpoint.texts("addresses");
        if (addresses.isEmpty()) {
            endpoint.required("addresses", "must contain at least 1 address");
        }
        endpoint.checkCount("addresses", MOST_ADDRESSES);
        addresses.forEach(address -> checkAddress(endpoint, address, type));
        FieldValidation conditions = endpoint.object("conditions");
        for (String condition : List.of("ready", "serving", "terminating")) {
            conditions.flag(condition, true);
        }
        checkPlace(endpoint);
        endpoint.text("zone");
        FieldValidation hints = endpoint.object("hints");
        checkHints(hints, "forZones");
        checkHints(hints, "forNodes");
        if (endpoint.map("deprecatedTopology").size() > MOST_TOPOLOGY) {
            endpoint.add(Problem.tooMany(
                    endpoint.path("deprecatedTopology"),
                    endpoint.map("deprecatedTopology").size(),
                    MOST_TOPOLOGY));
        }
    }

    private static void checkPlace(FieldValidation endpoint) {
        String hostname = endpoint.text("hostname");
        if (!hostname.isEmpty()) {
            endpoint.check("hostname", hostname, NameValidation.label(LetterCase.LOWER, hostname));
        }
        String node = endpoint.text("nodeName");
        if (!node.isEmpty()) {
            endpoint.check("nodeName", node, NameValidation.subdomain(LetterCase.LOWER, node));
        }
        endpoint.object("targetRef").text("name");
    }

    private static void checkHints(FieldValidation hints, String field) {
        hints.checkCount(field, MOST_HINTS);
        Set<String> seen = new HashSet<>();
        for (FieldValidation hint : hints.objects(field)) {
            String name = hint.text("name");
            if (name.isEmpty()) {
                hint.required("name", "");
            } else if (!seen.add(name)) {
                hint.duplicate("name", name);
            } else {
                hint.check("name", name, NameValidation.labelValue(name));
            }
        }
    }

    private static void checkAddress(FieldValidation endpoint, FieldValidation address, String type) {
        if (type.equals("FQDN")) {
            address.check(brokenDomain(address.text()));
            return;
        }
        Optional<String> broken = AddressValidation.ip(address.text());
        address.check(broken);
        if (broken.isEmpty()) {
            Ip ip = Ip.parse(address.text());
            if (!type.isEmpty() && !ip.family().toString().equals(type)) {
                endpoint.invalid("addresses", address.text(), "must be an " + type + " address");
            }
            address.check(AddressValidation.ordinary(ip));
        }
    }

    private static Optional<String> brokenDomain(String name) {
        String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        return NameValidation.subdomain(LetterCase.LOWER, bare)
                .or(() -> bare.contains(".")
                        ? Optional.empty()
                        : Optional.of("should be a domain with at least two segments separated by dots"));
    }

    /// A port of Endpoints.
    private static void checkWholePort(FieldValidation port, boolean nameRequired) {
        String name = port.text("name");
        if (name.isEmpty() && nameRequired) {
            port.required("name", "");
        } else if (!name.isEmpty()) {
            port.check("name", name, NameValidation.label(LetterCase.ANY, name));
        }
        port.checkPort("port", port.number("port", 0));
        port.choice("protocol", PROTOCOLS);
        checkAppProtocol(port);
    }

    private static void checkAppProtocol(FieldValidation port) {
        String appProtocol = port.text("appProtocol");
        if (!appProtocol.isEmpty()) {
            port.check("appProtocol", appProtocol, NameValidation.qualifiedName(appProtocol));
        }
    }

    private static void checkPorts(List<FieldValidation> ports) {
        Set<String> names = new HashSet<>();
        for (FieldValidation port : ports) {
            port.choice("protocol", PROTOCOLS);
            if (port.has("port")) {
                port.checkPort("port", port.number("port", 1));
            }
            String name = port.text("name");
            if (!names.add(name)) {
                port.duplicate("name", name);
            } else if (!name.isEmpty()) {
                // The names are those of the Service, which may have upper-case letters (decision 035).
                port.check("name", name, NameValidation.label(LetterCase.ANY, name));
            }
            checkAppProtocol(port);
        }
    }
}
