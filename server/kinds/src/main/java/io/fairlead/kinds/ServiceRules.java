package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NameValidation;
import io.fairlead.api.NameValidation.LetterCase;
import io.fairlead.api.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The row of Service.
record ServiceRules(LetterCase letterCase) implements KindRules {
    @Override
    public Kind kind() {
        return Kind.SERVICE;
    }

    @Override
    public Optional<String> nameProblem(String name) {
        return NameValidation.label(letterCase, name);
    }

    @Override
    public void prepareUpdate(JsonNode old, ObjectNode service) {
        ServiceUpdate.carryOver(old, service);
    }

    @Override
    public void fillDefaults(ObjectNode service) {
        ServiceDefaults.fill(service);
    }

    @Override
    public List<Problem> check(JsonNode service) {
        return ServiceValidation.check(service, letterCase);
    }

    @Override
    public List<Problem> checkChange(JsonNode old, JsonNode service) {
        return ServiceValidation.checkUpdate(old, service, letterCase);
    }

    @Override
    public void fillStatus(ObjectNode service) {
        ServiceDefaults.fillStatus(service);
    }

    @Override
    public List<Problem> checkStatus(JsonNode service) {
        return LoadBalancerValidation.checkStatus(service);
    }

    @Override
    public List<String> warnings(JsonNode service) {
        return ServiceWarnings.of(service);
    }

    @Override
    public List<Kind> companions() {
        return List.of(Kind.ENDPOINTS);
    }

    @Override
    public Set<String> subresources() {
        return Set.of("status", "proxy");
    }

    @Override
    public List<String> categories() {
        return List.of("all");
    }

    @Override
    public boolean createsOnUpdate() {
        return true;
    }

    @Override
    public boolean answersDeletedObject() {
        return true;
    }

    @Override
    public Map<String, Function<JsonNode, String>> fields() {
        return Map.of(
                "metadata.name", KindRules.field("metadata", "name"),
                "metadata.namespace", KindRules.field("metadata", "namespace"),
                "spec.clusterIP", KindRules.field("spec", "clusterIP"),
                "spec.type", KindRules.field("spec", "type"));
    }

    @Override
    public List<Column> columns() {
        return List.of(
                Column.NAME,
                Column.text("Type", KindRules.field("spec", "type")),
                Column.text("Cluster-IP", KindRules.field("spec", "clusterIP")),
                Column.text("External-IP", ServiceRules::externalAddress),
                Column.text("Port(s)", ServiceRules::ports),
                Column.AGE,
                Column.text("Selector", service -> pairs(Json.map(service, "spec", "selector")))
                        .wide());
    }

    private static String externalAddress(JsonNode service) {
        JsonNode spec = service.path("spec");
        if (Json.text(spec, "type").equals("ExternalName")) {
            return Json.text(spec, "externalName");
        }
        Stream<String> balancers = service.path("status")
                .path("loadBalancer")
                .path("ingress")
                .valueStream()
                .map(ingress ->
                        Json.text(ingress, "ip").isEmpty() ? Json.text(ingress, "hostname") : Json.text(ingress, "ip"));
        String all = Stream.concat(balancers, Json.texts(spec, "externalIPs").stream())
                .collect(Collectors.joining(","));
        return all.isEmpty() && Json.text(spec, "type").equals("LoadBalancer") ? "<pending>" : all;
    }

    private static String ports(JsonNode service) {
        return Json.list(service.path("spec"), ServiceRules::port, "ports").stream()
                .collect(Collectors.joining(","));
    }

    private static String port(JsonNode port) {
        int nodePort = Json.number(port, 0, "nodePort");
        String number = Integer.toString(Json.number(port, 0, "port"));
        return (nodePort == 0 ? number : number + ":" + nodePort) + "/" + Json.text(port, "protocol");
    }

    /// Labels as one text: `app=web,tier=front`.
    static String pairs(Map<String, String> labels) {
        return labels.entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(","));
    }
}
