package io.fairlead.commands;

import io.fairlead.access.Subject;
import io.fairlead.access.User;
import io.fairlead.api.IpPort;
import io.fairlead.client.ClusterAccess;
import io.fairlead.kinds.PodSecurityPolicy;
import io.fairlead.kubectl.CommandException;
import io.fairlead.kubectl.ManifestSet;
import io.fairlead.lab.Topology;
import io.fairlead.up.Up;
import io.fairlead.up.UpConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `fairlead up`: a whole cluster on this machine.
@Command(
        name = "up",
        description = {
            "Start a whole cluster on this machine: a control plane, nodes as network namespaces, and a sample"
                    + " Service.",
            "It runs until Ctrl-C, and leaves nothing behind but its state and logs. Needs root."
        },
        footer = {
            "",
            "Examples:",
            "  fairlead up",
            "  fairlead up --nodes 5 --dir /tmp/cluster",
            "  fairlead up --zones 3 --no-sample --manifest shop/"
        })
final class UpCommand implements Runnable {
    private final Main main;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--nodes", paramLabel = "N", description = "How many nodes. Default: 3.")
    private int nodes = 3;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "How nodes program the kernel: ${COMPLETION-CANDIDATES}. Default: nftables.")
    private ProxyMode mode = ProxyMode.NFTABLES;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "What everything on this machine is named after. Default: fairlead.")
    private String name = Topology.DEFAULT_NAME;

    @Option(names = "--ingress", description = "Run an Ingress controller at the edge, with a rule for the sample.")
    private boolean ingress;

    @Option(
            names = "--pod-security",
            paramLabel = "LEVEL",
            description = "What pods may ask for where no label says it: privileged, baseline, restricted.")
    private String podSecurity = UpConfig.POD_SECURITY;

    @Option(
            names = "--registries-conf",
            paramLabel = "FILE",
            description = "Mirrors and insecure registries, as containers-registries.conf(5) has them: nodes then ask"
                    + " registries for nginx, busybox and all others, and only images named fairlead/… are samples.")
    private String registriesConf = "";

    @Option(
            names = "--image-table",
            split = ",",
            paramLabel = "FILE",
            description = "Which folders and programs of this machine stand for which images, on every node.")
    private List<Path> imageTables = List.of();

    @Option(
            names = "--zones",
            paramLabel = "N",
            description = "Spread the nodes over N zones: zone-1, zone-2... Default: nodes without zones.")
    private int zones;

    @Option(
            names = "--dual-stack",
            negatable = true,
            fallbackValue = "true",
            description = "Nodes and pods have addresses of both families in any case; with this the sample Service has"
                    + " one of each, too. --no-dual-stack is a cluster of IPv4 alone.")
    private @Nullable Boolean dualStack;

    @Option(
            names = "--manifest",
            arity = "1..*",
            paramLabel = "FILE",
            description = "Files or folders of YAML or JSON, applied once the nodes are ready; may be repeated.")
    private List<String> manifests = List.of();

    @Option(names = "--no-sample", description = "Leave out the Deployment and the Service hello.")
    private boolean noSample;

    UpCommand(Main main) {
        this.main = main;
    }

    @Override
    public void run() {
        Logs.onlyWarnings(); // it tells its user itself what happens
        Path dir = main.cluster().dir();
        if (PodSecurityPolicy.Level.find(podSecurity).isEmpty()) {
            throw new CommandException(
                    "error: --pod-security: \"%s\" is not privileged, baseline or restricted".formatted(podSecurity));
        }
        checkWishes();
        var config = new UpConfig(
                Boolean.FALSE.equals(dualStack) ? Topology.ofIpv4(name, nodes) : Topology.of(name, nodes),
                mode.toString(),
                dir,
                Launcher.of(dir),
                new Signed(),
                new UpConfig.Wishes(
                        ingress, podSecurity, new UpConfig.NodeWishes(imageTables, zones, registriesConf), content()));
        var up = new Up(config, spec.commandLine().getOut());
        Shutdown.interrupts(up::run);
    }

    private void checkWishes() {
        if (zones < 0 || zones > nodes) {
            throw new CommandException(
                    "error: --zones: %d is not between 0 and the number of nodes, %d".formatted(zones, nodes));
        }
        for (Path table : imageTables) {
            if (!Files.isReadable(table)) {
                throw new CommandException("error: --image-table: %s cannot be read".formatted(table));
            }
        }
        if (noSample && ingress) {
            throw new CommandException("error: --ingress has a rule for the sample, which --no-sample leaves out");
        }
    }

    private UpConfig.Content content() {
        ManifestSet set = ManifestSet.read(manifests);
        return new UpConfig.Content(!noSample, Boolean.TRUE.equals(dualStack), set::apply);
    }

    /// Client certificates that the control plane's own authority signs.
    private static final class Signed implements UpConfig.Keys {
        @Override
        public ClusterAccess own(Path serverDir, IpPort server) {
            return ClusterKeys.in(serverDir).access(server, Subject.of("system:fairlead:up", User.MASTERS));
        }

        @Override
        public ClusterAccess node(Path serverDir, IpPort server, String name) {
            return ClusterKeys.in(serverDir).access(server, Subject.node(name));
        }
    }
}
