package io.fairlead.forwarding;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentMap;
import io.fairlead.api.Protocol;
import io.fairlead.api.Service;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which Services want which place outside of the cluster; of several that want the same, the first by name has it. So
/// it is decided once, and alike in every mode. Immutable.
record Contest(PersistentMap<Place, List<NamespacedName>> wanted) {
    static final Contest NONE = new Contest(PersistentMap.empty());

    /// A port of an external or a load balancer's address: who knocks there does not know which of the two it is.
    record Place(Ip ip, Protocol protocol, int port) {}

    /// What a Service wants; nothing for most.
    static Set<Place> places(Service service) {
        if (service.externalIps().isEmpty() && service.loadBalancer().ingress().isEmpty()) {
            return Set.of();
        }
        Set<Family> families = service.clusterIps().stream().map(Ip::family).collect(Collectors.toSet());
        Set<Place> places = new HashSet<>();
        Stream.concat(service.externalIps().stream(), service.loadBalancer().vips().stream())
                .filter(ip ->
                        families.contains(ip.family()) && !service.clusterIps().contains(ip))
                .forEach(ip ->
                        service.ports().forEach(port -> places.add(new Place(ip, port.protocol(), port.port()))));
        return places;
    }

    /// After a Service that wanted the places `before` wants those of `now`; who else wants one of them that it takes
    /// or
    /// leaves goes to `touched`.
    Contest with(NamespacedName service, Set<Place> before, Set<Place> now, Consumer<NamespacedName> touched) {
        PersistentMap<Place, List<NamespacedName>> after = wanted;
        for (Place place : before) {
            if (!now.contains(place)) {
                List<NamespacedName> rest = new ArrayList<>(after.find(place).orElse(List.of()));
                rest.remove(service);
                rest.forEach(touched);
                after = rest.isEmpty() ? after.without(place) : after.with(place, List.copyOf(rest));
            }
        }
        for (Place place : now) {
            if (!before.contains(place)) {
                List<NamespacedName> all = new ArrayList<>(after.find(place).orElse(List.of()));
                all.forEach(touched);
                all.add(service);
                Collections.sort(all);
                after = after.with(place, List.copyOf(all));
            }
        }
        return new Contest(after);
    }

    /// The rows of a Service without those of places that another one has.
    List<Forwarding> won(NamespacedName service, List<Forwarding> rows) {
        return wanted.isEmpty()
                ? rows
                : rows.stream()
                        .filter(row -> winner(row.frontend())
                                .filter(other -> !other.equals(service))
                                .isEmpty())
                        .toList();
    }

    private Optional<NamespacedName> winner(Frontend frontend) {
        boolean outside =
                frontend instanceof Frontend.ExternalAddress || frontend instanceof Frontend.LoadBalancerAddress;
        return outside
                ? frontend.address()
                        .flatMap(ip -> wanted.find(new Place(ip, frontend.protocol(), frontend.port())))
                        .map(List::getFirst)
                : Optional.empty();
    }
}
