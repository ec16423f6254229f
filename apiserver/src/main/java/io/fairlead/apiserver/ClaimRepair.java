package io.fairlead.apiserver;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// Gives back what a crash left behind: claims of addresses and ports that no Service has.
final class ClaimRepair {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimRepair.class);
    private static final Duration PERIOD = Duration.ofMinutes(1);
    // A write takes its claims before it stores the Service: until then a young claim looks like a forgotten one.
    private static final Duration OLD_ENOUGH = Duration.ofMinutes(1);

    private final WatchCache cache;
    private final Claims claims;
    private final Stamp stamp;

    ClaimRepair(WatchCache cache, Claims claims, Stamp stamp) {
        this.cache = cache;
        this.claims = claims;
        this.stamp = stamp;
    }

    void run() throws InterruptedException {
        while (true) {
            repair();
            Thread.sleep(PERIOD);
        }
    }

    /// The number of claims that were given back.
    int repair() throws InterruptedException {
        int forgotten = 0;
        for (Kind kind : List.of(Claims.ADDRESSES, Claims.NODE_PORTS)) {
            for (ApiObject claim : cache.of(kind).list("").items()) {
                if (isOld(claim) && !isHeld(claim)) {
                    LOG.warn("claim without a Service given back kind={} item={}", kind, claim.key());
                    claims.release(new Claims.Claim(kind, claim.key().name(), claim.revision()));
                    forgotten++;
                }
            }
        }
        return forgotten;
    }

    private boolean isOld(ApiObject claim) {
        Instant made = Instant.parse(Json.text(claim.tree(), "metadata", "creationTimestamp"));
        return made.plus(OLD_ENOUGH).isBefore(stamp.now());
    }

    private boolean isHeld(ApiObject claim) {
        JsonNode parent = Json.at(claim.tree(), "spec", "parentRef");
        NamespacedName name = new NamespacedName(Json.text(parent, "namespace"), Json.text(parent, "name"));
        Optional<ApiObject> service = cache.of(Kind.SERVICE).find(name);
        return service.filter(s -> ServiceNeeds.of(s.tree())
                        .contains(claim.kind(), claim.key().name()))
                .isPresent();
    }
}
