package io.fairlead.objects;

import io.fairlead.api.Cidr;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.ObjectMeta;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Holds the agent of a node back from what is not for it to say: labels by which others place their pods, taints, the
/// labels of its pods, and blocks of addresses that are not its own.
///
/// The labels are those of Kubernetes' NodeRestriction. A block for its pods comes from the control plane; a node may
/// name one itself when it is made, if it lies where the control plane would take it from and touches no other.
final class NodeGuard {
    private static final String RESTRICTED = "node-restriction.kubernetes.io";
    private static final Set<String> OWN_LABELS = Set.of(
            "kubernetes.io/hostname",
            "kubernetes.io/arch",
            "kubernetes.io/os",
            "beta.kubernetes.io/instance-type",
            "beta.kubernetes.io/os",
            "beta.kubernetes.io/arch",
            "node.kubernetes.io/instance-type",
            "failure-domain.beta.kubernetes.io/region",
            "failure-domain.beta.kubernetes.io/zone",
            "failure-domain.kubernetes.io/region",
            "failure-domain.kubernetes.io/zone",
            "topology.kubernetes.io/region",
            "topology.kubernetes.io/zone");
    private static final List<String> OWN_PREFIXES = List.of("kubelet.kubernetes.io", "node.kubernetes.io");
    /// A block that is larger would be more than one node's.
    private static final int SHORTEST_IPV4 = 16;

    private static final int SHORTEST_IPV6 = 48;

    private final String node;
    private final WatchCache cache;
    private final List<Cidr> clusterBlocks;

    NodeGuard(String node, WatchCache cache, List<Cidr> clusterBlocks) {
        this.node = node;
        this.cache = cache;
        this.clusterBlocks = clusterBlocks;
    }

    /// Throws a 403 if the agent may not make of `old` what `object` is; `old` is missing where it makes a new one.
    void check(Kind kind, JsonNode old, JsonNode object) {
        if (kind.equals(Kind.NODE)) {
            checkLabels(old, object);
            require(
                    old.isMissingNode() || isSame(old, object, "taints"),
                    kind,
                    "is not allowed to modify taints of its own node");
            require(
                    old.isMissingNode() || isSame(old, object, "configSource"),
                    kind,
                    "is not allowed to change spec.configSource");
            checkBlocks(old, object);
        } else if (kind.equals(Kind.POD) && !old.isMissingNode()) {
            require(
                    old.path("metadata")
                            .path("labels")
                            .equals(object.path("metadata").path("labels")),
                    kind,
                    "cannot update labels of its pods");
            require(
                    old.path("metadata")
                            .path("ownerReferences")
                            .equals(object.path("metadata").path("ownerReferences")),
                    kind,
                    "cannot change the owners of its pods");
        }
    }

    private static boolean isSame(JsonNode old, JsonNode object, String field) {
        return old.path("spec").path(field).equals(object.path("spec").path(field));
    }

    private void checkLabels(JsonNode old, JsonNode object) {
        Map<String, String> before = Json.map(old, "metadata", "labels");
        Map<String, String> now = Json.map(object, "metadata", "labels");
        Set<String> changed = new TreeSet<>(before.keySet());
        changed.addAll(now.keySet());
        changed.removeIf(label -> before.containsKey(label) && before.get(label).equals(now.get(label)));
        List<String> forbidden =
                changed.stream().filter(label -> !mayChange(label)).toList();
        require(forbidden.isEmpty(), Kind.NODE, "is not allowed to modify labels: " + String.join(", ", forbidden));
    }

    private static boolean mayChange(String label) {
        String prefix = label.contains("/") ? label.substring(0, label.indexOf('/')) : "";
        if (isUnder(prefix, RESTRICTED)) {
            return false;
        }
        boolean ofKubernetes = isUnder(prefix, "kubernetes.io") || isUnder(prefix, "k8s.io");
        return !ofKubernetes
                || OWN_LABELS.contains(label)
                || OWN_PREFIXES.stream().anyMatch(own -> isUnder(prefix, own));
    }

    private static boolean isUnder(String prefix, String domain) {
        return prefix.equals(domain) || prefix.endsWith("." + domain);
    }

    private void checkBlocks(JsonNode old, JsonNode object) {
        List<String> before = blocks(old);
        List<String> now = blocks(object);
        if (now.equals(before)) {
            return;
        }
        require(before.isEmpty(), Kind.NODE, "is not allowed to change spec.podCIDRs");
        require(
                old.isMissingNode() || clusterBlocks.isEmpty(),
                Kind.NODE,
                "is not allowed to set spec.podCIDRs: the control plane does");
        for (String text : now) {
            Cidr block = Cidr.find(text)
                    .orElseThrow(() -> refused(Kind.NODE, "names a block \"%s\" that is none".formatted(text)));
            require(isFree(block), Kind.NODE, "is not allowed to take the block %s for its pods".formatted(text));
        }
    }

    private static List<String> blocks(JsonNode object) {
        return Stream.concat(
                        Stream.of(Json.text(object, "spec", "podCIDR")),
                        Json.texts(object, "spec", "podCIDRs").stream())
                .filter(text -> !text.isEmpty())
                .distinct()
                .toList();
    }

    private boolean isFree(Cidr block) {
        int shortest = block.network().toString().contains(":") ? SHORTEST_IPV6 : SHORTEST_IPV4;
        boolean inside = clusterBlocks.isEmpty()
                || clusterBlocks.stream()
                        .anyMatch(all -> all.contains(block.network()) && all.prefix() <= block.prefix());
        return inside
                && block.prefix() >= shortest
                && new ServiceCidrs(cache).blocks().stream().noneMatch(block::overlaps)
                && cache.of(Kind.NODE).list("").items().stream()
                        .map(ApiObject::tree)
                        .noneMatch(other -> isOfOther(other, block));
    }

    private boolean isOfOther(JsonNode other, Cidr block) {
        boolean taken = !ObjectMeta.of(other).key().name().equals(node)
                && blocks(other).stream()
                        .flatMap(text -> Cidr.find(text).stream())
                        .anyMatch(block::overlaps);
        return taken || ClusterAddresses.ofNode(other).anyMatch(block::contains);
    }

    private void require(boolean allowed, Kind kind, String why) {
        if (!allowed) {
            throw refused(kind, why);
        }
    }

    private StatusException refused(Kind kind, String why) {
        return StatusException.forbidden(kind, node, "node \"%s\" %s".formatted(node, why));
    }
}
