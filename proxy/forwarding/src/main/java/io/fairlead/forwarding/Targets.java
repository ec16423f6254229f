package io.fairlead.forwarding;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.EndpointSlice.Endpoint;
import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.api.Service;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;

/// Which endpoints of a Service port may get its connections on one node: one list where a connection may go to
/// any node, another where it must stay on this one. Both are sorted by address.
record Targets(List<Target> anywhere, List<Target> onThisNode) {
    /// The slices of a headless Service are for DNS; its endpoints have no address in front of them.
    private static final String HEADLESS = "service.kubernetes.io/headless";

    /// One endpoint of one slice, with the port that the slice gives it.
    record Candidate(Target target, Endpoint endpoint) {
        boolean isReady() {
            return endpoint.ready();
        }

        boolean hasNodeHint() {
            return !endpoint.hints().nodes().isEmpty();
        }

        boolean hasZoneHint() {
            return !endpoint.hints().zones().isEmpty();
        }

        boolean isServingWhileTerminating() {
            return endpoint.serving() && endpoint.terminating();
        }
    }

    // A pod may stand in two slices for a while, when the controller moves it. The one that lets it live is newer.
    private static final BinaryOperator<Candidate> BETTER =
            BinaryOperator.minBy(Comparator.<Candidate, Boolean>comparing(
                            candidate -> candidate.endpoint().terminating())
                    .thenComparing(candidate -> !candidate.isReady())
                    .thenComparing(candidate -> !candidate.target().local()));

    private static final Comparator<Candidate> BY_ADDRESS =
            (one, other) -> one.target.address().compareTo(other.target.address());

    static Targets of(Service.Port port, Family family, List<EndpointSlice> slices, NodeFacts node) {
        return among(candidates(port, family, slices, node), node);
    }

    /// As [#of], without those at this node's own addresses where another is ready: a server of this node answers
    /// before the proxy, so a connection that comes to the row finds it away.
    static Targets elsewhere(Service.Port port, Family family, List<EndpointSlice> slices, NodeFacts node) {
        List<Candidate> all = candidates(port, family, slices, node);
        List<Candidate> others =
                those(all, c -> !node.addresses().contains(c.target.address().ip()));
        return among(others.stream().anyMatch(Candidate::isReady) ? others : all, node);
    }

    private static Targets among(List<Candidate> candidates, NodeFacts node) {
        List<Candidate> local = those(candidates, candidate -> candidate.target.local());
        List<Candidate> ready = those(candidates, Candidate::isReady);
        List<Candidate> anywhere = ready.isEmpty() ? usable(candidates) : near(ready, node);
        return new Targets(targets(anywhere), targets(usable(local)));
    }

    /// How many pods of this node are ready to serve any port of a Service, counted by address.
    static int readyOnThisNode(List<EndpointSlice> slices, NodeFacts node) {
        return (int) slices.stream()
                .filter(Targets::isUsable)
                .flatMap(slice -> slice.endpoints().stream())
                .filter(endpoint -> endpoint.ready() && endpoint.nodeName().equals(node.name()))
                .flatMap(endpoint -> endpoint.addresses().stream().limit(1))
                .distinct()
                .count();
    }

    /// The ready ones; or, so that a Service whose pods all go down answers to the last, those that still serve.
    private static List<Candidate> usable(List<Candidate> candidates) {
        List<Candidate> ready = those(candidates, Candidate::isReady);
        return ready.isEmpty() ? those(candidates, Candidate::isServingWhileTerminating) : ready;
    }

    /// Those meant for this node, or for its zone, by the hints of the controller; all of them where one has no
    /// hint, for then the hints are in the making, or where nothing is meant for us.
    private static List<Candidate> near(List<Candidate> ready, NodeFacts node) {
        if (those(ready, Candidate::hasNodeHint).size() == ready.size()) {
            List<Candidate> same = those(ready, c -> c.endpoint.hints().nodes().contains(node.name()));
            if (!same.isEmpty()) {
                return same;
            }
        }
        if (!node.zone().isEmpty() && those(ready, Candidate::hasZoneHint).size() == ready.size()) {
            List<Candidate> same = those(ready, c -> c.endpoint.hints().zones().contains(node.zone()));
            if (!same.isEmpty()) {
                return same;
            }
        }
        return ready;
    }

    // With loops, here and below: a start looks at every endpoint of the cluster before this is compiled.
    private static List<Candidate> those(List<Candidate> candidates, Predicate<Candidate> condition) {
        List<Candidate> some = new ArrayList<>(candidates.size());
        for (Candidate candidate : candidates) {
            if (condition.test(candidate)) {
                some.add(candidate);
            }
        }
        return some.size() == candidates.size() ? candidates : some;
    }

    private static List<Target> targets(List<Candidate> candidates) {
        Target[] targets = new Target[candidates.size()];
        for (int i = 0; i < targets.length; i++) {
            targets[i] = candidates.get(i).target();
        }
        return List.of(targets);
    }

    /// Every endpoint behind `port`, in whatever state, sorted by address; one that stands in several slices is
    /// one.
    static List<Candidate> candidates(Service.Port port, Family family, List<EndpointSlice> slices, NodeFacts node) {
        List<Candidate> all = new ArrayList<>();
        for (EndpointSlice slice : slices) {
            if (isUsable(slice) && slice.addressType().equals(family.toString())) {
                for (EndpointSlice.Port offered : slice.ports()) {
                    if (isMeant(port, offered)) {
                        add(slice, offered.port(), family, node, all);
                    }
                }
            }
        }
        all.sort(BY_ADDRESS);
        return best(all);
    }

    // The API allows several addresses and gives a meaning to the first alone.
    private static void add(EndpointSlice slice, int port, Family family, NodeFacts node, List<Candidate> candidates) {
        Weights weights = Weights.of(slice);
        for (Endpoint endpoint : slice.endpoints()) {
            if (!endpoint.addresses().isEmpty()
                    && endpoint.addresses().getFirst().family() == family) {
                IpPort address = new IpPort(endpoint.addresses().getFirst(), port);
                String place = endpoint.nodeName();
                int weight = weights.of(address.ip());
                if (weight > 0) { // else it gets no new connection, in any mode
                    Target target = new Target(address, place.equals(node.name()), place.isEmpty(), weight);
                    candidates.add(new Candidate(target, endpoint));
                }
            }
        }
    }

    /// Of those with one address, which stand together, the best.
    private static List<Candidate> best(List<Candidate> sorted) {
        List<Candidate> best = new ArrayList<>(sorted.size());
        for (Candidate candidate : sorted) {
            if (!best.isEmpty() && BY_ADDRESS.compare(best.getLast(), candidate) == 0) {
                best.set(best.size() - 1, BETTER.apply(best.getLast(), candidate));
            } else {
                best.add(candidate);
            }
        }
        return best;
    }

    private static boolean isUsable(EndpointSlice slice) {
        return !slice.metadata().labels().containsKey(HEADLESS);
    }

    private static boolean isMeant(Service.Port port, EndpointSlice.Port offered) {
        return offered.name().equals(port.name()) && offered.protocol() == port.protocol() && offered.port() != 0;
    }
}
