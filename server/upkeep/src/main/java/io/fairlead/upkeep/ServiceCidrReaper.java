package io.fairlead.upkeep;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Kind;
import io.fairlead.kinds.ServiceCidrRules;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.Author;
import io.fairlead.objects.KindCache;
import io.fairlead.objects.ObjectWrites;
import io.fairlead.objects.ServiceCidrs;
import io.fairlead.objects.UpdatePart;
import io.fairlead.objects.WatchCache;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets a ServiceCIDR that is being deleted go once every address out of it is free, or lies in another one too.
public final class ServiceCidrReaper {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceCidrReaper.class);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);
    private static final Duration REST = Duration.ofHours(1);

    private final WatchCache cache;
    private final ServiceCidrs cidrs;
    private final ObjectWrites writes;

    public ServiceCidrReaper(WatchCache cache, ServiceCidrs cidrs, ObjectWrites writes) {
        this.cache = cache;
        this.cidrs = cidrs;
        this.writes = writes;
    }

    public void run() throws InterruptedException {
        KindCache all = cache.of(Kind.SERVICE_CIDR);
        while (true) {
            KindCache.Listing listing = all.list("");
            boolean waiting = false;
            for (ApiObject cidr : listing.items()) {
                if (cidr.isTerminating()) {
                    waiting |= !reap(cidr);
                }
            }
            // Addresses come free without a change to any ServiceCIDR, so one that waits is looked at again soon.
            if (all.await(listing.revision(), waiting ? LOOK_AGAIN : REST).isEmpty()) {
                return;
            }
        }
    }

    /// True if nothing holds it any more.
    private boolean reap(ApiObject cidr) throws InterruptedException {
        List<Cidr> own = ServiceCidrs.blocks(cidr.tree());
        List<Cidr> others = cidrs.blocks();
        boolean used = cache.of(Kind.IP_ADDRESS).list("").items().stream()
                .flatMap(address -> Ip.find(address.key().name()).stream())
                .anyMatch(ip -> isIn(own, ip) && !isIn(others, ip));
        if (!used && writes.exists(cidr.kind(), cidr.key())) {
            writes.update(
                    cidr.kind(), cidr.key(), UpdatePart.ALL, old -> ServiceCidrRules.freed(old.tree()), Author.SERVER);
            LOG.info("service CIDR gone name={} blocks={}", cidr.key().name(), own);
        }
        return !used;
    }

    private static boolean isIn(List<Cidr> blocks, Ip ip) {
        return blocks.stream().anyMatch(block -> block.contains(ip));
    }
}
