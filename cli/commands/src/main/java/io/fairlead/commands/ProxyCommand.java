package io.fairlead.commands;

import io.fairlead.api.ParseException;
import io.fairlead.api.Problem;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Kubeconfig;
import io.fairlead.kubectl.Cluster;
import io.fairlead.kubectl.CommandException;
import io.fairlead.kubectl.Console;
import io.fairlead.sync.ConntrackSettings;
import io.fairlead.sync.KubeProxyConfiguration;
import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private static final Path ROUTE_LOCALNET = Path.of("/proc/sys/net/ipv4/conf/all/route_localnet");

    private final Main main;
    private final Map<Path, String> files = new HashMap<>();

    private final OptionSpec file = OptionSpec.builder("--config")
            .type(Path.class)
            .paramLabel("FILE")
            .description("A KubeProxyConfiguration (v1alpha1). When it changes, the proxy ends, to be started again.")
            .build();
    private final OptionSpec master = OptionSpec.builder("--master")
            .type(String.class)
            .paramLabel("URL")
            .description("The API server, whatever the kubeconfig says.")
            .build();
    private final OptionSpec writeTo = OptionSpec.builder("--write-config-to")
            .type(Path.class)
            .paramLabel("FILE")
            .description("Write what the file and the flags say together, and exit.")
            .build();
    private final OptionSpec version = flag("--version", "Print the version, and exit.");
    private final OptionSpec cleanup =
            flag("--cleanup", "Remove every rule of every mode, and of kube-proxy, from this machine, and exit.");
    private final OptionSpec initOnly =
            flag("--init-only", "Set the kernel up as far as it needs more than CAP_NET_ADMIN, and exit.");
    private final OptionSpec acknowledge =
            flag("--acknowledge", "Write to this Node which endpoints are programmed, for Fairlead's own node agents.");
    private final AnnounceOptions announce = new AnnounceOptions(false);
    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this)
            .name("proxy")
            .addOption(file)
            .addOption(master)
            .addOption(writeTo)
            .addOption(version)
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
        return ProxyFlags.asSwitch(OptionSpec.builder(name))
                .description(description)
                .build();
    }

    /// The command with all its flags; of one that is given twice the last counts, as with kube-proxy.
    static CommandLine of(Main main) {
        return new CommandLine(new ProxyCommand(main).spec, new Converters()).setOverwrittenOptionsAllowed(true);
    }

    @Override
    public void run() {
        if (ProxyFlags.isOn(version)) {
            Console.of(spec).println("fairlead " + VersionCommand.version());
            return;
        }
        KubeProxyConfiguration configuration = configuration();
        @Nullable Path target = writeTo.getValue();
        if (target != null) {
            write(target, configuration);
        } else if (ProxyFlags.isOn(cleanup)) {
            RulesCleanup.run(Console.of(spec));
        } else if (ProxyFlags.isOn(initOnly)) {
            initialise(configuration);
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

    private ObjectNode read(Path file) {
        try {
            String text = Files.readString(file);
            files.put(file, text);
            List<JsonNode> documents = Yaml.parseAll(text);
            if (documents.size() == 1 && documents.getFirst() instanceof ObjectNode tree) {
                return tree;
            }
            throw new CommandException("error: %s must hold one object".formatted(file));
        } catch (IOException | ParseException e) {
            throw new CommandException("error: cannot read %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static void write(Path target, KubeProxyConfiguration configuration) {
        try {
            Files.writeString(target, configuration.text());
        } catch (IOException e) {
            throw new CommandException("error: --write-config-to: cannot write %s: %s".formatted(target, e), e);
        }
    }

    /// What a proxy with CAP_NET_ADMIN alone may not write.
    private static void initialise(KubeProxyConfiguration configuration) {
        ConntrackSettings.Outcome outcome = configuration.conntrack().apply();
        List<String> failed = new ArrayList<>(outcome.refused());
        outcome.absent().forEach(name -> failed.add(name + ": is not there; load nf_conntrack first"));
        String node = ProxyProgram.nodeName(configuration);
        String mode = ProxyProgram.mode(configuration, node);
        if (configuration.proxy(node, mode).answersAtLocalhost()) {
            try {
                Files.writeString(ROUTE_LOCALNET, "1");
            } catch (IOException e) {
                failed.add(e.toString());
            }
        }
        if (!failed.isEmpty()) {
            throw new CommandException(
                    failed.stream().map("error: --init-only: "::concat).collect(Collectors.joining("\n")));
        }
    }

    private void serve(KubeProxyConfiguration configuration) throws InterruptedException {
        ProxyFlags.unused(spec.commandLine().getParseResult().originalArgs())
                .forEach(name -> LOG.info("event=ignored flag={}", name));
        try (ApiClient client = new ApiClient(access(configuration))) {
            new ProxyProgram(configuration, announce, ProxyFlags.isOn(acknowledge), files).serve(client);
        }
    }

    /// `--kubeconfig`, then the file of the configuration, then what a pod is given; `--master` above them all.
    private ClusterAccess access(KubeProxyConfiguration configuration) {
        @Nullable String server = master.getValue();
        if (server == null) {
            return access(configuration, main.cluster())
                    .orElseGet(() -> main.cluster().access());
        }
        try {
            URI uri = URI.create(server);
            return access(configuration, main.cluster())
                    .map(access -> access.at(uri))
                    .orElseGet(() -> ClusterAccess.of(uri));
        } catch (IllegalArgumentException e) {
            throw new CommandException("error: --master: " + e.getMessage(), e);
        }
    }

    /// What is named, or given to a pod.
    static Optional<ClusterAccess> access(KubeProxyConfiguration configuration, Cluster cluster) {
        if (!cluster.named().isEmpty()) {
            return Optional.of(cluster.access());
        }
        if (!configuration.kubeconfig().isEmpty()) {
            return Optional.of(Kubeconfig.read(Path.of(configuration.kubeconfig()), cluster.context()));
        }
        return cluster.isNamed() ? Optional.of(cluster.access()) : ClusterAccess.ofPod(cluster.environment());
    }
}
