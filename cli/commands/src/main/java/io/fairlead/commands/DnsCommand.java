package io.fairlead.commands;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Reflector;
import io.fairlead.kubectl.Cluster;
import io.fairlead.kubectl.CommandException;
import io.fairlead.resolver.CorefilePlan;
import io.fairlead.resolver.DnsConfig;
import io.fairlead.resolver.DnsException;
import io.fairlead.resolver.DnsServer;
import io.fairlead.resolver.Forward;
import io.fairlead.resolver.PodDoor;
import io.fairlead.resolver.PodDoorPlan;
import io.fairlead.resolver.ResolvConf;
import io.fairlead.resolver.SearchPath;
import io.fairlead.resolver.UpstreamSettings;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.zone.Name;
import io.fairlead.zone.ZoneSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `fairlead dns`: the server of names alone, on any Kubernetes cluster.
@Command(
        name = "dns",
        description = {
            "Answer questions about names, on any Kubernetes cluster: those of Services and pods from what the API"
                    + " server says, all others from upstream.",
            "/health, /ready, /metrics, /dump/zone and /log are answered over HTTP."
        },
        footer = {
            "",
            "Examples:",
            "  fairlead dns --kubeconfig /etc/fairlead/kubeconfig --address 10.96.0.10:53",
            "  fairlead dns --forward .=192.0.2.53,192.0.2.54 --forward corp=10.1.0.53"
        })
