package io.fairlead.cli;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.ParseException;
import io.fairlead.api.Problem;
import io.fairlead.api.Yaml;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Kubeconfig;
import io.fairlead.client.Reflector;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.proxy.KubeProxyConfiguration;
import io.fairlead.proxy.ModeChoice;
import io.fairlead.proxy.Proxy;
import io.fairlead.proxy.ProxyCleanup;
import io.fairlead.proxy.ProxyConfig;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead proxy`: the proxy alone, on any Kubernetes cluster, with the flags and the file of kube-proxy.
final class ProxyCommand implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyCommand.class);

    /// How long a node may take to appear that says which pods are its own.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Main main;

    private final OptionSpec file = OptionSpec.builder("--config")
            .type(Path.class)
            .paramLabel("FILE")
            .description("A KubeProxyConfiguration (v1alpha1).")
            .build();
    private final OptionSpec cleanup =
            flag("--cleanup", "Remove every rule of every mode from this machine, and exit.");
    private final OptionSpec initOnly =
            flag("--init-only", "Set the kernel up as far as it needs privileges, and exit.");
    private final OptionSpec acknowledge =
            flag("--acknowledge", "Write to this Node which endpoints are programmed, for Fairlead's own node agents.");
    private final AnnounceOptions announce = new AnnounceOptions(false);
    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this)
            .name("proxy")
            .addOption(file)
            .addOption(cleanup)
            .addOption(initOnly)
            .addOption(acknowledge);

    private ProxyCommand(Main main) {
        this.main = main;
        announce.addTo(spec);
        ProxyFlags.addTo(spec);
        spec.usageMessage()
                .description(
                        "Run the proxy of this node: it turns Services and their endpoints into kernel state.",
                        "What is programmed stays when it ends. Needs root.",
                        "Takes kube-proxy's flags and its configuration file; a flag stands above the file.")
                .footer(
                        "",
                        "Examples:",
                        "  fairlead proxy --kubeconfig /etc/fairlead/kubeconfig --cluster-cidr 10.244.0.0/16",
                        "  fairlead proxy --config /var/lib/kube-proxy/config.conf",
                        "  fairlead proxy --cleanup");
    }

    private static OptionSpec flag(String name, String description) {
        return OptionSpec.builder(name)
                .type(Boolean.class)
                .arity("0")
                .initialValue(false)
                .description(description)
                .build();
    }

    /// The command with all its flags.
    static CommandLine of(Main main) {
        return new CommandLine(new ProxyCommand(main).spec, new Converters());
    }

    @Override
    public void run() {
        KubeProxyConfiguration configuration = configuration();
        if (cleanup.<Boolean>getValue()) {
            cleanUp();
        } else if (initOnly.<Boolean>getValue()) {
            configuration.conntrack().apply();
        } else {
            Shutdown.interrupts(() -> serve(configuration));
        }
    }

    /// What the file and the flags say together; throws a [CommandException] that names what is wrong.
    KubeProxyConfiguration configuration() {
        @Nullable Path named = file.getValue();
        ObjectNode tree = ProxyFlags.over(named == null ? ProxyFlags.none() : read(named), spec);
        var configuration = new KubeProxyConfiguration(tree);
        List<Problem> problems = configuration.problems();
        if (!problems.isEmpty()) {
            throw new CommandException(problems.stream()
                    .map(problem -> "error: the proxy's configuration: " + problem)
                    .collect(Collectors.joining("\n")));
        }
        return configuration;
    }

    private static ObjectNode read(Path file) {
        try {
            List<JsonNode> documents = Yaml.parseAll(Files.readString(file));
            if (documents.size() == 1 && documents.getFirst() instanceof ObjectNode tree) {
                return tree;
            }
            throw new CommandException("error: %s must hold one object".formatted(file));
        } catch (IOException | ParseException e) {
            throw new CommandException("error: cannot read %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    private void cleanUp() {
        Console console = Console.of(spec);
        List<String> removed = ProxyCleanup.removeAll();
        removed.forEach(mode -> console.println("removed the rules of mode " + mode));
        if (removed.isEmpty()) {
            console.println("nothing to remove");
        }
    }

    private void serve(KubeProxyConfiguration configuration) throws InterruptedException {
        configuration.unused().forEach(field -> LOG.info("configuration field={} meaning=none", field));
        try (ApiClient client = new ApiClient(access(configuration))) {
            ProxyConfig config = proxy(configuration, client);
            String node = config.node().name();
            var reflector = new Reflector(client, announce.with(Proxy.interests(node)), Proxy.excerpt());
            try (var tasks = new TaskGroup("proxy")) {
                reflector.run(tasks); // first: while the lists come, the kernel is asked what it can do
                configuration.conntrack().apply();
                serve(config, client, reflector, tasks);
            }
        }
    }

    private void serve(ProxyConfig config, ApiClient client, Reflector reflector, TaskGroup tasks)
            throws InterruptedException {
        try (var proxy = Proxy.open(config);
                tasks) { // which must have ended before the proxy lets go of the kernel
            announce.run(announce.config(config.node().name()), client, proxy, reflector, tasks);
            proxy.run(reflector.snapshots(), tasks);
            proxy.tellTo(client, tasks);
            if (acknowledge.<Boolean>getValue()) {
                proxy.acknowledgeTo(client, tasks);
            }
            tasks.await();
        }
    }

    private static ProxyConfig proxy(KubeProxyConfiguration configuration, ApiClient client)
            throws InterruptedException {
        String name = nodeName(configuration);
        ProxyConfig config = configuration.proxy(name, configuration.mode());
        if (configuration.detectsByNode()) {
            config = config.withNode(config.node().withPods(ownPods(client, name)));
        }
        if (configuration.mode().equals("auto")) {
            ModeChoice choice = ModeChoice.auto(config.node());
            LOG.info("mode={} why=\"{}\"", choice.mode(), choice.why());
            config = config.withMode(choice.mode());
        }
        return config;
    }

    /// `--kubeconfig`, then the file of the configuration, then what a pod is given.
    private ClusterAccess access(KubeProxyConfiguration configuration) {
        Cluster cluster = main.cluster();
        if (cluster.named().isEmpty()) {
            if (!configuration.kubeconfig().isEmpty()) {
                return Kubeconfig.read(Path.of(configuration.kubeconfig()));
            }
            Optional<ClusterAccess> pod = ClusterAccess.ofPod(System.getenv());
            if (pod.isPresent()) {
                return pod.get();
            }
        }
        return cluster.access();
    }

    private static String nodeName(KubeProxyConfiguration configuration) {
        try {
            String name = configuration.nodeName();
            return (name.isEmpty() ? InetAddress.getLocalHost().getHostName() : name).toLowerCase(Locale.ROOT);
        } catch (UnknownHostException e) {
            throw new CommandException("error: --hostname-override: this host has no name of its own", e);
        }
    }

    /// The pod networks of the node, which it may not have yet.
    private static LocalPods ownPods(ApiClient client, String name) throws InterruptedException {
        Instant end = Instant.now().plus(PATIENCE);
        while (true) {
            Optional<Node> node =
                    client.find(Kind.NODE, new NamespacedName("", name)).map(Node::of);
            if (node.isPresent() && !node.get().podCidrs().isEmpty()) {
                return LocalPods.within(node.get().podCidrs());
            }
            if (Instant.now().isAfter(end)) {
                throw new CommandException(
                        "error: the node %s has no podCIDR, which --detect-local-mode NodeCIDR needs".formatted(name));
            }
            Thread.sleep(Duration.ofSeconds(1));
        }
    }
}
