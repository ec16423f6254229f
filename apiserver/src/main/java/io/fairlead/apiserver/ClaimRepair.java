package io.fairlead.apiserver;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes claims and Services fit again after a crash or a clumsy hand: gives back claims that no Service has, and takes
/// those that a Service should have (decision 11).
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
        Set<Claims.Claim> suspects = Set.of();
        while (true) {
            cache.awaitNewest(); // what is forgotten here may have been claimed through another server
            takeMissing();
            suspects = releaseForgotten(suspects);
            Thread.sleep(PERIOD);
        }
    }

    /// Gives back the claims that no Service has now and none had at the last look, when they were `suspects`; the
    /// suspects of this look come back. Another server may be about to give one back itself, which takes far less
    /// than the time between two looks.
    Set<Claims.Claim> releaseForgotten(Set<Claims.Claim> suspects) throws InterruptedException {
        Set<Claims.Claim> found = new HashSet<>();
        for (Kind kind : List.of(Claims.ADDRESSES, Claims.NODE_PORTS)) {
            for (ApiObject object : cache.of(kind).list("").items()) {
                Claims.Claim claim = Claims.Claim.of(object);
                if (!Claims.isOurs(object) || !isOld(object) || isHeld(object)) {
                    continue;
                }
                if (suspects.contains(claim)) {
                    LOG.warn("claim without a Service given back kind={} item={}", kind, claim.item());
                    claims.release(claim);
                } else {
                    found.add(claim);
                }
            }
        }
        return found;
    }

    /// Takes what Services have without a claim, which others could take else.
    void takeMissing() {
        for (ApiObject service : cache.of(Kind.SERVICE).list("").items()) {
            for (ServiceNeeds.Item item : ServiceNeeds.of(service.tree()).items()) {
                Optional<NamespacedName> owner = claims.owner(item.kind(), item.text());
                if (owner.isEmpty()
                        && claims.take(item.kind(), item.text(), service.key()).isPresent()) {
                    LOG.warn("claim taken for a Service that had none service={} item={}", service.key(), item.text());
                } else if (owner.filter(name -> !name.equals(service.key())).isPresent()) {
                    LOG.error(
                            "two Services have one item item={} service={} owner={}",
                            item.text(),
                            service.key(),
                            owner);
                }
            }
        }
    }

    private boolean isOld(ApiObject claim) {
        Instant made = Instant.parse(Json.text(claim.tree(), "metadata", "creationTimestamp"));
        return made.plus(OLD_ENOUGH).isBefore(stamp.now());
    }

    private boolean isHeld(ApiObject claim) {
        return cache.of(Kind.SERVICE)
                .find(Claims.ownerOf(claim.tree()))
                .filter(service -> ServiceNeeds.of(service.tree())
                        .contains(claim.kind(), claim.key().name()))
                .isPresent();
    }
}