final class DnsCommand implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(DnsCommand.class);
    private static final Path RESOLV_CONF = Path.of("/etc/resolv.conf");
    private static final int PORT = 53;

    private final Main main;

    @Option(
            names = "--address",
            split = ",",
            paramLabel = "IP:PORT",
            converter = AddressOption.OfIpPort.class,
            description = "Where to answer by UDP and TCP. Default: 0.0.0.0:53; with --node-address nowhere else.")
    private List<IpPort> addresses = List.of();

    @Option(
            names = "--http-address",
            paramLabel = "IP:PORT",
            converter = AddressOption.OfIpPort.class,
            description = "Where to answer probes and Prometheus. Default: 0.0.0.0:9153.")
    private IpPort pages = IpPort.parse("0.0.0.0:9153");

    @Option(
            names = "--domain",
            paramLabel = "DOMAIN",
            description = "The domain of the cluster. Default: cluster.local.")
    private String domain = "cluster.local";

    @Option(
            names = "--ttl",
            paramLabel = "SECONDS",
            description = "How long answers about the cluster may be kept. Default: 5.")
    private int ttl = ZoneSettings.DEFAULT.ttl();

    @Option(
            names = "--pods",
            paramLabel = "MODE",
            description =
                    "Names made of the addresses of pods: disabled, insecure (every address), verified (of pods that"
                            + " are there). Default: insecure.")
    private ZoneSettings.PodMode pods = ZoneSettings.PodMode.INSECURE;

    @Option(names = "--zone-names", description = "Give headless Services names for the endpoints of one zone.")
    private boolean zoneNames;

    @Option(
            names = "--forward",
            paramLabel = "DOMAIN=IP[:PORT][,...]",
            description =
                    "Which servers know a domain; \".\" is every other one. May be given again. Default: . and what"
                            + " /etc/resolv.conf names.")
    private List<String> forwards = List.of();

    @Option(names = "--workers", paramLabel = "N", description = "Threads that answer by UDP. Default: one a core.")
    private int workers = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--corefile",
            paramLabel = "FILE",
            description = "A Corefile of CoreDNS, laid over the flags, and followed. Default: that of the ConfigMap"
                    + " kube-system/coredns, where there is one.")
    private @Nullable Path corefile;

    @Option(
            names = "--node-address",
            split = ",",
            paramLabel = "IP",
            converter = AddressOption.OfIp.class,
            description =
                    "Answer the pods of this node at these addresses, those of the cluster's DNS, before the proxy and"
                            + " without connection tracking: for a node cache. Needs the host's network and NET_ADMIN.")
    private List<Ip> nodeAddresses = List.of();

    @Option(
            names = "--autopath",
            description = "Walk the search path of pods here: one question instead of five. Follows all pods.")
    private boolean autopath;

    @Option(
            names = "--upstream-rate",
            paramLabel = "N",
            description = "How many questions a second of one client may go upstream; 0 for any. Default: 1000.")
    private int upstreamRate = UpstreamSettings.DEFAULT.perClient();

    @Option(
            names = "--mixed-case",
            description = "Ask upstream with large and small letters by chance (0x20), which a forger has to guess.")
    private boolean mixedCase;

    @Option(
            names = "--lame-duck",
            paramLabel = "SECONDS",
            description = "How long to go on answering after SIGTERM, while /ready says no. Default: 5.")
    private int lameDuck = 5;

    @Option(names = "--log-queries", description = "Log each question.")
    private boolean log;

    DnsCommand(Main main) {
        this.main = main;
    }

    @Override
    public void run() {
        DnsConfig flags = config();
        Shutdown.interrupts(() -> {
            try (var client = new ApiClient(access())) {
                serve(flags, client);
            }
        });
    }

    private void serve(DnsConfig flags, ApiClient client) throws InterruptedException {
        CorefileSource source = new CorefileSource(Optional.ofNullable(corefile), client);
        String text = source.read();
        DnsConfig config = over(flags, text);
        try (var door = nodeAddresses.isEmpty() ? null : door();
                var tasks = new TaskGroup("dns")) {
            Restart restart = new Restart(tasks);
            var reflector = new Reflector(client, DnsServer.interests(config), DnsServer.excerpt());
            var server = new DnsServer(door == null ? config : config.with(door.places()), tasks);
            server.run(reflector.snapshots());
            if (door != null) {
                server.openTo(door, _ -> new PodDoorPlan(nodeAddresses, List.of()));
            }
            reflector.run(tasks);
            tasks.keep("corefile", () -> follow(source, config, server, restart));
            awaitAndLeave(tasks, config, server, door);
            restart.throwIfAsked();
        }
    }

    private PodDoor door() {
        try {
            return PodDoor.make(nodeAddresses.stream().map(Ip::family).toList());
        } catch (DnsException e) {
            throw new CommandException("error: --node-address: " + e.getMessage(), e);
        }
    }

    /// Pods go elsewhere first; then what is still asked is answered.
    private static void awaitAndLeave(TaskGroup tasks, DnsConfig config, DnsServer server, @Nullable PodDoor door)
            throws InterruptedException {
        try {
            tasks.await();
        } catch (InterruptedException e) {
            if (door != null) {
                door.close();
            }
            LOG.info("event=leaving lame-duck={}", config.lameDuck());
            server.leave(config.lameDuck());
            throw e;
        }
    }

    /// A Corefile that changes is taken up as it is; for another address, or to know pods, the program starts anew.
    private void follow(CorefileSource source, DnsConfig first, DnsServer server, Restart restart)
            throws InterruptedException {
        String text = source.read();
        while (true) {
            text = source.awaitOther(text);
            DnsConfig config;
            try {
                config = over(config(), text);
            } catch (CommandException e) {
                LOG.error("event=corefile-refused source=\"{}\" reason=\"{}\"", source.name(), e.getMessage());
                continue;
            }
            if (!config.addresses().equals(first.addresses())
                    || DnsServer.interests(config).size()
                            > DnsServer.interests(first).size()) {
                restart.ask("the Corefile of %s changed".formatted(source.name()));
            }
            server.change(config);
            LOG.info("event=corefile-changed source=\"{}\"", source.name());
        }
    }

    private static DnsConfig over(DnsConfig flags, String text) {
        if (text.isEmpty()) {
            return flags;
        }
        try {
            List<Ip> own = flags.addresses().stream().map(IpPort::ip).toList();
            return CorefilePlan.over(flags, text, () -> usualServers(own));
        } catch (IllegalArgumentException e) {
            throw new CommandException("error: " + e.getMessage(), e);
        }
    }

    DnsConfig config() {
        try {
            ZoneSettings zone = ZoneSettings.DEFAULT
                    .withOrigin(Name.of(domain))
                    .withTtl(ttl)
                    .withPods(pods)
                    .withZoneScoped(zoneNames);
            return DnsConfig.at(places(), workers)
                    .withZone(zone)
                    .withPages(List.of(pages))
                    .withForwards(forwards())
                    .withUpstream(
                            UpstreamSettings.DEFAULT.withPerClient(upstreamRate).withMixedCase(mixedCase))
                    .withSearch(new SearchPath(autopath, hostDomains()))
                    .withLameDuck(Duration.ofSeconds(lameDuck))
                    .withLog(log);
        } catch (IllegalArgumentException e) {
            throw new CommandException("error: " + e.getMessage(), e);
        }
    }

    private List<IpPort> places() {
        if (!addresses.isEmpty()) {
            return addresses;
        }
        return nodeAddresses.isEmpty()
                ? List.of(IpPort.parse("0.0.0.0:53"))
                : PodDoor.places(nodeAddresses.stream().map(Ip::family).toList());
    }

    private List<Forward> forwards() {
        List<Forward> all =
                new ArrayList<>(forwards.stream().map(DnsCommand::forward).toList());
        if (all.stream().noneMatch(forward -> forward.zone().equals(Name.ROOT))) {
            List<IpPort> usual = usualServers(places().stream().map(IpPort::ip).toList());
            if (!usual.isEmpty()) {
                all.add(new Forward(Name.ROOT, usual));
            }
        }
        return all;
    }

    /// What the machine itself asks, but for ourselves.
    static List<IpPort> usualServers(List<Ip> own) {
        try {
            return ResolvConf.servers(Files.readString(RESOLV_CONF), own);
        } catch (IOException e) {
            return List.of(); // a machine without it asks no server either
        }
    }

    private static List<Name> hostDomains() {
        try {
            return ResolvConf.domains(Files.readString(RESOLV_CONF));
        } catch (IOException e) {
            return List.of();
        }
    }

    private static Forward forward(String text) {
        int equals = text.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException("--forward %s: must be DOMAIN=IP[:PORT]".formatted(text));
        }
        List<IpPort> servers = Arrays.stream(text.substring(equals + 1).split(",", -1))
                .map(server -> Ip.find(server).map(ip -> new IpPort(ip, PORT)).orElseGet(() -> IpPort.parse(server)))
                .toList();
        return new Forward(Name.of(text.substring(0, equals)), servers);
    }

    /// The cluster that is named, or else the one whose pod this is.
    private ClusterAccess access() {
        Cluster cluster = main.cluster();
        return cluster.isNamed()
                ? cluster.access()
                : ClusterAccess.ofPod(System.getenv()).orElseGet(cluster::access);
    }
}
