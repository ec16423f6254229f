package io.fairlead.commands;

import io.fairlead.agent.NodeAgent;
import io.fairlead.agent.NodeCleanup;
import io.fairlead.agent.NodeConfig;
import io.fairlead.agent.NodeSettings;
import io.fairlead.announce.AnnounceConfig;
import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Kind;
import io.fairlead.api.Node;
import io.fairlead.client.Interest;
import io.fairlead.client.Reflector;
import io.fairlead.containers.ImageTable;
import io.fairlead.containers.NodeException;
import io.fairlead.endpoints.ClusterDns;
import io.fairlead.kernel.Cgroups;
import io.fairlead.kernel.KernelException;
import io.fairlead.kubectl.CommandException;
import io.fairlead.kubectl.Console;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.sync.ConntrackSettings;
import io.fairlead.sync.Proxy;
import io.fairlead.sync.ProxyConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `fairlead node`: the node agent and the proxy, in one program.
@Command(
        name = "node",
        description = {
            "Run a node: it registers itself, runs the pods that are placed on it, and leads connections to Services.",
            "Pods and what is programmed stay when it ends; the next one takes them over. Needs root."
        },
        footer = {
            "",
            "Examples:",
            "  fairlead node --name node-1 --node-ip 192.168.1.11 --pod-cidr 10.244.1.0/24 --cluster-cidr"
                    + " 10.244.0.0/16",
            "  fairlead node --name node-1 --cleanup"
        })
final class NodeCommand implements Runnable {
    private final Main main;

    @Mixin
    private NodeOptions node = new NodeOptions();

    private final AnnounceOptions announce = new AnnounceOptions(true);

    @Option(
            names = "--node-ip",
            split = ",",
            paramLabel = "IP",
            converter = AddressOption.OfIp.class,
            description = "The addresses of this node, one of each family. Required, but for --cleanup.")
    private List<Ip> addresses = List.of();

    @Option(
            names = "--pod-cidr",
            split = ",",
            paramLabel = "CIDR",
            converter = AddressOption.OfCidr.class,
            description = "The addresses of this node's pods, one block of each family. Default: what the control plane"
                    + " gives it.")
    private List<Cidr> podCidrs = List.of();

    @Option(
            names = "--name-prefix",
            paramLabel = "PREFIX",
            description = "How the names of the pods' network namespaces begin. Default: fl-NAME.")
    private String prefix = "";

