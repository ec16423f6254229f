package io.fairlead.nginx;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Which of several controllers writes the status of Ingresses: the one that holds a Lease.
final class Leadership {
    static final Duration PERIOD = Duration.ofSeconds(3);

    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
    private static final int SECONDS = 15;
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final ApiClient client;
    private final NamespacedName name;
    private final String identity;
    private String seen = "";
    private long seenAt = System.nanoTime();
    private boolean leads;

    Leadership(ApiClient client, NamespacedName name, String identity) {
        this.client = client;
        this.name = name;
        this.identity = identity;
    }

    /// Renews the Lease, or takes it if its holder was silent for as long as it promised not to be.
    boolean renew() throws InterruptedException {
        boolean before = leads;
        try {
            leads = attempt();
        } catch (ApiException e) {
            leads = false;
            LOG.debug("event=lease-refused lease={} reason=\"{}\"", name, e.getMessage());
        }
        if (before != leads) {
            LOG.info("event=leadership controller={} leads={}", identity, leads);
        }
        return leads;
    }

    private boolean attempt() throws InterruptedException {
        Optional<ObjectNode> found = client.find(Kind.LEASE, name);
        if (found.isEmpty()) {
            client.create(Kind.LEASE, held(Json.object()));
            return true;
        }
        ObjectNode lease = found.get();
        String holder = Json.text(lease, "spec", "holderIdentity");
        // By our own clock: those of two machines need not agree.
        String mark = holder + Json.text(lease, "spec", "renewTime");
        if (!mark.equals(seen)) {
            seen = mark;
            seenAt = System.nanoTime();
        }
        boolean silent =
                System.nanoTime() - seenAt > Duration.ofSeconds(SECONDS).toNanos();
        if (holder.isEmpty() || holder.equals(identity) || silent) {
            client.update(Kind.LEASE, held(lease));
            return true;
        }
        return false;
    }

    /// Gives the Lease up, so that another need not wait.
    void release() throws InterruptedException {
        if (leads) {
            leads = false;
            ObjectNode patch = Json.object();
            patch.putObject("spec").put("holderIdentity", "");
            client.mergePatch(Kind.LEASE, name, patch);
        }
    }

    private ObjectNode held(ObjectNode lease) {
        lease.put("apiVersion", Kind.LEASE.apiVersion()).put("kind", Kind.LEASE.name());
        lease.withObject("metadata").put("namespace", name.namespace()).put("name", name.name());
        lease.withObject("spec")
                .put("holderIdentity", identity)
                .put("leaseDurationSeconds", SECONDS)
                .put("renewTime", MICROS.format(Instant.now()));
        return lease;
    }
}
