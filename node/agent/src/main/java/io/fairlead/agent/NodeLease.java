package io.fairlead.agent;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import tools.jackson.databind.node.ObjectNode;

/// The sign of life of a node: a Lease of its name in `kube-node-lease`, renewed again and again.
final class NodeLease {
    private static final String NAMESPACE = "kube-node-lease";
    /// The API wants six digits behind the second, always.
    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final NodeConfig config;
    private final ApiClient api;
    private final NamespacedName key;

    NodeLease(NodeConfig config, ApiClient api) {
        this.config = config;
        this.api = api;
        this.key = new NamespacedName(NAMESPACE, config.name());
    }

    void renew(Instant now) throws InterruptedException {
        try {
            api.mergePatch(Kind.LEASE, key, patch(now));
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
            api.create(Kind.LEASE, patch(now));
        }
    }

    private ObjectNode patch(Instant now) {
        ObjectNode lease =
                Json.object().put("apiVersion", Kind.LEASE.apiVersion()).put("kind", Kind.LEASE.name());
        lease.putObject("metadata").put("namespace", key.namespace()).put("name", key.name());
        lease.putObject("spec")
                .put("holderIdentity", config.name())
                .put("leaseDurationSeconds", (int)
                        config.settings().leaseDuration().toSeconds())
                .put("renewTime", MICRO_TIME.format(now));
        return lease;
    }
}
