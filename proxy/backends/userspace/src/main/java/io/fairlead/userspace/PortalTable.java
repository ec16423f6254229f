package io.fairlead.userspace;

import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.userspace.UserspaceEntry.Action.Relay;
import io.fairlead.userspace.UserspaceEntry.Portal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// What the relay knows: the balancer of each portal that is relayed. One thread changes it, many look.
final class PortalTable implements Routes {
    private final Map<Portal.Key, ServiceBalancer> balancers = new ConcurrentHashMap<>();
    private final Map<ServicePortName, ServiceMemory> memories = new ConcurrentHashMap<>();
    private final Map<Portal.Key, ServicePortName> owners = new ConcurrentHashMap<>();
    private final Map<Portal.Key, LongAdder> counts = new ConcurrentHashMap<>();
    private final Map<ServicePortName, Integer> portals = new HashMap<>();

    @Override
    public Optional<Balancer> find(IpPort destination, boolean inside) {
        Optional<Balancer> byAddress = find(PortalAddress.at(destination, Protocol.TCP), inside);
        return byAddress.isPresent()
                ? byAddress
                : find(PortalAddress.ofNode(destination.ip().family(), Protocol.TCP, destination.port()), inside);
    }

    private Optional<Balancer> find(PortalAddress place, boolean inside) {
        Optional<Balancer> own = inside ? find(new Portal.Key(place, true)) : Optional.empty();
        return own.isPresent() ? own : find(new Portal.Key(place, false));
    }

    Optional<Balancer> find(Portal.Key key) {
        return Optional.ofNullable(balancers.get(key));
    }

    /// Leads what comes to a portal to its targets of now; or nowhere, if it is not relayed any more.
    void put(Portal portal) {
        Portal.Key key = new Portal.Key(portal.place(), portal.inside());
        portals.merge(portal.service(), 1, Integer::sum);
        disown(owners.put(key, portal.service()));
        if (portal.action() instanceof Relay relay) {
            ServiceMemory memory = memories.computeIfAbsent(portal.service(), _ -> new ServiceMemory());
            LongAdder connections = counts.computeIfAbsent(key, _ -> new LongAdder());
            balancers.put(key, new ServiceBalancer(relay, memory, connections));
        } else {
            balancers.remove(key);
        }
    }

    void remove(Portal portal) {
        Portal.Key key = new Portal.Key(portal.place(), portal.inside());
        balancers.remove(key);
        counts.remove(key);
        disown(owners.remove(key));
    }

    /// What is remembered of a Service ends with its last portal.
    private void disown(@Nullable ServicePortName before) {
        if (before != null && portals.merge(before, -1, Integer::sum) == 0) {
            portals.remove(before);
            memories.remove(before);
        }
    }

    /// How many connections came to each portal, and went to each target.
    List<ConnectionCount> connections() {
        List<ConnectionCount> all = new ArrayList<>();
        counts.forEach((key, count) -> count(key).ifPresent(all::add));
        memories.forEach((service, memory) -> memory.loads()
                .forEach((target, load) -> all.add(
                        new ConnectionCount.ToTarget(new Counter(service, target), service, target, load.all()))));
        return all;
    }

    Optional<ConnectionCount> count(Portal.Key key) {
        ServicePortName service = owners.get(key);
        LongAdder count = counts.get(key);
        return service == null || count == null
                ? Optional.empty()
                : Optional.of(new ConnectionCount.ToService(key, service, count.sum()));
    }

    /// What tells the counter of a target from others.
    private record Counter(ServicePortName service, IpPort target) {}
}
