package io.fairlead.forwarding;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Where the flows to some frontends may go on to; all others of these frontends are stale (R10).
///
/// UDP has no end: without this the kernel would lead a client that keeps sending to an endpoint that is gone,
/// or to the bare address of a Service that had no endpoint when it began. An endpoint that is ending but still
/// serves keeps its flows. So it is with a TCP connection that no endpoint has answered: all its attempts go where
/// the first went.
public final class LiveFlows {
    private final Protocol protocol;
    private final NodeFacts node;
    private final Map<Frontend, Set<IpPort>> live;

    private LiveFlows(Protocol protocol, NodeFacts node, Map<Frontend, Set<IpPort>> live) {
        this.protocol = protocol;
        this.node = node;
        this.live = live;
    }

    /// For the frontends of a table to which clients connect.
    public static LiveFlows at(ForwardingTable table, Protocol protocol, Collection<IpPort> knocked) {
        Set<Frontend> wanted = knocked.stream()
                .flatMap(place -> Frontend.at(place, protocol).stream())
                .collect(Collectors.toSet());
        Map<Frontend, Set<IpPort>> live = new HashMap<>();
        table.rows()
                .forEach((_, rows) -> rows.stream()
                        .filter(row -> wanted.contains(row.frontend()))
                        .forEach(row -> live.put(row.frontend(), serving(row, table.snapshot()))));
        return new LiveFlows(protocol, table.node(), live);
    }

    /// For the UDP frontends of the Services that changed from one table of a node to the next; gone ones
    /// included.
    public static LiveFlows between(ForwardingTable before, ForwardingTable now) {
        // By the slices, not by the rows: an endpoint that has left the rows may serve its flows until it leaves its
        // slice.
        Set<NamespacedName> changed = new HashSet<>(now.snapshot().servicesChangedSince(before.snapshot()));
        now.rows().changedSince(before.rows(), changed::add); // those of pods, too
        Map<Frontend, Set<IpPort>> live = new HashMap<>();
        for (NamespacedName service : changed) {
            rows(before, service).forEach(row -> live.put(row.frontend(), Set.of()));
        }
        // After all of the gone ones: a frontend may have passed from one Service to another.
        for (NamespacedName service : changed) {
            rows(now, service).forEach(row -> live.put(row.frontend(), serving(row, now.snapshot())));
        }
        return new LiveFlows(Protocol.UDP, now.node(), live);
    }

    public boolean isEmpty() {
        return live.isEmpty();
    }

    /// True if a flow to `destination` that `answerer` gets is for one of the frontends, and not live.
    public boolean isStale(IpPort destination, IpPort answerer) {
        return Frontend.at(destination, protocol).stream()
                .filter(frontend -> !(frontend instanceof Frontend.NodePort) || mayBeOurNodePort(destination, answerer))
                .map(live::get)
                .filter(Objects::nonNull)
                .findFirst()
                .filter(targets -> !targets.contains(answerer))
                .isPresent();
    }

    /// A flow to the same port of another machine is not ours to touch.
    private boolean mayBeOurNodePort(IpPort destination, IpPort answerer) {
        return !answerer.equals(destination)
                || node.addresses().contains(destination.ip())
                || NodePortAddresses.LOOPBACK.stream().anyMatch(network -> network.contains(destination.ip()));
    }

    private static List<Forwarding> rows(ForwardingTable table, NamespacedName service) {
        return table.rows().find(service).orElse(List.of()).stream()
                .filter(row -> row.frontend().protocol() == Protocol.UDP)
                .toList();
    }

    private static Set<IpPort> serving(Forwarding row, Snapshot snapshot) {
        Set<IpPort> serving = new HashSet<>();
        NamespacedName name = row.service().service();
        Optional<Service> service = snapshot.services().find(name);
        if (service.isEmpty() && row.verdict() instanceof Verdict.SendTo(var targets)) {
            targets.forEach(target -> serving.add(target.address())); // a host port of a pod
        }
        for (Service.Port port : service.map(Service::ports).orElse(List.of())) {
            if (port.name().equals(row.service().port())
                    && port.protocol() == row.frontend().protocol()) {
                Targets.candidates(port, row.frontend().family(), snapshot.slicesOf(name), NO_NODE).stream()
                        .filter(candidate -> isServing(candidate.endpoint()))
                        .forEach(candidate -> serving.add(candidate.target().address()));
            }
        }
        return serving;
    }

    private static boolean isServing(EndpointSlice.Endpoint endpoint) {
        return endpoint.ready() || endpoint.serving();
    }

    // Who is local does not matter here.
    private static final NodeFacts NO_NODE = NodeFacts.of("", List.of());
}
