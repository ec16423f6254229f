package io.fairlead.forwarding;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentMap;
import io.fairlead.api.Protocol;
import io.fairlead.api.Service;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which Services want which place outside of the cluster; of several that want the same, the oldest has it, so that no
/// one takes a place from a Service by a name. Of one second, the first by name. It is decided once, and alike in every
/// mode. Immutable.
record Contest(PersistentMap<Place, List<Rival>> wanted) {
    static final Contest NONE = new Contest(PersistentMap.empty());

    /// A port of an external or a load balancer's address: who knocks there does not know which of the two it is.
    record Place(Ip ip, Protocol protocol, int port) {}

    /// A Service, and since when it is there.
    record Rival(String created, NamespacedName name) implements Comparable<Rival> {
        private static final Comparator<Rival> ORDER =
                Comparator.comparing(Rival::created).thenComparing(Rival::name);

        @Override
        public int compareTo(Rival other) {
            return ORDER.compare(this, other);
        }
    }

    /// What a Service wants; nothing for most.
    record Claim(Rival rival, Set<Place> places) {
        static Claim none(NamespacedName name) {
            return new Claim(new Rival("", name), Set.of());
        }

        static Claim of(Service service) {
            Set<Place> places = Contest.places(service);
            return places.isEmpty()
                    ? none(service.key())
                    : new Claim(new Rival(service.metadata().creationTimestamp(), service.key()), places);
        }

        /// True if `other` wants the place in the same right.
        private boolean shares(Place place, Claim other) {
            return places.contains(place) && other.places.contains(place) && rival.equals(other.rival);
        }
    }

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

    /// After a Service that wished for `before` wishes for `now`; the names of others that want one of the places that
    /// it takes or leaves go to `touched`.
    Contest with(Claim before, Claim now, Consumer<NamespacedName> touched) {
        PersistentMap<Place, List<Rival>> after = wanted;
        for (Place place : before.places) {
            if (!before.shares(place, now)) {
                List<Rival> rest = new ArrayList<>(after.find(place).orElse(List.of()));
                rest.remove(before.rival);
                rest.forEach(rival -> touched.accept(rival.name));
                after = rest.isEmpty() ? after.without(place) : after.with(place, List.copyOf(rest));
            }
        }
        for (Place place : now.places) {
            if (!now.shares(place, before)) {
                List<Rival> all = new ArrayList<>(after.find(place).orElse(List.of()));
                all.forEach(rival -> touched.accept(rival.name));
                all.add(now.rival);
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
                        .map(rivals -> rivals.getFirst().name)
                : Optional.empty();
    }
}
