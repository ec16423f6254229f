package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The row of ServiceCIDR: a block that addresses are given out of as soon as it is stored, and that stays until it has
/// none left.
public record ServiceCidrRules(Stamp stamp) implements KindRules {
    static final String FINALIZER = "networking.k8s.io/service-cidr-finalizer";

    @Override
    public Kind kind() {
        return Kind.SERVICE_CIDR;
    }

    @Override
    public void prepareCreate(ObjectNode cidr) {
        ObjectNode metadata = Tree.object(cidr, "metadata");
        ArrayNode finalizers =
                metadata.path("finalizers") instanceof ArrayNode given ? given : metadata.putArray("finalizers");
        if (!Json.texts(metadata, "finalizers").contains(FINALIZER)) {
            finalizers.add(FINALIZER);
        }
        setReady(cidr, "True", "", "Kubernetes Service CIDR is ready");
    }

    @Override
    public void prepareDelete(ObjectNode cidr) {
        setReady(
                cidr,
                "False",
                "Terminating",
                "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR");
    }

    private void setReady(ObjectNode cidr, String status, String reason, String message) {
        Tree.object(cidr, "status")
                .putArray("conditions")
                .addObject()
                .put("type", "Ready")
                .put("status", status)
                .put("reason", reason)
                .put("message", message)
                .put("lastTransitionTime", stamp.timestamp(0));
    }

    /// The ServiceCIDR once nothing holds it any more.
    public static ObjectNode freed(JsonNode cidr) {
        ObjectNode next = (ObjectNode) cidr.deepCopy();
        ArrayNode left = Json.object().putArray("finalizers");
        Json.texts(next, "metadata", "finalizers").stream()
                .filter(finalizer -> !finalizer.equals(FINALIZER))
                .forEach(left::add);
        Tree.object(next, "metadata").set("finalizers", left);
        return next;
    }

    @Override
    public List<Problem> check(JsonNode cidr) {
        return ServiceCidrValidation.check(cidr);
    }

    @Override
    public List<Problem> checkUpdate(JsonNode old, JsonNode cidr) {
        return ServiceCidrValidation.checkUpdate(old, cidr);
    }

    @Override
    public Set<String> subresources() {
        return Set.of("status");
    }

    @Override
    public List<Column> columns() {
        return List.of(
                Column.NAME,
                Column.text("CIDRs", cidr -> String.join(",", Json.texts(cidr, "spec", "cidrs"))),
                Column.AGE);
    }
}
