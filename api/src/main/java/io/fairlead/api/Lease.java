package io.fairlead.api;

import tools.jackson.databind.JsonNode;

/// A claim that its holder renews as long as it lives. A node's is its heartbeat: it has the node's name, in the
/// namespace [#NODES].
public record Lease(ObjectMeta metadata, String holder, String renewTime) implements KubernetesObject {
    public static final String NODES = "kube-node-lease";

    public static Lease of(JsonNode json) {
        return new Lease(
                ObjectMeta.of(json), Json.text(json, "spec", "holderIdentity"), Json.text(json, "spec", "renewTime"));
    }

    /// The name of the Lease of a node.
    public static NamespacedName ofNode(String node) {
        return new NamespacedName(NODES, node);
    }

    /// The name of the Lease by which a node says that it announces addresses of load balancers.
    public static NamespacedName ofAnnouncer(String node) {
        return new NamespacedName(NODES, "announcer-" + node);
    }

    @Override
    public Kind kind() {
        return Kind.LEASE;
    }
}
