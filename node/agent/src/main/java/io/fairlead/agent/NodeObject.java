package io.fairlead.agent;

import io.fairlead.api.AgentDoor;
import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Node;
import io.fairlead.api.PersistentVolume.StorageClass;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The Node object of this node, as it ought to be. Pure.
///
/// `facts` are what the machine says of itself, under the names of `status.nodeInfo`; `capacity` is what it has.
record NodeObject(NodeConfig config, Map<String, String> facts, SortedMap<String, String> capacity) {

    /// True if `node` already says all that we would.
    boolean isSaidBy(Node node) {
        return (config.podCidrs().isEmpty() || node.podCidrs().equals(config.podCidrs()))
                && node.internalIps().equals(config.addresses())
                && node.ready()
                && node.agentPort() == AgentDoor.PORT
                && volumes().equals(node.metadata().annotations().get(StorageClass.NODE_FOLDER))
                && node.metadata().labels().entrySet().containsAll(labels().entrySet());
    }

    /// Labels and spec: for a create, and for a merge patch of a node that was there before.
    ObjectNode object() {
        ObjectNode node = Json.object().put("apiVersion", "v1").put("kind", "Node");
        ObjectNode metadata = node.putObject("metadata").put("name", config.name());
        metadata.putObject("annotations").put(StorageClass.NODE_FOLDER, volumes());
        ObjectNode labels = metadata.putObject("labels");
        labels().forEach(labels::put);
        if (!config.podCidrs().isEmpty()) { // else the control plane gives them
            ObjectNode spec = node.putObject("spec")
                    .put("podCIDR", config.podCidrs().getFirst().toString());
            ArrayNode cidrs = spec.putArray("podCIDRs");
            config.podCidrs().stream().map(Cidr::toString).forEach(cidrs::add);
        }
        return node;
    }

    /// A merge patch of the status.
    ObjectNode status(Instant now) {
        ObjectNode patch = Json.object();
        ObjectNode status = patch.putObject("status");
        ArrayNode addresses = status.putArray("addresses");
        config.addresses().stream().map(Ip::toString).forEach(ip -> address(addresses, "InternalIP", ip));
        address(addresses, "Hostname", config.name());
        ArrayNode conditions = status.putArray("conditions");
        for (String pressure : List.of("MemoryPressure", "DiskPressure", "PIDPressure")) {
            condition(conditions, pressure, false, now)
                    .put("reason", "NotWatched")
                    .put("message", "the node agent does not watch this");
        }
        condition(conditions, "Ready", true, now).put("reason", "AgentReady").put("message", "the node agent runs");
        for (String amount : List.of("capacity", "allocatable")) {
            ObjectNode amounts = status.putObject(amount);
            capacity.forEach(amounts::put);
        }
        ObjectNode info = status.putObject("nodeInfo");
        new TreeMap<>(facts).forEach(info::put);
        status.putObject("daemonEndpoints").putObject("kubeletEndpoint").put("Port", AgentDoor.PORT);
        return patch;
    }

    private static ObjectNode condition(ArrayNode conditions, String type, boolean holds, Instant now) {
        return conditions
                .addObject()
                .put("type", type)
                .put("status", holds ? "True" : "False")
                .put("lastHeartbeatTime", PodStatus.time(now))
                .put("lastTransitionTime", PodStatus.time(now));
    }

    private String volumes() {
        return StateFolder.volumes(config.stateDirectory()).toString();
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>(config.labels());
        labels.putIfAbsent("kubernetes.io/hostname", config.name());
        labels.putIfAbsent("kubernetes.io/os", facts.getOrDefault("operatingSystem", ""));
        labels.putIfAbsent("kubernetes.io/arch", facts.getOrDefault("architecture", ""));
        return labels;
    }

    private static void address(ArrayNode addresses, String type, String address) {
        addresses.addObject().put("type", type).put("address", address);
    }
}
