package io.fairlead.http;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Lease;
import io.fairlead.api.NamespacedName;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.WatchCache;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// What roles cannot say: the agent of a node writes its own Node and Lease and the status of its own pods, and reads
/// only what its pods refer to. A node that was taken over then gives away no other.
final class NodeRestriction {
    /// By which fields a pod refers to objects of a kind.
    private static final Map<Kind, Set<String>> FIELDS = Map.of(
            Kind.SECRET, Set.of("secret", "secretRef", "secretKeyRef", "imagePullSecrets"),
            Kind.CONFIG_MAP, Set.of("configMap", "configMapRef", "configMapKeyRef"),
            Kind.PERSISTENT_VOLUME_CLAIM, Set.of("persistentVolumeClaim"));

    private final WatchCache cache;

    NodeRestriction(WatchCache cache) {
        this.cache = cache;
    }

    /// Throws a 403 if the agent of `node` oversteps.
    void check(String node, ApiRequest request) {
        Optional<ApiPath> path = request.target();
        if (path.isEmpty()) {
            return;
        }
        boolean writes = !request.method().equals("GET");
        switch (path.get().kind().qualified()) {
            case "nodes" -> {
                require(
                        !request.method().equals("DELETE"),
                        path.get(),
                        "node \"%s\" is not allowed to delete nodes".formatted(node));
                require(
                        !writes || name(path.get(), request).equals(node),
                        path.get(),
                        "node \"%s\" is not allowed to modify node \"%s\"".formatted(node, name(path.get(), request)));
            }
            case "leases.coordination.k8s.io" ->
                require(
                        path.get().namespace().equals(Lease.NODES)
                                && (!writes || isLeaseOf(node, name(path.get(), request))),
                        path.get(),
                        "can only write the Leases of the requesting node, and read those in kube-node-lease");
            case "pods" -> checkPod(node, path.get(), writes);
            case "secrets", "configmaps" ->
                require(
                        isUsedOn(node, path.get()),
                        path.get(),
                        "no relationship found between node \"%s\" and this object".formatted(node));
            case "persistentvolumeclaims" ->
                require(
                        isUsedOn(node, path.get()),
                        path.get(),
                        "no relationship found between node \"%s\" and this object".formatted(node));
            case "persistentvolumes" ->
                require(
                        !writes || releases(node, path.get(), request),
                        path.get(),
                        "node \"%s\" can only take finalizers from volumes of its own".formatted(node));
            case "serviceaccounts" -> checkToken(node, path.get(), request);
            default -> {} // the rest is read by every node, and written by none
        }
    }

    // Nodes read the Leases of all nodes: that is how they agree who announces an address.
    private static boolean isLeaseOf(String node, String lease) {
        return lease.equals(Lease.ofNode(node).name())
                || lease.equals(Lease.ofAnnouncer(node).name());
    }

    private void checkPod(String node, ApiPath path, boolean writes) {
        if (writes) {
            require(
                    !path.isCollection(),
                    path,
                    "node \"%s\" can only write pods that are placed on it".formatted(node));
            require(
                    isOn(node, path.key()),
                    path,
                    "node \"%s\" can only write pods with spec.nodeName set to itself".formatted(node));
        }
    }

    /// A token for a pod of this node alone.
    private void checkToken(String node, ApiPath path, ApiRequest request) {
        if (path.subresource().equals("token")) {
            JsonNode bound = Json.at(request.object(), "spec", "boundObjectRef");
            NamespacedName pod = new NamespacedName(path.namespace(), Json.text(bound, "name"));
            require(
                    Json.text(bound, "kind").equals("Pod") && isOn(node, pod) && runsAs(pod, path.name()),
                    path,
                    "node requested token not bound to a pod of its own");
        }
    }

    private boolean isOn(String node, NamespacedName pod) {
        return cache.of(Kind.POD)
                .find(pod)
                .filter(found -> Json.text(found.tree(), "spec", "nodeName").equals(node))
                .isPresent();
    }

    private boolean runsAs(NamespacedName pod, String account) {
        return cache.of(Kind.POD)
                .find(pod)
                .map(found -> Json.text(found.tree(), "spec", "serviceAccountName"))
                .filter(name -> (name.isEmpty() ? "default" : name).equals(account))
                .isPresent();
    }

    /// True if a pod on the node refers to the object.
    private boolean isUsedOn(String node, ApiPath path) {
        Set<String> fields = FIELDS.getOrDefault(path.kind(), Set.of());
        return !path.isCollection()
                && cache.of(Kind.POD).list(path.namespace()).items().stream()
                        .map(pod -> pod.tree().path("spec"))
                        .filter(spec -> Json.text(spec, "nodeName").equals(node))
                        .anyMatch(spec -> refersTo(spec, fields, path.name()));
    }

    private static boolean refersTo(JsonNode node, Set<String> fields, String name) {
        return node.propertyStream()
                        .anyMatch(field -> fields.contains(field.getKey()) && isNamed(field.getValue(), name))
                || node.valueStream().anyMatch(part -> refersTo(part, fields, name));
    }

    private static boolean isNamed(JsonNode reference, String name) {
        return reference.isArray()
                ? reference.valueStream().anyMatch(one -> isNamed(one, name))
                : Stream.of("name", "secretName", "claimName")
                        .anyMatch(field -> Json.text(reference, field).equals(name));
    }

    /// A patch of nothing but the finalizers of a volume that only this node can have.
    private boolean releases(String node, ApiPath path, ApiRequest request) {
        JsonNode patch = request.object();
        return request.method().equals("PATCH")
                && path.subresource().isEmpty()
                && patch.propertyStream().map(Map.Entry::getKey).allMatch("metadata"::equals)
                && patch.path("metadata")
                        .propertyStream()
                        .map(Map.Entry::getKey)
                        .allMatch(Set.of("finalizers", "resourceVersion")::contains)
                && cache.of(Kind.PERSISTENT_VOLUME)
                        .find(path.key())
                        .filter(volume -> isNodes(volume.tree(), node))
                        .isPresent();
    }

    private static boolean isNodes(JsonNode volume, String node) {
        JsonNode terms = Json.at(volume, "spec", "nodeAffinity", "required", "nodeSelectorTerms");
        return terms.size() == 1
                && terms.get(0).path("matchFields").size() == 1
                && Json.texts(terms.get(0).path("matchFields").get(0), "values").equals(List.of(node));
    }

    private static String name(ApiPath path, ApiRequest request) {
        return path.isCollection() && request.method().equals("POST")
                ? Json.text(request.object(), "metadata", "name")
                : path.name();
    }

    private static void require(boolean allowed, ApiPath path, String why) {
        if (!allowed) {
            throw StatusException.forbidden(path.kind(), path.name(), why);
        }
    }
}
