package io.fairlead.objects;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Revision;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// The blocks that cluster addresses come from: those of the ServiceCIDR objects that are ready.
public final class ServiceCidrs {
    /// The ServiceCIDR that every cluster has.
    public static final String DEFAULT = "kubernetes";

    private static final Comparator<ApiObject> DEFAULT_FIRST =
            Comparator.comparing(object -> !object.key().name().equals(DEFAULT));

    private record Known(Revision revision, List<Cidr> blocks) {}

    private final WatchCache cache;
    private volatile Known known = new Known(Revision.ZERO, List.of());

    public ServiceCidrs(WatchCache cache) {
        this.cache = cache;
    }

    /// The blocks in the order in which they are used. Every create of a Service asks, and they hardly ever change.
    public List<Cidr> blocks() {
        // Taken before the objects are read: what changes in between is found by the next who asks.
        Revision now = cache.of(Kind.SERVICE_CIDR).newest();
        Known last = known;
        if (!last.revision.equals(now)) {
            last = new Known(now, read());
            known = last;
        }
        return last.blocks;
    }

    private List<Cidr> read() {
        return cache.of(Kind.SERVICE_CIDR).list("").items().stream()
                .filter(object -> isReady(object))
                .sorted(DEFAULT_FIRST)
                .flatMap(object -> blocks(object.tree()).stream())
                .toList();
    }

    /// The blocks of one ServiceCIDR.
    public static List<Cidr> blocks(JsonNode serviceCidr) {
        return Json.texts(serviceCidr, "spec", "cidrs").stream()
                .flatMap(text -> Cidr.find(text).stream())
                .toList();
    }

    /// The first address of a block names the network, and the last one of an IPv4 block is for broadcasts.
    static boolean isUsable(Cidr block, Ip ip) {
        boolean broadcast = block.family() == Family.IPV4 && ip.equals(block.at(block.size() - 1));
        return block.contains(ip) && !ip.equals(block.network()) && !broadcast;
    }

    private static boolean isReady(ApiObject object) {
        return !object.isTerminating()
                && object.tree()
                        .path("status")
                        .path("conditions")
                        .valueStream()
                        .anyMatch(condition -> Json.text(condition, "type").equals("Ready")
                                && Json.text(condition, "status").equals("True"));
    }
}
