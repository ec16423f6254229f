package io.fairlead.kinds;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/// What the author of a Service should know although it was taken (A12, decision 035).
final class ServiceWarnings {
    private static final String OLD_HINTS = "service.kubernetes.io/topology-aware-hints";

    private final JsonNode service;
    private final JsonNode spec;
    private final List<String> warnings = new ArrayList<>();

    private ServiceWarnings(JsonNode service) {
        this.service = service;
        this.spec = service.path("spec");
    }

    static List<String> of(JsonNode service) {
        ServiceWarnings all = new ServiceWarnings(service);
        all.warnOfNames();
        all.warnOfDeprecated();
        all.warnOfIgnored();
        all.warnOfSpelling();
        return all.warnings;
    }

    private void warnOfNames() {
        warnOfCase("metadata.name", Json.text(service, "metadata", "name"));
        List<String> names = Json.list(spec, port -> Json.text(port, "name"), "ports");
        for (int i = 0; i < names.size(); i++) {
            warnOfCase("spec.ports[" + i + "].name", names.get(i));
        }
        if (isType("ExternalName") && Ip.find(Json.text(spec, "externalName")).isPresent()) {
            warnings.add("spec.externalName: is an IP address; it is answered as an address record, not as a CNAME");
        }
    }

    private void warnOfCase(String field, String name) {
        if (!name.equals(name.toLowerCase(Locale.ROOT))) {
            warnings.add(field + ": '" + name + "' has upper-case letters, which plain Kubernetes would refuse");
        }
    }

    private void warnOfDeprecated() {
        if (Json.at(service, "metadata", "annotations").has(OLD_HINTS)) {
            warnings.add("annotation " + OLD_HINTS
                    + " is deprecated, please use service.kubernetes.io/topology-mode instead");
        }
        if (!spec.path("externalIPs").isEmpty()) {
            warnings.add("spec.externalIPs: deprecated in v1.36; use a LoadBalancer Service instead");
        }
        if (Json.text(spec, "trafficDistribution").equals("PreferClose")) {
            warnings.add("spec.trafficDistribution: PreferClose is deprecated; use PreferSameZone");
        }
    }

    private void warnOfIgnored() {
        boolean externalIps = !spec.path("externalIPs").isEmpty();
        if (isType("ExternalName") && externalIps) {
            warnings.add("spec.externalIPs is ignored when spec.type is \"ExternalName\"");
        }
        if (!isType("ExternalName") && !Json.text(spec, "externalName").isEmpty()) {
            warnings.add("spec.externalName is ignored when spec.type is not \"ExternalName\"");
        }
        if (!Json.text(spec, "clusterIP").equals("None")) {
            return;
        }
        if (!Json.text(spec, "loadBalancerIP").isEmpty()) {
            warnings.add("spec.loadBalancerIP is ignored for headless services");
        }
        if (externalIps) {
            warnings.add("spec.externalIPs is ignored for headless services");
        }
        if (Json.text(spec, "sessionAffinity").equals("ClientIP")) {
            warnings.add("spec.SessionAffinity is ignored for headless services");
        }
    }

    private void warnOfSpelling() {
        for (String field : List.of("clusterIPs", "externalIPs")) {
            List<String> texts = Json.texts(spec, field);
            for (int i = 0; i < texts.size(); i++) {
                warnOfAddress("spec." + field + "[" + i + "]", texts.get(i));
            }
        }
        warnOfAddress("spec.loadBalancerIP", Json.text(spec, "loadBalancerIP"));
        List<String> ranges = Json.texts(spec, "loadBalancerSourceRanges");
        for (int i = 0; i < ranges.size(); i++) {
            warnOfBlock(
                    "spec.loadBalancerSourceRanges[" + i + "]", ranges.get(i).strip());
        }
    }

    private void warnOfAddress(String field, String text) {
        Ip.find(text)
                .map(Ip::toString)
                .filter(canonical -> !canonical.equals(text))
                .ifPresent(canonical ->
                        warnings.add("%s: IPv6 address \"%s\" should be in RFC 5952 canonical format (\"%s\")"
                                .formatted(field, text, canonical)));
    }

    private void warnOfBlock(String field, String text) {
        Cidr.find(text)
                .map(Cidr::toString)
                .filter(canonical -> !canonical.equals(text))
                .ifPresent(canonical ->
                        warnings.add("%s: IPv6 CIDR value \"%s\" should be in RFC 5952 canonical format (\"%s\")"
                                .formatted(field, text, canonical)));
    }

    private boolean isType(String type) {
        return Json.text(spec, "type").equals(type);
    }
}
