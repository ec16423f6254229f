package io.fairlead.apiserver;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// The blocks that cluster addresses come from: those of the ServiceCIDR objects that are ready.
final class ServiceCidrs {
    /// The ServiceCIDR that every cluster has.
    static final String DEFAULT = "kubernetes";

    private static final Comparator<ApiObject> DEFAULT_FIRST =
            Comparator.comparing(object -> !object.key().name().equals(DEFAULT));

    private final WatchCache cache;

    ServiceCidrs(WatchCache cache) {
        this.cache = cache;
    }

    /// The blocks in the order in which they are used.
    List<Cidr> blocks() {
        return cache.of(Kind.SERVICE_CIDR).list("").items().stream()
                .filter(object -> isReady(object))
                .sorted(DEFAULT_FIRST)
                .flatMap(object -> blocks(object.tree()).stream())
                .toList();
    }

    /// The blocks of one ServiceCIDR.
    static List<Cidr> blocks(JsonNode serviceCidr) {
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
