package io.fairlead.commands;

import io.fairlead.access.Pki;
import io.fairlead.access.StaticTokens;
import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.ParseException;
import io.fairlead.balancers.AddressPools;
import io.fairlead.balancers.LoadBalancers;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Kubeconfig;
import io.fairlead.client.Reflector;
import io.fairlead.http.ApiServer;
import io.fairlead.http.ApiServerConfig;
import io.fairlead.http.ClientAccess;
import io.fairlead.http.Limits;
import io.fairlead.kinds.PodSecurityPolicy;
import io.fairlead.kubectl.CommandException;
import io.fairlead.objects.PortRange;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.store.RedisChannel;
import io.fairlead.store.RedisPublisher;
import io.fairlead.store.Store;
import io.fairlead.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/// `fairlead server`: the control plane.
@Command(
        name = "server",
        description = {
            "Run the control plane: the API server over its store, and the controllers.",
            "It makes its keys in DIR/pki and writes DIR/kubeconfig, with which the administrator reaches it."
        },
        footer = {
            "",
            "Examples:",
            "  fairlead server",
            "  fairlead server --bind 192.168.1.10:6443 --service-cidr 10.96.0.0/16,fd00:96::/112",
            "  fairlead server --load-balancer-pool public=192.168.1.200-192.168.1.250",
            "  fairlead server --store etcd:http://10.0.0.1:2379,http://10.0.0.2:2379"
        })