    @Option(names = "--node-labels", split = ",", paramLabel = "KEY=VALUE", description = "Labels of this node.")
    private Map<String, String> labels = Map.of();

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "Where this node stands: its label topology.kubernetes.io/zone.")
    private String zone = "";

    @Option(
            names = "--node-lease-duration-seconds",
            paramLabel = "SECONDS",
            description = "After how long a silence this node is taken for lost. Default: 10.")
    private int leaseSeconds = 10;

    @Option(
            names = "--cluster-dns",
            split = ",",
            paramLabel = "IP",
            converter = AddressOption.OfIp.class,
            description = "The name servers of pods. Default: the addresses of the Service kube-system/kube-dns.")
    private List<Ip> clusterDns = List.of();

    @Option(
            names = "--cluster-domain",
            paramLabel = "DOMAIN",
            description = "The domain of the names of Services. Default: cluster.local.")
    private String clusterDomain = NodeSettings.DEFAULT.clusterDomain();

    @Option(names = "--no-dns", description = "Do not answer questions about names at port 53 of this node.")
    private boolean noDns;

    @Option(
            names = "--image-table",
            split = ",",
            paramLabel = "FILE",
            description = "Which folders and programs of this machine stand for which images, before any registry.")
    private List<Path> imageTables = List.of();

    @Option(
            names = "--sample-images",
            arity = "0..1",
            paramLabel = "WHICH",
            fallbackValue = "ALL",
            description = "Let programs of this machine stand for fairlead/echo, nginx, busybox and a few others; or,"
                    + " with =OURS, for those named fairlead/… alone.")
    private ImageTable.Samples samples = ImageTable.Samples.NONE;

    @Option(
            names = "--log-dir",
            paramLabel = "DIR",
            description = "What nodes/NAME/proxy/logs/ shows. Default: /var/log.")
    private Path logs = Path.of("/var/log");

    @Option(
            names = "--registries-conf",
            paramLabel = "FILE",
            description =
                    "Mirrors and insecure registries, as containers-registries.conf(5) has them. Default: those of"
                            + " this machine.")
    private String registriesConf = "";

    @Option(
            names = "--cleanup",
            description =
                    "End the pods of this node, remove them, their network and every rule of every mode, and exit."
                            + " Its agent must have ended.")
    private boolean cleanup;

    @Spec
    private @Nullable CommandSpec spec;

    private NodeCommand(Main main) {
        this.main = main;
    }

    /// The command with all its options.
    static CommandLine of(Main main) {
        var command = new NodeCommand(main);
        CommandLine line = new CommandLine(command, new Converters());
        command.announce.addTo(line.getCommandSpec());
        return line;
    }

    @Override
    public void run() {
        if (cleanup) {
            cleanUp();
        } else {
            serve();
        }
    }

    private void cleanUp() {
        Shutdown.interrupts(() -> {
            Console console = Console.of(Objects.requireNonNull(spec));
            try {
                NodeCleanup.removeAll(main.cluster().dir(), prefix.isEmpty() ? "fl-" + node.name() : prefix);
                console.println("removed the pods of %s and their network".formatted(node.name()));
            } catch (NodeException | KernelException e) {
                throw new CommandException("error: --cleanup: " + e.getMessage(), e);
            }
            RulesCleanup.run(console);
        });
    }

    private void serve() {
        NodeConfig config = config();
        AnnounceConfig announcer = announce.config(config.name());
        Shutdown.interrupts(() -> {
            try (var client = main.cluster().connect();
                    var dns = noDns ? null : NodeDns.of(config);
                    var proxy = Proxy.open(proxied(config, dns))) {
                var reflector = new Reflector(client, announce.with(interests(config.name())));
                try (var agent = new NodeAgent(config, client, reflector::snapshots);
                        var tasks = new TaskGroup("node")) {
                    var sessions = new NodeSessions(agent, logs);
                    agent.run(tasks);
                    announce.run(announcer, client, proxy, reflector, tasks);
                    show(dns, proxy);
                    proxy.run(reflector.snapshots(), tasks);
                    ProxyProgram.setConntrack(ConntrackSettings.timeouts(), tasks);
                    sessions.serve(config.addresses().getFirst(), main.cluster().access(), tasks);
                    if (dns != null) {
                        tasks.run("dns", dns::await);
                        dns.run(client);
                    }
                    proxy.tellTo(client, tasks);
                    proxy.acknowledgeTo(client, tasks);
                    reflector.run(tasks);
                    awaitWith(tasks, dns);
                }
            }
        });
    }

    /// The control group below which the agent keeps the processes of its pods.
    private static String podGroup(NodeConfig config) {
        return Cgroups.ofNode(config.namespacePrefix());
    }

    /// While the rest goes on: pods are left to other nodes' servers of names first.
    private static void awaitWith(TaskGroup tasks, @Nullable NodeDns dns) throws InterruptedException {
        try {
            tasks.await();
        } finally {
            if (dns != null) {
                dns.close();
            }
        }
    }

    private ProxyConfig proxied(NodeConfig config, @Nullable NodeDns dns) {
        ProxyConfig proxy = node.proxy(config.stateDirectory(), podGroup(config));
        return dns == null ? proxy : proxy.withNode(proxy.node().withAnswered(dns.answered()));
    }

    private static void show(@Nullable NodeDns dns, Proxy proxy) {
        if (dns != null) {
            proxy.show("/dump/zone", () -> dns.zoneText().orElse("the cluster is not known yet\n"));
            proxy.show("/dns/metrics", dns::metrics);
            proxy.tellOf(dns.faults());
        }
    }

    private static List<Interest> interests(String node) {
        Interest pods = new Interest(Kind.POD, "", "spec.nodeName=" + node);
        Stream<Interest> proxy = Proxy.interests(node).stream()
                .filter(interest -> !interest.kind().equals(Kind.NODE));
        return Stream.concat(proxy, Stream.of(Interest.all(Kind.NODE), pods)).toList();
    }

    NodeConfig config() {
        if (addresses.isEmpty()) {
            throw new CommandException("error: --node-ip: a node needs its address");
        }
        try {
            NodeConfig config = NodeConfig.of(
                            node.name(), addresses, podCidrs, main.cluster().dir())
                    .withLabels(labels())
                    .withSettings(settings());
            return prefix.isEmpty() ? config : config.withNamespacePrefix(prefix);
        } catch (IllegalArgumentException e) {
            throw new CommandException("error: " + e.getMessage(), e);
        }
    }

    private Map<String, String> labels() {
        Map<String, String> all = new TreeMap<>(labels);
        if (!zone.isEmpty()) {
            all.put(Node.ZONE, zone);
        }
        if (!noDns) {
            all.put(ClusterDns.SERVES, "true");
        }
        return all;
    }

    private NodeSettings settings() {
        return new NodeSettings(
                Duration.ofSeconds(leaseSeconds),
                clusterDns,
                clusterDomain,
                imageTables,
                new NodeSettings.Images(samples, registriesConf));
    }
}
