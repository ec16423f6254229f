package io.fairlead.testkit;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.AffinityTracer;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Packet.Entrance;
import io.fairlead.forwarding.Trace;
import io.fairlead.forwarding.Trace.Delivery;
import io.fairlead.forwarding.Tracer;
import io.fairlead.testkit.Flow.Arrival;
import io.fairlead.testkit.Flow.Outcome;
import io.fairlead.testkit.Flow.Sender;
import io.fairlead.testkit.Flow.Source;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.assertj.core.api.SoftAssertions;

/// Sends the flows of a scenario through the tracers of its nodes, and compares what becomes of them.
public final class FlowCheck {
    private final Scenario scenario;
    private final Map<String, Tracer> tracers = new HashMap<>();

    private FlowCheck(Scenario scenario, Function<ScenarioNode, Tracer> tracers) {
        this.scenario = scenario;
        scenario.nodes().forEach(node -> this.tracers.put(node.name(), tracers.apply(node)));
    }

    /// Checks all flows; `tracers` gives the tracer of each node's program.
    public static void check(Scenario scenario, Function<ScenarioNode, Tracer> tracers) {
        FlowCheck check = new FlowCheck(scenario, tracers);
        SoftAssertions.assertSoftly(softly -> scenario.flows()
                .forEach(flow -> softly.assertThat(check.result(flow))
                        .as("%s: %s", scenario.name(), flow)
                        .isEqualTo(flow.outcome().toString())));
    }

    /// What becomes of each flow, as the scenario would say it.
    public static Map<Flow, String> outcomes(Scenario scenario, Function<ScenarioNode, Tracer> tracers) {
        FlowCheck check = new FlowCheck(scenario, tracers);
        Map<Flow, String> outcomes = new LinkedHashMap<>();
        scenario.flows().forEach(flow -> outcomes.put(flow, check.result(flow)));
        return outcomes;
    }

    private String result(Flow flow) {
        Ip source = scenario.address(flow.sender(), flow.destination().ip().family());
        Entrance entrance = switch (flow.sender()) {
            case Sender.FromPod _ -> Entrance.POD;
            case Sender.FromNode _ -> Entrance.NODE;
            case Sender.FromOutside _ -> Entrance.INTERFACE;
        };
        String first = scenario.firstNode(flow.sender());
        Packet packet = new Packet(source, flow.destination(), flow.protocol(), entrance);
        Trace trace = trace(first, packet);
        Optional<String> next = scenario.nodeAt(flow.destination().ip()).filter(node -> !node.equals(first));
        if (trace instanceof Trace.Untouched && next.isPresent()) {
            // It leaves the first node as it came, and arrives at the one whose address it bears.
            Packet arriving = new Packet(source, flow.destination(), flow.protocol(), Entrance.INTERFACE);
            return result(flow, next.get(), arriving);
        }
        return result(flow, first, packet);
    }

    private String result(Flow flow, String node, Packet packet) {
        String result = result(flow.destination(), node, trace(node, packet));
        return flow.outcome() instanceof Outcome.Stays && staysTheSame(node, packet)
                ? result + ", the same each time"
                : result;
    }

    /// A tracer without a memory cannot tell: then the row itself must ask for affinity, and the lab finds out the
    /// rest.
    private boolean staysTheSame(String node, Packet packet) {
        return tracers.get(node) instanceof AffinityTracer tracer
                ? tracer.traceAll(List.of(packet, packet, packet)).stream()
                        .allMatch(way -> way.stream().distinct().count() == 1)
                : asksForAffinity(node, packet);
    }

    private boolean asksForAffinity(String node, Packet packet) {
        return scenario.nodes().stream()
                .filter(each -> each.name().equals(node))
                .flatMap(each -> each.table().all())
                .anyMatch(row -> leadsTo(row.frontend(), packet) && row.affinity() instanceof Affinity.ClientIp);
    }

    private static boolean leadsTo(Frontend frontend, Packet packet) {
        IpPort destination = packet.destination();
        return switch (frontend) {
            case Frontend.NodePort nodePort ->
                nodePort.equals(
                        new Frontend.NodePort(destination.ip().family(), packet.protocol(), destination.port()));
            case Frontend.VirtualAddress address ->
                address.equals(new Frontend.VirtualAddress(destination.ip(), packet.protocol(), destination.port()));
            case Frontend.LoadBalancerAddress address ->
                address.equals(
                        new Frontend.LoadBalancerAddress(destination.ip(), packet.protocol(), destination.port()));
            case Frontend.ExternalAddress address ->
                address.equals(new Frontend.ExternalAddress(destination.ip(), packet.protocol(), destination.port()));
        };
    }

    private Trace trace(String node, Packet packet) {
        return Objects.requireNonNull(tracers.get(node)).trace(packet);
    }

    private String result(IpPort destination, String node, Trace trace) {
        return switch (trace) {
            case Trace.Delivered(Set<Delivery> deliveries) -> reached(deliveries, node);
            case Trace.Refused _ -> new Outcome.Refused().toString();
            case Trace.Dropped _ -> new Outcome.Dropped().toString();
            case Trace.Untouched _ -> untouched(destination, node);
        };
    }

    /// No program listens on the nodes of a scenario: their own kernels refuse.
    private String untouched(IpPort destination, String node) {
        if (scenario.podAt(destination.ip()).isPresent()) {
            return reached(Set.of(new Delivery(destination, false)), node);
        }
        Outcome outcome = scenario.nodeAt(destination.ip()).isPresent() ? new Outcome.Refused() : new Outcome.Leaves();
        return outcome.toString();
    }

    private String reached(Set<Delivery> deliveries, String node) {
        Set<Arrival> arrivals = new HashSet<>();
        for (Delivery delivery : deliveries) {
            Optional<Arrival> arrival = arrival(delivery, node);
            if (arrival.isEmpty()) {
                return "leaves %s for %s, where no pod is".formatted(node, delivery.target());
            }
            arrivals.add(arrival.get());
        }
        return new Outcome.Reaches(arrivals).toString();
    }

    private Optional<Arrival> arrival(Delivery delivery, String node) {
        Source source = delivery.masqueraded() ? new Source.OfNode(node) : new Source.Kept();
        return scenario.podAt(delivery.target().ip())
                .map(pod -> new Arrival(pod.key(), delivery.target().port(), source));
    }
}
