package io.fairlead.commands;

import io.fairlead.agent.NodeConfig;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Reflector;
import io.fairlead.endpoints.ClusterDns;
import io.fairlead.resolver.CorefilePlan;
import io.fairlead.resolver.DnsConfig;
import io.fairlead.resolver.DnsException;
import io.fairlead.resolver.DnsServer;
import io.fairlead.resolver.Forward;
import io.fairlead.resolver.PodDoor;
import io.fairlead.resolver.PodDoorPlan;
import io.fairlead.runtime.TaskFaults;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.zone.Name;
import io.fairlead.zone.ZoneSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The server of names on a node: it answers the node's pods at the address of the cluster's DNS, and those of nodes
/// whose own server is away at the node's addresses.
final class NodeDns implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDns.class);
    private static final int PORT = 53;

    /// How long questions that came before the door was shut may wait to be read.
    private static final Duration LINGER = Duration.ofMillis(300);

    private final NodeConfig node;
    private final Optional<PodDoor> door;
    private final TaskGroup tasks = new TaskGroup("dns");
    private Optional<DnsServer> server = Optional.empty();

    private NodeDns(NodeConfig node, Optional<PodDoor> door) {
        this.node = node;
        this.door = door;
    }

    /// Prepares it; where the machine cannot give its pods the cluster's address, the proxy leads them here.
    static NodeDns of(NodeConfig node) {
        try {
            return new NodeDns(
                    node,
                    Optional.of(PodDoor.make(
                            node.addresses().stream().map(Ip::family).toList())));
        } catch (DnsException e) {
            LOG.warn("event=node-dns-by-proxy reason=\"{}\"", e.getMessage());
            return new NodeDns(node, Optional.empty());
        }
    }

    /// The Services that pods of this node do not need the proxy for.
    Set<NamespacedName> answered() {
        return door.isPresent() ? Set.of(ClusterDns.NAME) : Set.of();
    }

    /// Answers until it is closed.
    void run(ApiClient client) throws InterruptedException {
        CorefileSource source = new CorefileSource(Optional.empty(), client);
        String text = source.read();
        DnsConfig config = config(text);
        // Its own, because the proxy's leaves headless Services out.
        Reflector reflector = new Reflector(client, DnsServer.interests(config), DnsServer.excerpt());
        DnsServer names = new DnsServer(config, tasks);
        server = Optional.of(names);
        names.run(reflector.snapshots());
        door.ifPresent(way -> names.openTo(way, this::plan));
        reflector.run(tasks);
        tasks.keep("corefile", () -> follow(source, text, names));
    }

    /// What went wrong in its tasks.
    TaskFaults faults() {
        return tasks.faults();
    }

    /// Waits until a task of it fails.
    void await() throws InterruptedException {
        tasks.await();
    }

    private void follow(CorefileSource source, String first, DnsServer names) throws InterruptedException {
        String text = first;
        while (true) {
            text = source.awaitOther(text);
            names.change(config(text));
        }
    }

    private PodDoorPlan plan(Snapshot snapshot) {
        List<Ip> others = snapshot.slicesOf(ClusterDns.NAME).stream()
                .flatMap(slice -> slice.endpoints().stream())
                .filter(endpoint -> endpoint.ready() && !endpoint.nodeName().equals(node.name()))
                .flatMap(endpoint -> endpoint.addresses().stream())
                .toList();
        return new PodDoorPlan(asked(snapshot), others, true);
    }

    /// What pods were set up with, or the addresses of kube-dns, unless that is the work of another.
    private List<Ip> asked(Snapshot snapshot) {
        if (!node.settings().clusterDns().isEmpty()) {
            return node.settings().clusterDns();
        }
        return snapshot.services()
                .find(ClusterDns.NAME)
                .filter(service -> service.selector().isEmpty())
                .map(Service::clusterIps)
                .orElse(List.of());
    }

    /// What a ConfigMap asks for that is not understood is not done at all: the node must go on to answer.
    private DnsConfig config(String corefile) {
        DnsConfig usual = usual();
        if (corefile.isEmpty()) {
            return usual;
        }
        try {
            List<Ip> own = usual.addresses().stream().map(IpPort::ip).toList();
            return CorefilePlan.over(usual, corefile, () -> DnsCommand.usualServers(own))
                    .withAddresses(usual.addresses());
        } catch (IllegalArgumentException e) {
            LOG.warn("event=corefile-refused source=\"ConfigMap kube-system/coredns\" reason=\"{}\"", e.getMessage());
            return usual;
        }
    }

    private DnsConfig usual() {
        ZoneSettings zone = ZoneSettings.DEFAULT
                .withOrigin(Name.of(node.settings().clusterDomain()))
                .withServers(node.addresses());
        List<IpPort> places = new ArrayList<>(
                node.addresses().stream().map(ip -> new IpPort(ip, PORT)).toList());
        door.ifPresent(way -> places.addAll(way.places()));
        List<Ip> own = Stream.concat(places.stream().map(IpPort::ip), node.settings().clusterDns().stream())
                .toList();
        List<IpPort> upstream = DnsCommand.usualServers(own);
        return DnsConfig.at(places, 1)
                .withZone(zone)
                .withForwards(upstream.isEmpty() ? List.of() : List.of(new Forward(Name.ROOT, upstream)));
    }

    Optional<String> zoneText() {
        return server.flatMap(DnsServer::zoneText);
    }

    String metrics() {
        return server.map(DnsServer::metrics).orElse("");
    }

    /// Leaves the pods to other nodes' servers first, then answers what is still here, then ends.
    @Override
    public void close() {
        door.ifPresent(PodDoor::close);
        boolean interrupted = Thread.interrupted();
        try {
            if (server.isPresent() && door.isPresent()) {
                DnsServer ending = server.get();
                server = Optional.empty();
                ending.leave(LINGER);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            tasks.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
