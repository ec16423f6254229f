package io.fairlead.api;

import tools.jackson.databind.JsonNode;

/// Where a rule of an Ingress leads: a port of a Service of its namespace, by name or number.
///
/// The name of the Service is empty where there is no backend, or one of another kind.
public record IngressBackend(String service, String portName, int portNumber) {
    public static final IngressBackend NONE = new IngressBackend("", "", 0);

    static IngressBackend of(JsonNode json) {
        return new IngressBackend(
                Json.text(json, "service", "name"),
                Json.text(json, "service", "port", "name"),
                Json.number(json, 0, "service", "port", "number"));
    }

    public boolean isNone() {
        return service.isEmpty();
    }
}