final class ServerCommand implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerCommand.class);

    private final Main main;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS:PORT",
            converter = AddressOption.OfIpPort.class,
            description = "Where to listen. Default: 127.0.0.1:6443.")
    private IpPort bind = IpPort.parse("127.0.0.1:6443");

    @Option(
            names = "--service-cidr",
            split = ",",
            paramLabel = "CIDR",
            converter = AddressOption.OfCidr.class,
            description = "Where the addresses of Services come from, one block of each family. Default: 10.96.0.0/16.")
    private List<Cidr> serviceCidrs = List.of(ApiServerConfig.DEFAULT_SERVICE_CIDR);

    @Option(
            names = "--cluster-cidr",
            split = ",",
            paramLabel = "CIDR",
            converter = AddressOption.OfCidr.class,
            description = {
                "Where nodes that bring no block for their pods get one from, one CIDR of each family.",
                "Each gets a /24 of IPv4 and a /64 of IPv6. Default: none."
            })
    private List<Cidr> clusterCidrs = ControllersConfig.DEFAULT.clusterCidrs();

    @Option(
            names = "--node-monitor-grace-period",
            paramLabel = "DURATION",
            converter = DurationOption.class,
            description = "How long a node may be silent before it counts as lost. Default: 10s.")
    private Duration nodeGrace = ControllersConfig.DEFAULT.nodeGrace();

    @Option(
            names = "--pod-eviction-timeout",
            paramLabel = "DURATION",
            converter = DurationOption.class,
            description = "How long the pods of a lost node stay, if they do not say so themselves. Default: 5m.")
    private Duration podEviction = ControllersConfig.DEFAULT.podEviction();

    @Option(
            names = "--max-endpoints-per-slice",
            paramLabel = "NUMBER",
            description = "How many endpoints an EndpointSlice has at most, from 1 to 1000. Default: 100.")
    private int sliceSize = ControllersConfig.DEFAULT.sliceSize();

    @Option(
            names = "--node-port-range",
            paramLabel = "FIRST-LAST",
            converter = OfPortRange.class,
            description = "Where node ports come from. Default: 30000-32767.")
    private PortRange nodePorts = ApiServerConfig.DEFAULT_NODE_PORTS;

    @Option(
            names = "--allowed-external-ips",
            split = ",",
            paramLabel = "CIDR",
            description = {
                "Where the external IPs of Services may be from; none refuses them all.",
                "Addresses of the cluster itself are never allowed. Default: any other address."
            })
    private List<String> externalIps = List.of();

    @Option(
            names = "--load-balancer-pool",
            paramLabel = "NAME=RANGE[,RANGE...]",
            description = {
                "Addresses for Services of type LoadBalancer: FROM-TO or CIDR, of either family. May be given again.",
                "Default: none, and such Services wait for another load balancer."
            })
    private List<String> pools = List.of();

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = {
                "Where objects are kept: memory:, sqlite:PATH, or etcd:URL[,URL...][?prefix=/P&ca=F&cert=F&key=F].",
                "Default: sqlite:DIR/store.db."
            })
    private String store = "";

    @Option(
            names = "--publish",
            paramLabel = "redis://HOST:PORT/CHANNEL",
            description = "Also publish each change to a Redis channel, for others to read.")
    private String publish = "";

    @Option(
            names = "--strict-names",
            description = "Refuse upper-case letters in names of Services and ports, as Kubernetes does.")
    private boolean strictNames;

    @Option(
            names = "--pod-security",
            paramLabel = "LEVEL",
            description = {
                "What pods may ask for in namespaces without a label for it: privileged, baseline or restricted.",
                "kube-system takes every pod. Default: baseline."
            })
    private String podSecurity = "baseline";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "Who may come in with a token: lines of token,user,uid,\"group,group\".")
    private @Nullable Path tokenFile;

    @Option(
            names = "--audit-log",
            paramLabel = "FILE",
            description = "Append a JSON line for each write: who, what, when, and what came of it.")
    private Path auditLog = Path.of("");

    @Option(
            names = "--max-requests-inflight",
            paramLabel = "N",
            description = "How many requests that read are answered at the same time. Default: 400.")
    private int mostReads = Limits.DEFAULT.reads();

    @Option(
            names = "--max-mutating-requests-inflight",
            paramLabel = "N",
            description = "How many requests that write are answered at the same time. Default: 200.")
    private int mostWrites = Limits.DEFAULT.writes();

    ServerCommand(Main main) {
        this.main = main;
    }

    static final class OfPortRange implements ITypeConverter<PortRange> {
        @Override
        public PortRange convert(String text) {
            return AddressOption.read(text, PortRange::parse);
        }
    }

    @Override
    public void run() {
        Shutdown.interrupts(this::serve);
    }

    private void serve() throws InterruptedException {
        ClusterKeys keys = ClusterKeys.in(main.cluster().dir());
        AddressPools balanced = pools();
        try (var objects = open();
                var server = ApiServer.start(config().withClientAccess(clientAccess(keys)), objects);
                var client = new ApiClient(keys.controllers(reached(server.address())));
                var tasks = new TaskGroup("server")) {
            var reflector = new Reflector(client, Controllers.interests());
            Controllers.run(tasks, reflector, client, controllers());
            LoadBalancers.run(balanced, tasks, reflector, client);
            reflector.run(tasks);
            publish(objects, tasks);
            server.tellOf(tasks);
            tasks.keep("idle-memory", IdleMemory::run);
            tasks.keep("kubeconfig", () -> keepKubeconfig(keys, reached(server.address())));
            tasks.await();
        }
    }

    private ClientAccess clientAccess(ClusterKeys keys) {
        return new ClientAccess.Guarded(
                keys.pki(), tokenFile == null ? StaticTokens.NONE : StaticTokens.read(tokenFile));
    }

    /// The administrator's certificate is renewed long before it ends.
    private void keepKubeconfig(ClusterKeys keys, IpPort server) throws InterruptedException {
        while (true) {
            Duration pause = Pki.LIFE.dividedBy(3);
            try {
                Kubeconfig.write(main.cluster().ownKubeconfig(), keys.administrator(server));
            } catch (ParseException e) { // the disk may be full: the file that is there still works
                LOG.warn("event=kubeconfig-kept reason=\"{}\"", e.getMessage());
                pause = Duration.ofMinutes(1);
            }
            Thread.sleep(pause);
        }
    }

    AddressPools pools() {
        return PoolOption.read(pools, serviceCidrs);
    }

    ApiServerConfig config() {
        try {
            return ApiServerConfig.at(bind)
                    .withServiceCidrs(serviceCidrs)
                    .withNodePorts(nodePorts)
                    .withAdvertised(isForThisMachineOnly(bind.ip()) ? List.of() : List.of(bind))
                    .withStrictNames(strictNames)
                    .withAuditLog(auditLog)
                    .withPodSecurity(podSecurity())
                    .withBlocks(new ApiServerConfig.Blocks(clusterCidrs, allowedExternalIps()))
                    .withLimits(new Limits(Limits.DEFAULT.connections(), mostReads, mostWrites));
        } catch (IllegalArgumentException e) {
            throw new CommandException("error: " + e.getMessage(), e);
        }
    }

    private PodSecurityPolicy podSecurity() {
        return PodSecurityPolicy.Level.find(podSecurity)
                .map(PodSecurityPolicy::of)
                .orElseThrow(() ->
                        new CommandException("error: --pod-security: \"%s\" is not privileged, baseline or restricted"
                                .formatted(podSecurity)));
    }

    private Optional<List<Cidr>> allowedExternalIps() {
        if (externalIps.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                externalIps.equals(List.of("none"))
                        ? List.of()
                        : externalIps.stream().map(Cidr::parse).toList());
    }

    ControllersConfig controllers() {
        try {
            return new ControllersConfig(clusterCidrs, nodeGrace, podEviction, sliceSize);
        } catch (IllegalArgumentException e) {
            throw new CommandException("error: " + e.getMessage(), e);
        }
    }

    private Store open() throws InterruptedException {
        StoreLocation location = location(main.cluster().dir(), store);
        if (location instanceof StoreLocation.Sqlite(Path file)) {
            makeFolderOf(file);
        }
        return StoreWait.open(location);
    }

    private static void makeFolderOf(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
        } catch (IOException e) {
            throw new CommandException("error: --store: the directory of %s cannot be made: %s".formatted(file, e), e);
        }
    }

    static StoreLocation location(Path dir, String store) {
        try {
            return store.isEmpty() ? new StoreLocation.Sqlite(dir.resolve("store.db")) : StoreLocation.parse(store);
        } catch (IllegalArgumentException e) {
            throw new CommandException("error: --store: " + e.getMessage(), e);
        }
    }

    private void publish(Store objects, TaskGroup tasks) {
        if (publish.isEmpty()) {
            return;
        }
        try {
            new RedisPublisher(objects, RedisChannel.parse(publish)).start(tasks);
        } catch (IllegalArgumentException e) {
            throw new CommandException("error: --publish: " + e.getMessage(), e);
        }
    }

    /// Where clients on this machine reach a server that listens at `address`.
    static IpPort reached(IpPort address) {
        return isEveryAddress(address.ip())
                ? new IpPort(Ip.parse(address.ip().family() == Family.IPV4 ? "127.0.0.1" : "::1"), address.port())
                : address;
    }

    // No pod reaches the control plane at such an address.
    private static boolean isForThisMachineOnly(Ip ip) {
        return isEveryAddress(ip) || Cidr.parse("127.0.0.0/8").contains(ip) || ip.equals(Ip.parse("::1"));
    }

    private static boolean isEveryAddress(Ip ip) {
        return ip.equals(Ip.parse("0.0.0.0")) || ip.equals(Ip.parse("::"));
    }
}
