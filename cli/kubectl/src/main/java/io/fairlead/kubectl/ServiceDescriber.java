package io.fairlead.kubectl;

import io.fairlead.api.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// A Service, with the addresses of its EndpointSlices: pure.
final class ServiceDescriber {
    private static final int SHOWN = 3;

    private ServiceDescriber() {}

    static void describe(JsonNode service, List<JsonNode> slices, Description to) {
        JsonNode spec = service.path("spec");
        to.heading(service);
        to.line("Selector:\t%s".formatted(Description.joined(Json.map(spec, "selector"))));
        to.line("Type:\t%s".formatted(Json.text(spec, "type")));
        to.lineIf("IP Family Policy", Json.text(spec, "ipFamilyPolicy"));
        to.line("IP Families:\t%s".formatted(orNone(Json.texts(spec, "ipFamilies"))));
        to.line("IP:\t%s".formatted(Json.text(spec, "clusterIP")));
        to.line("IPs:\t%s".formatted(orNone(Json.texts(spec, "clusterIPs"))));
        to.lineIf("External IPs", String.join(",", Json.texts(spec, "externalIPs")));
        to.lineIf("Desired LoadBalancer IP", Json.text(spec, "loadBalancerIP"));
        to.lineIf("External Name", Json.text(spec, "externalName"));
        to.lineIf("LoadBalancer Ingress", ingress(service));
        spec.path("ports").forEach(port -> port(port, slices, to));
        to.line("Session Affinity:\t%s".formatted(Json.text(spec, "sessionAffinity")));
        to.lineIf("External Traffic Policy", Json.text(spec, "externalTrafficPolicy"));
        to.lineIf("Internal Traffic Policy", Json.text(spec, "internalTrafficPolicy"));
        to.lineIf("HealthCheck NodePort", spec.path("healthCheckNodePort").asString(""));
        to.lineIf("LoadBalancer Source Ranges", String.join(",", Json.texts(spec, "loadBalancerSourceRanges")));
    }

    private static String orNone(List<String> values) {
        return values.isEmpty() ? Description.NONE : String.join(",", values);
    }

    private static String ingress(JsonNode service) {
        List<String> places = Json.list(
                service,
                place -> {
                    String mode = Json.text(place, "ipMode");
                    String ip = Json.text(place, "ip");
                    String address = ip.isEmpty() ? Json.text(place, "hostname") : ip;
                    return mode.isEmpty() ? address : "%s (%s)".formatted(address, mode);
                },
                "status",
                "loadBalancer",
                "ingress");
        return String.join(", ", places);
    }

    private static void port(JsonNode port, List<JsonNode> slices, Description to) {
        String name = Json.text(port, "name");
        String shown = name.isEmpty() ? "<unset>" : name;
        String protocol = Json.text(port, "protocol");
        to.line("Port:\t%s\t%s/%s".formatted(shown, port.path("port").asString(), protocol));
        to.line("TargetPort:\t%s/%s".formatted(port.path("targetPort").asString(), protocol));
        if (port.path("nodePort").intValue(0) != 0) {
            to.line("NodePort:\t%s\t%s/%s"
                    .formatted(shown, port.path("nodePort").asString(), protocol));
        }
        to.line("Endpoints:\t%s".formatted(endpoints(slices, name)));
    }

    private static String endpoints(List<JsonNode> slices, String name) {
        if (slices.isEmpty()) {
            return Description.NONE;
        }
        List<String> all = new ArrayList<>();
        for (JsonNode slice : slices) {
            for (JsonNode port : slice.path("ports")) {
                if (Json.text(port, "name").equals(name)) {
                    ready(slice)
                            .forEach(address ->
                                    all.add(at(address, port.path("port").asString(""))));
                }
            }
        }
        String shown = String.join(",", all.subList(0, Math.min(SHOWN, all.size())));
        return all.size() > SHOWN ? "%s + %d more...".formatted(shown, all.size() - SHOWN) : shown;
    }

    private static String at(String address, String port) {
        return (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
    }

    private static List<String> ready(JsonNode slice) {
        return slice.path("endpoints")
                .valueStream()
                .filter(endpoint -> Json.flag(endpoint, true, "conditions", "ready"))
                .map(endpoint -> endpoint.path("addresses").path(0).asString())
                .toList();
    }
}
