package io.fairlead.api;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The endpoints of a Service in one object, as the API had them before slices.
public record Endpoints(ObjectMeta metadata, List<Subset> subsets) implements KubernetesObject {

    /// Addresses that have the same ports.
    public record Subset(List<Address> addresses, List<Address> notReadyAddresses, List<EndpointSlice.Port> ports) {
        static Subset of(JsonNode json) {
            return new Subset(
                    addresses(json, "addresses"),
                    addresses(json, "notReadyAddresses"),
                    Json.list(json, EndpointSlice.Port::of, "ports"));
        }

        private static List<Address> addresses(JsonNode json, String field) {
            return Json.list(json, Address::of, field).stream()
                    .flatMap(Optional::stream)
                    .toList();
        }
    }

    /// One endpoint; `target` is what the address belongs to, as a reference of the API, or missing.
    public record Address(Ip ip, String hostname, String nodeName, JsonNode target) {
        static Optional<Address> of(JsonNode json) {
            return Ip.find(Json.text(json, "ip"))
                    .map(ip -> new Address(
                            ip, Json.text(json, "hostname"), Json.text(json, "nodeName"), json.path("targetRef")));
        }
    }

    public static Endpoints of(JsonNode json) {
        return new Endpoints(ObjectMeta.of(json), Json.list(json, Subset::of, "subsets"));
    }

    @Override
    public Kind kind() {
        return Kind.ENDPOINTS;
    }
}
