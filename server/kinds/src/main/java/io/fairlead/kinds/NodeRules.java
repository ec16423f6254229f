package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The row of Node.
public record NodeRules() implements KindRules {
    private static final String ROLE = "node-role.kubernetes.io/";
    private static final List<String> FACTS = List.of(
            "machineID",
            "systemUUID",
            "bootID",
            "kernelVersion",
            "osImage",
            "containerRuntimeVersion",
            "kubeletVersion",
            "kubeProxyVersion",
            "operatingSystem",
            "architecture");

    @Override
    public Kind kind() {
        return Kind.NODE;
    }

    @Override
    public void fillDefaults(ObjectNode node) {
        ObjectNode spec = Tree.object(node, "spec");
        String first = Json.text(spec, "podCIDR");
        if (!first.isEmpty() && spec.path("podCIDRs").isEmpty()) {
            spec.putArray("podCIDRs").add(first);
        }
        fillStatus(node);
    }

    /// What the status of every node shows, known or not.
    @Override
    public void fillStatus(ObjectNode node) {
        ObjectNode status = Tree.object(node, "status");
        ObjectNode agent = Tree.object(Tree.object(status, "daemonEndpoints"), "kubeletEndpoint");
        Tree.putIfAbsent(agent, "Port", 0);
        ObjectNode facts = Tree.object(status, "nodeInfo");
        FACTS.forEach(fact -> {
            if (!facts.has(fact)) {
                facts.put(fact, "");
            }
        });
        if (!status.has("allocatable") && status.path("capacity").isObject()) {
            status.set("allocatable", status.path("capacity").deepCopy());
        }
    }

    @Override
    public List<Problem> check(JsonNode node) {
        return NodeValidation.check(node);
    }

    @Override
    public List<Problem> checkUpdate(JsonNode old, JsonNode node) {
        return NodeValidation.checkUpdate(old, node);
    }

    /// A node comes with its own status: no other program could know it.
    @Override
    public boolean acceptsStatusOnCreate() {
        return true;
    }

    @Override
    public Set<String> subresources() {
        return Set.of("status", "proxy");
    }

    @Override
    public Map<String, Function<JsonNode, String>> fields() {
        return Map.of(
                "metadata.name",
                KindRules.field("metadata", "name"),
                "spec.unschedulable",
                node -> Boolean.toString(Json.flag(node, false, "spec", "unschedulable")));
    }

    @Override
    public List<Column> columns() {
        return List.of(
                Column.NAME,
                Column.text("Status", NodeRules::status),
                Column.text("Roles", NodeRules::roles),
                Column.AGE,
                Column.text("Version", KindRules.field("status", "nodeInfo", "kubeletVersion")),
                Column.text("Internal-IP", node -> address(node, "InternalIP")).wide(),
                Column.text("External-IP", node -> address(node, "ExternalIP")).wide(),
                Column.text("OS-Image", KindRules.field("status", "nodeInfo", "osImage"))
                        .wide(),
                Column.text("Kernel-Version", KindRules.field("status", "nodeInfo", "kernelVersion"))
                        .wide(),
                Column.text("Container-Runtime", KindRules.field("status", "nodeInfo", "containerRuntimeVersion"))
                        .wide());
    }

    private static String status(JsonNode node) {
        List<String> words = new ArrayList<>();
        String ready = node.path("status")
                .path("conditions")
                .valueStream()
                .filter(condition -> Json.text(condition, "type").equals("Ready"))
                .map(condition -> Json.text(condition, "status"))
                .findFirst()
                .orElse("");
        words.add(ready.isEmpty() ? "Unknown" : ready.equals("True") ? "Ready" : "NotReady");
        if (Json.flag(node, false, "spec", "unschedulable")) {
            words.add("SchedulingDisabled");
        }
        return String.join(",", words);
    }

    private static String roles(JsonNode node) {
        return Json.map(node, "metadata", "labels").keySet().stream()
                .filter(label -> label.startsWith(ROLE))
                .map(label -> label.substring(ROLE.length()))
                .sorted()
                .collect(Collectors.joining(","));
    }

    private static String address(JsonNode node, String type) {
        return node.path("status")
                .path("addresses")
                .valueStream()
                .filter(address -> Json.text(address, "type").equals(type))
                .map(address -> Json.text(address, "address"))
                .findFirst()
                .orElse("");
    }
}
