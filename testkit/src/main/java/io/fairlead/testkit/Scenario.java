package io.fairlead.testkit;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One behaviour as data: a folder with a cluster, what each node must forward, and connections to make.
///
/// The format is in `docs/scenarios/README.md`.
public final class Scenario {
    /// The addresses of all pods of all scenarios.
    public static final List<Cidr> POD_NETWORKS = List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00:244::/32"));

    /// Where all ClusterIPs of all scenarios come from.
    public static final List<Cidr> SERVICE_NETWORKS = List.of(Cidr.parse("10.96.0.0/16"), Cidr.parse("fd00:96::/112"));

    private static final List<Ip> OUTSIDE = List.of(Ip.parse("198.51.100.10"), Ip.parse("2001:db8::10"));

    private final Path folder;
    private final Snapshot snapshot;
    private final List<ScenarioNode> nodes;
    private final List<Flow> flows;

    private Scenario(Path folder, Snapshot snapshot, List<Flow> flows) {
        this.folder = folder;
        this.snapshot = snapshot;
        this.nodes = snapshot.nodes()
                .values()
                .sorted(Comparator.comparing(Node::name))
                .map(node -> standingOn(node, snapshot))
                .toList();
        this.flows = flows;
    }

    /// Every scenario of connections, by name: for `@MethodSource("io.fairlead.testkit.Scenario#all")`.
    public static Stream<Scenario> all() {
        return having("flows.txt");
    }

    /// Every scenario of names: for `@MethodSource("io.fairlead.testkit.Scenario#withNames")`.
    public static Stream<Scenario> withNames() {
        return having("dns.txt");
    }

    private static Stream<Scenario> having(String file) {
        try (Stream<Path> folders = Files.list(root())) {
            return folders
                    .filter(folder -> Files.exists(folder.resolve(file)))
                    .sorted()
                    .map(Scenario::load)
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Scenario named(String name) {
        return load(root().resolve(name));
    }

    static Scenario load(Path folder) {
        Snapshot snapshot = ScenarioCluster.parse(read(folder.resolve("cluster.yaml")));
        Path flows = folder.resolve("flows.txt");
        String text = Files.exists(flows) ? read(flows) : ""; // a scenario of names has none
        return new Scenario(folder, snapshot, new FlowParser(snapshot).parse(text));
    }

    public String name() {
        return folder.getFileName().toString();
    }

    /// A file of this scenario, such as the golden file of a backend.
    public Path file(String name) {
        return folder.resolve(name);
    }

    public Snapshot snapshot() {
        return snapshot;
    }

    /// The nodes, by name.
    public List<ScenarioNode> nodes() {
        return nodes;
    }

    public ScenarioNode node(String name) {
        return nodes.stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("%s has no node %s".formatted(this, name)));
    }

    public List<Flow> flows() {
        return flows;
    }

    public Pod pod(NamespacedName name) {
        return snapshot.pods()
                .find(name)
                .orElseThrow(() -> new IllegalArgumentException("%s has no pod %s".formatted(this, name)));
    }

    /// What all nodes must forward: the text of `forwarding.txt`.
    public String forwardingText() {
        return nodes.stream()
                .map(node -> "# %s\n%s".formatted(node.name(), node.table().text()))
                .collect(Collectors.joining("\n"));
    }

    /// The address of the client outside.
    public static Ip outside(Family family) {
        return ofFamily(OUTSIDE, family, "outside");
    }

    /// The source address of what `sender` sends in a family.
    public Ip address(Flow.Sender sender, Family family) {
        return switch (sender) {
            case Flow.Sender.FromPod(NamespacedName pod) -> address(pod, family);
            case Flow.Sender.FromNode(String node) -> node(node).address(family);
            case Flow.Sender.FromOutside _ -> outside(family);
        };
    }

    /// The address of a pod in a family.
    public Ip address(NamespacedName pod, Family family) {
        return ofFamily(pod(pod).status().podIps(), family, "pod " + pod);
    }

    /// The node whose rules see the packets of `sender` first.
    public String firstNode(Flow.Sender sender) {
        return switch (sender) {
            case Flow.Sender.FromPod(NamespacedName pod) -> pod(pod).spec().nodeName();
            case Flow.Sender.FromNode(String node) -> node;
            case Flow.Sender.FromOutside(String via) -> via;
        };
    }

    Optional<String> nodeAt(Ip address) {
        return nodes.stream()
                .filter(node -> node.addresses().contains(address))
                .map(ScenarioNode::name)
                .findFirst();
    }

    Optional<Pod> podAt(Ip address) {
        return snapshot.pods()
                .values()
                .filter(pod -> pod.status().podIps().contains(address))
                .findFirst();
    }

    @Override
    public String toString() {
        return name();
    }

    private static ScenarioNode standingOn(Node node, Snapshot snapshot) {
        NodeFacts facts = ScenarioNode.facts(node);
        return new ScenarioNode(node, facts, ForwardingTable.of(snapshot, facts));
    }

    private static Ip ofFamily(List<Ip> addresses, Family family, String whose) {
        return addresses.stream()
                .filter(ip -> ip.family() == family)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("%s has no %s address".formatted(whose, family)));
    }

    /// Maven tells the root of the project; a test started without it runs in a room's folder.
    private static Path root() {
        return Path.of(System.getProperty("fairlead.root", "..")).resolve("docs/scenarios");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
