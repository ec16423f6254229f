package io.fairlead.lab;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.Protocol;
import io.fairlead.ebpf.EbpfSite;
import io.fairlead.kernel.ControlGroup;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.Route;
import io.fairlead.kernel.RouteSocket;
import io.fairlead.testkit.Flow;
import io.fairlead.testkit.Scenario;
import io.fairlead.testkit.ScenarioNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/// The cluster of a scenario on the real kernel: nodes and pods are namespaces, pods answer, and a backend has
/// programmed each node. It is built anew for each scenario, so not even a tracked connection is left of the last.
final class ScenarioLab implements AutoCloseable {
    private final Scenario scenario;
    private final Topology topology;
    private final LabNetwork network;
    private final Map<NamespacedName, NetworkNamespace> pods = new TreeMap<>();
    private final Answerers answerers = new Answerers();
    private final List<ProgrammedNode> programmed = new ArrayList<>();
    private final LabMode mode;
    private final Optional<LabGroups> groups;

    private ScenarioLab(Scenario scenario, Topology topology, LabMode mode, Optional<LabGroups> groups) {
        this.scenario = scenario;
        this.topology = topology;
        this.mode = mode;
        this.groups = groups;
        this.network = LabNetwork.build(topology);
    }

    /// `groups` are for the mode in which it matters which process sends.
    static ScenarioLab build(Scenario scenario, String name, LabMode mode, Optional<LabGroups> groups)
            throws IOException {
        ScenarioLab lab =
                new ScenarioLab(scenario, Topology.of(name, scenario.nodes().size()), mode, groups);
        try {
            lab.makePods();
            lab.programNodes();
            return lab;
        } catch (RuntimeException | Error e) {
            lab.close();
            throw e;
        }
    }

    Scenario scenario() {
        return scenario;
    }

    /// The question that the sender of a flow asks.
    Question question(Flow flow) {
        return new Question(sender(flow), flow.protocol(), flow.destination(), group(flow));
    }

    /// The control group of who sends: that of its node, in the mode where it matters.
    private Optional<ControlGroup> group(Flow flow) {
        if (mode != LabMode.EBPF || flow.sender() instanceof Flow.Sender.FromOutside) {
            return Optional.empty();
        }
        return groups.map(all -> all.of(topology.name(), scenario.firstNode(flow.sender())));
    }

    /// Whether an answer is right but for the address that the pod saw, and then whose it is: a node's, or the
    /// client's.
    Optional<String> otherSource(Flow flow, Question.Reply reply, List<List<Question.Reply>> possible) {
        if (!(reply instanceof Question.Reply.Answered(String name, Ip source))
                || possible.stream()
                        .flatMap(List::stream)
                        .noneMatch(one ->
                                one instanceof Question.Reply.Answered(String other, var _) && other.equals(name))) {
            return Optional.empty();
        }
        if (source.equals(scenario.address(flow.sender(), source.family()))) {
            return Optional.of("source: the client's");
        }
        return scenario.nodes().stream()
                        .anyMatch(
                                node -> addresses(node.name(), source.family()).contains(source))
                ? Optional.of("source: the node's")
                : Optional.empty();
    }

    /// What a pod that gets the flow must answer: each of these, and nothing else.
    List<List<Question.Reply>> answers(Flow flow, Flow.Outcome.Reaches reaches) {
        return reaches.arrivals().stream()
                .map(arrival -> answers(flow, arrival))
                .toList();
    }

    /// One reply for each source address that is right.
    private List<Question.Reply> answers(Flow flow, Flow.Arrival arrival) {
        String name = answerer(arrival.pod(), arrival.port());
        Family family = flow.destination().ip().family();
        List<Ip> sources = switch (arrival.source()) {
            case Flow.Source.Kept _ -> List.of(scenario.address(flow.sender(), family));
            case Flow.Source.OfNode(String node) -> addresses(node, family);
        };
        return sources.stream()
                .map(source -> (Question.Reply) new Question.Reply.Answered(name, source))
                .toList();
    }

    /// A node is known by its address among the nodes, and by its address among its pods.
    private List<Ip> addresses(String node, Family family) {
        return java.util.stream.Stream.of(
                        scenario.node(node).address(family),
                        podCidr(node, family).at(1))
                .toList();
    }

    private Cidr podCidr(String node, Family family) {
        return place(node).podCidrs().stream()
                .filter(cidr -> cidr.family() == family)
                .findFirst()
                .orElseThrow();
    }

    private NetworkNamespace sender(Flow flow) {
        return switch (flow.sender()) {
            case Flow.Sender.FromPod(NamespacedName pod) -> Objects.requireNonNull(pods.get(pod), pod.toString());
            case Flow.Sender.FromNode(String node) -> network.node(place(node));
            case Flow.Sender.FromOutside(String via) -> {
                route(flow.destination(), scenario.node(via));
                yield network.client();
            }
        };
    }

    /// Lets the outside client's way to a Service lead through one node; a node itself is reached directly.
    private void route(IpPort destination, ScenarioNode via) {
        Ip to = destination.ip();
        if (via.addresses().contains(to)) {
            return;
        }
        Route route = new Route(new Cidr(to, to.family().bits()), List.of(via.address(to.family())), "switch");
        network.outer().run(() -> {
            try (RouteSocket socket = RouteSocket.open()) {
                socket.replaceRoute(route);
            }
        });
    }

    private void makePods() {
        LabPods namespaces = new LabPods(topology);
        scenario.snapshot()
                .pods()
                .values()
                .filter(pod -> !pod.status().podIps().isEmpty())
                .forEach(pod -> {
                    String name = pod.key().namespace() + "-" + pod.key().name();
                    NetworkNamespace namespace = namespaces.add(
                            place(pod.spec().nodeName()), name, pod.status().podIps());
                    pods.put(pod.key(), namespace);
                    listen(pod, namespace);
                });
    }

    private void listen(Pod pod, NetworkNamespace namespace) {
        pod.spec().lastingContainers().stream()
                .flatMap(container -> container.ports().stream())
                .filter(port -> port.protocol() != Protocol.SCTP)
                .forEach(port ->
                        answerers.add(namespace, port.protocol(), port.port(), answerer(pod.key(), port.port())));
    }

    private void programNodes() {
        for (ScenarioNode node : scenario.nodes()) {
            EbpfSite site = mode == LabMode.EBPF
                    ? groups.orElseThrow().site(topology.name(), node.name())
                    : new EbpfSite("", "");
            programmed.add(ProgrammedNode.of(network.node(place(node.name())), node, facts -> mode.open(facts, site)));
        }
    }

    private static String answerer(NamespacedName pod, int port) {
        return pod + ":" + port;
    }

    /// The place of the node that has the same address there.
    private Topology.NodePlace place(String node) {
        return topology.nodes().stream()
                .filter(place -> place.ips().equals(scenario.node(node).addresses()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("node %s has no place in the lab".formatted(node)));
    }

    @Override
    public void close() throws IOException {
        try {
            programmed.forEach(ProgrammedNode::close);
            answerers.close();
        } finally {
            network.close();
            groups.ifPresent(all -> all.remove(topology.name()));
        }
    }
}
