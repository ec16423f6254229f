package io.fairlead.upkeep;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Revision;
import io.fairlead.kinds.Stamp;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.Claims;
import io.fairlead.objects.ServiceNeeds;
import io.fairlead.objects.WatchCache;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes claims and Services fit again after a crash or a clumsy hand: gives back claims that no Service has, and takes
/// those that a Service should have (decision 039). Its cost follows the changes.
public final class ClaimRepair {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimRepair.class);
    private static final Duration PERIOD = Duration.ofMinutes(1);
    // A write takes its claims before it stores the Service: until then a young claim looks like a forgotten one.
    private static final Duration OLD_ENOUGH = Duration.ofMinutes(1);

    // A start with many Services reads them all once: clients come back in the same moment, and go first.
    private static final int PIECE = 100;
    private static final Duration BREATH = Duration.ofMillis(10);

    private final WatchCache cache;
    private final Claims claims;
    private final Stamp stamp;
    private Map<NamespacedName, Known> known = Map.of();

    /// What a Service holds, as of one revision of it.
    private record Known(Revision revision, ServiceNeeds needs) {}

    public ClaimRepair(WatchCache cache, Claims claims, Stamp stamp) {
        this.cache = cache;
        this.claims = claims;
        this.stamp = stamp;
    }

    public void run() throws InterruptedException {
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
        Set<ServiceNeeds.Item> held = held();
        for (Kind kind : List.of(Claims.ADDRESSES, Claims.NODE_PORTS)) {
            for (ApiObject object : cache.of(kind).list("").items()) {
                Claims.Claim claim = Claims.Claim.of(object);
                if (held.contains(new ServiceNeeds.Item(kind, claim.item())) || !isForgotten(object)) {
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

    private Set<ServiceNeeds.Item> held() throws InterruptedException {
        look();
        Set<ServiceNeeds.Item> held = new HashSet<>();
        known.values().forEach(service -> held.addAll(service.needs.items()));
        return held;
    }

    /// True if a claim that no Service seems to have is ours, and old.
    private boolean isForgotten(ApiObject claim) {
        Instant made = Instant.parse(Json.text(claim.tree(), "metadata", "creationTimestamp"));
        return Claims.isOurs(claim) && made.plus(OLD_ENOUGH).isBefore(stamp.now());
    }

    /// Takes what Services have without a claim, which others could take else.
    void takeMissing() throws InterruptedException {
        Set<NamespacedName> changed = look();
        known.forEach((service, found) -> {
            for (ServiceNeeds.Item item : found.needs.items()) {
                if (!claims.isTaken(item.kind(), item.text())) {
                    take(item, service);
                } else if (changed.contains(service)) {
                    checkOwner(item, service);
                }
            }
        });
    }

    private void take(ServiceNeeds.Item item, NamespacedName service) {
        if (claims.take(item.kind(), item.text(), service).isPresent()) {
            LOG.warn("claim taken for a Service that had none service={} item={}", service, item.text());
        }
    }

    private void checkOwner(ServiceNeeds.Item item, NamespacedName service) {
        Optional<NamespacedName> owner = claims.owner(item.kind(), item.text());
        if (owner.filter(name -> !name.equals(service)).isPresent()) {
            LOG.error("two Services have one item item={} service={} owner={}", item.text(), service, owner);
        }
    }

    /// Reads the Services that changed since the last look, and says which these are.
    private Set<NamespacedName> look() throws InterruptedException {
        Map<NamespacedName, Known> now = new HashMap<>();
        Set<NamespacedName> changed = new HashSet<>();
        for (ApiObject service : cache.of(Kind.SERVICE).list("").items()) {
            Known before = known.get(service.key());
            if (before != null && before.revision.equals(service.revision())) {
                now.put(service.key(), before);
                continue;
            }
            now.put(service.key(), new Known(service.revision(), ServiceNeeds.of(service.tree())));
            changed.add(service.key());
            if (changed.size() % PIECE == 0) {
                Thread.sleep(BREATH);
            }
        }
        known = now;
        return changed;
    }
}
