package io.fairlead.api;

import tools.jackson.databind.JsonNode;

/// A port of a pod, by number or by the name a container gives it.
public sealed interface PortReference {
    record ByNumber(int port) implements PortReference {}

    record ByName(String name) implements PortReference {}

    /// `targetPort` of a Service port; absent or 0 means the Service's own port.
    static PortReference of(JsonNode json, int servicePort) {
        if (json.isString() && !json.stringValue().isEmpty()) {
            return new ByName(json.stringValue());
        }
        return new ByNumber(json.isIntegralNumber() && json.intValue() != 0 ? json.intValue() : servicePort);
    }
}
