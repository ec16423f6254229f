package io.fairlead.forwarding;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.EndpointSlice.Endpoint;
import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.api.Service;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Which endpoints of a Service port may get its connections on one node.
final class Targets {
    /// The slices of a headless Service are for DNS; its endpoints have no address in front of them.
    private static final String HEADLESS = "service.kubernetes.io/headless";

    /// One endpoint of one slice, with the port that the slice gives it.
    record Candidate(Target target, Endpoint endpoint) {
        boolean isReady() {
            return endpoint.ready();
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

    private Targets() {}

    /// Every endpoint behind `port`, in whatever state; an address that stands in several slices is one.
    static Collection<Candidate> candidates(
            Service.Port port, Family family, List<EndpointSlice> slices, NodeFacts node) {
        Map<IpPort, Candidate> candidates = new TreeMap<>();
        slices.stream()
                .filter(slice -> slice.addressType().equals(family.toString()))
                .filter(slice -> !slice.metadata().labels().containsKey(HEADLESS))
                .flatMap(slice -> candidates(port, slice, node))
                .filter(candidate -> candidate.target().address().ip().family() == family)
                .forEach(candidate -> candidates.merge(candidate.target().address(), candidate, BETTER));
        return candidates.values();
    }

    /// The ready ones; or, so that a Service whose pods all go down answers to the last, those that still serve.
    static List<Target> anywhere(Collection<Candidate> candidates) {
        List<Target> ready = those(candidates, Candidate::isReady);
        return ready.isEmpty() ? those(candidates, Candidate::isServingWhileTerminating) : ready;
    }

    private static List<Target> those(Collection<Candidate> candidates, Predicate<Candidate> condition) {
        return candidates.stream().filter(condition).map(Candidate::target).toList();
    }

    private static Stream<Candidate> candidates(Service.Port port, EndpointSlice slice, NodeFacts node) {
        return slice.ports().stream()
                .filter(p -> p.name().equals(port.name()) && p.protocol() == port.protocol() && p.port() != 0)
                .flatMap(p -> slice.endpoints().stream()
                        .filter(endpoint -> !endpoint.addresses().isEmpty())
                        .map(endpoint -> candidate(endpoint, p.port(), node)));
    }

    // The API allows several addresses and gives a meaning to the first alone.
    private static Candidate candidate(Endpoint endpoint, int port, NodeFacts node) {
        IpPort address = new IpPort(endpoint.addresses().getFirst(), port);
        return new Candidate(new Target(address, endpoint.nodeName().equals(node.name())), endpoint);
    }
}
