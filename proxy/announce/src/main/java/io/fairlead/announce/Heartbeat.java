package io.fairlead.announce;

import io.fairlead.api.Cidr;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Lease;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.runtime.Latest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Renews the Lease by which other nodes know that this one announces, as long as there is an address to announce.
final class Heartbeat {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final AnnounceConfig config;
    private final ApiClient client;

    Heartbeat(AnnounceConfig config, ApiClient client) {
        this.config = config;
        this.client = client;
    }

    /// `needed` says whether there is anything to announce.
    void run(Latest<Boolean> needed) throws InterruptedException {
        boolean beats = needed.take();
        boolean healthy = true;
        while (true) {
            if (beats) {
                healthy = renew(healthy);
                beats = needed.take(config.period()).orElse(beats);
            } else {
                beats = needed.take();
            }
        }
    }

    private boolean renew(boolean healthy) throws InterruptedException {
        try {
            write(tree(LocalLink.read(), Instant.now()));
            if (!healthy) {
                LOG.info("event=lease-renewed announcer={}", config.node());
            }
            return true;
        } catch (ApiException | AnnounceException e) {
            if (healthy) {
                LOG.warn("event=lease-not-renewed announcer={} reason=\"{}\"", config.node(), e.getMessage());
            }
            return false;
        }
    }

    private void write(ObjectNode lease) throws InterruptedException {
        try {
            client.mergePatch(Kind.LEASE, Lease.ofAnnouncer(config.node()), lease);
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
            client.create(Kind.LEASE, lease);
        }
    }

    private ObjectNode tree(List<LocalLink> links, Instant now) {
        NamespacedName name = Lease.ofAnnouncer(config.node());
        ObjectNode lease =
                Json.object().put("apiVersion", Kind.LEASE.apiVersion()).put("kind", Kind.LEASE.name());
        ObjectNode metadata =
                lease.putObject("metadata").put("namespace", name.namespace()).put("name", name.name());
        metadata.putObject("labels").put(Announcer.LABEL, "true");
        metadata.putObject("annotations")
                .put(
                        Candidate.NETWORKS,
                        links.stream()
                                .flatMap(link -> link.networks().stream())
                                .map(Cidr::toString)
                                .collect(Collectors.joining(",")));
        lease.putObject("spec")
                .put("holderIdentity", config.node())
                .put("leaseDurationSeconds", (int)
                        config.lease().plusMillis(999).toSeconds())
                .put("renewTime", MICROS.format(now));
        return lease;
    }
}
