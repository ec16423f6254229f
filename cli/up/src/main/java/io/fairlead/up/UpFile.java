package io.fairlead.up;

import io.fairlead.api.Json;
import io.fairlead.api.Service;
import io.fairlead.lab.AddressPlan;
import io.fairlead.lab.Topology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `up.json` in the directory of a cluster: what runs, and where, for programs that want to know. It is there while
/// the cluster answers, and no longer.
final class UpFile {
    static final String NAME = "up.json";

    private UpFile() {}

    /// @param pids the processes of the cluster, by name
    static ObjectNode json(UpConfig config, Map<String, Long> pids, Optional<Service> service, Duration firstAnswer) {
        Topology topology = config.topology();
        ObjectNode json = Json.object()
                .put("name", topology.name())
                .put("pid", ProcessHandle.current().pid())
                .put("mode", config.mode())
                .put("kubeconfig", config.kubeconfig().toString())
                .put("logs", config.logs().toString())
                .put("firstAnswerSeconds", firstAnswer.toMillis() / 1000.0)
                .put("hostLink", topology.hostLink());
        json.putObject("server")
                .put("url", "https://" + new ChildCommands(config).apiServer())
                .put("namespace", topology.outer())
                .put("pid", pids.getOrDefault("server", 0L));
        ObjectNode client = json.putObject("client").put("namespace", topology.client());
        put(client, "ips", topology.plans().stream().map(AddressPlan::client).toList());
        nodes(json.putArray("nodes"), topology, pids);
        service.ifPresent(known -> service(json.putObject("service"), known));
        return json;
    }

    private static void nodes(ArrayNode nodes, Topology topology, Map<String, Long> pids) {
        for (Topology.NodePlace place : topology.nodes()) {
            ObjectNode node = nodes.addObject()
                    .put("name", place.name())
                    .put("namespace", place.namespace())
                    .put("pid", pids.getOrDefault(place.name(), 0L));
            put(node, "ips", place.ips());
            put(node, "podCIDRs", place.podCidrs());
        }
    }

    private static void service(ObjectNode json, Service service) {
        Service.Port port = service.ports().getFirst();
        json.put("name", service.key().name())
                .put("namespace", service.key().namespace())
                .put("port", port.port())
                .put("nodePort", port.nodePort());
        put(json, "clusterIPs", service.clusterIps());
    }

    private static void put(ObjectNode object, String field, List<?> values) {
        ArrayNode array = object.putArray(field);
        values.forEach(value -> array.add(value.toString()));
    }

    /// Whole or not at all: a reader never sees half of it.
    static void write(Path file, ObjectNode json) {
        try {
            Path half = file.resolveSibling(NAME + ".new");
            Files.writeString(half, Json.pretty(json) + "\n");
            Files.move(half, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
