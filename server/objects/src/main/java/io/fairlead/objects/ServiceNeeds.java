package io.fairlead.objects;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import java.util.LinkedHashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The items that a Service holds: its cluster addresses and its node ports.
public record ServiceNeeds(Set<Item> items) {

    /// An address or a port, by the kind of its claim and its text.
    public record Item(Kind kind, String text) {}

    public static ServiceNeeds of(JsonNode service) {
        Set<Item> items = new LinkedHashSet<>();
        JsonNode spec = service.path("spec");
        Json.ips(spec, "clusterIPs").forEach(ip -> items.add(new Item(Claims.ADDRESSES, ip.toString())));
        spec.path("ports").valueStream().forEach(port -> addPort(items, Json.number(port, 0, "nodePort")));
        addPort(items, Json.number(spec, 0, "healthCheckNodePort"));
        return new ServiceNeeds(items);
    }

    boolean contains(Kind kind, String text) {
        return items.contains(new Item(kind, text));
    }

    private static void addPort(Set<Item> items, int port) {
        if (port != 0) {
            items.add(new Item(Claims.NODE_PORTS, Integer.toString(port)));
        }
    }
}
