package io.fairlead.endpoints;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One endpoint that a slice of a Service must hold: who it is, and how it is written.
///
/// @param weight its share of connections, as the pod's annotation says it; empty for the usual share
record WantedEndpoint(Identity identity, ObjectNode json, String weight) {
    WantedEndpoint(Identity identity, ObjectNode json) {
        this(identity, json, "");
    }

    /// The same pod at the same address is the same endpoint, whatever else is said of it.
    record Identity(Ip address, String podUid) {
        static Identity of(EndpointSlice.Endpoint endpoint) {
            return new Identity(endpoint.addresses().getFirst(), endpoint.podUid());
        }
    }

    boolean isReady() {
        return Json.flag(json, false, "conditions", "ready");
    }

    WantedEndpoint with(String field, JsonNode value) {
        ObjectNode changed = json.deepCopy();
        changed.set(field, value);
        return new WantedEndpoint(identity, changed, weight);
    }
}
