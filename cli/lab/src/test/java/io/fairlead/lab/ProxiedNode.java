package io.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Node;
import io.fairlead.api.Protocol;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.ebpf.EbpfSite;
import io.fairlead.ebpf.EbpfSiteReader;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.sync.Proxy;
import io.fairlead.sync.ProxyConfig;
import io.fairlead.yaml.Yaml;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// One node with pods and a real proxy in front of them; Snapshots are given by hand. Each pod answers UDP and TCP at
/// the port 5353 with its number as name.
final class ProxiedNode implements AutoCloseable {
    static final IpPort CLUSTER_IP = IpPort.parse("10.96.0.10:53");
    static final int NODE_PORT = 30053;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final IpPort ANY_PORT = IpPort.parse("127.0.0.1:0");
    private static final int PORT = 5353;

    private final Topology topology;
    private final LabNetwork network;
    private final LabPods pods;
    private final List<NetworkNamespace> podNamespaces = new ArrayList<>();
    private final Answerers answerers = new Answerers();
    private final Latest<Snapshot> snapshots = new Latest<>();
    private final ProxyConfig config;
    private Proxy proxy;
    private TaskGroup tasks;
    private Snapshot cluster = Snapshot.EMPTY;
    private int rounds;

    ProxiedNode(String name, String mode) {
        this(name, mode, EbpfSiteReader.ofEnvironment());
    }

    /// `site` is where the layer ebpf works, should the node ever have it.
    ProxiedNode(String name, String mode, EbpfSite site) {
        topology = Topology.of(name, 1);
        network = LabNetwork.build(topology);
        pods = new LabPods(topology);
        NodeFacts facts = NodeFacts.of("node-1", topology.podNetworks())
                .withAddresses(place().ips())
                .withServiceNetworks(topology.serviceNetworks());
        config = new ProxyConfig(mode, facts, ANY_PORT, ANY_PORT).withSite(site);
        start();
    }

    private void start() {
        proxy = namespace().call(() -> Proxy.open(config));
        tasks = new TaskGroup("proxy");
        namespace().run(() -> proxy.run(snapshots, tasks));
    }

    private void stop() {
        tasks.close();
        namespace().run(proxy::close);
    }

    /// The end of the process and the start of the next, which gets the same cluster.
    void restartProxy() {
        stop();
        start();
        offer(cluster);
    }

    /// Has the proxy change to another mode, as an operator does; returns when it has.
    void changeMode(String mode) {
        offer(cluster.with(Node.of(Yaml.parseAll("""
            metadata: {name: node-1, annotations: {fairlead.io/proxy-mode: %s}}
            """.formatted(mode)).getFirst())));
        assertThat(proxy.mode()).isEqualTo(mode);
    }

    NetworkNamespace pod(int number) {
        return podNamespaces.get(number - 1);
    }

    /// What a tool prints in the namespace of the node.
    String printed(String... command) {
        return namespace().call(() -> Command.run(List.of(command), "").output());
    }

    private Topology.NodePlace place() {
        return topology.nodes().getFirst();
    }

    private NetworkNamespace namespace() {
        return network.node(place());
    }

    /// A pod that only asks.
    NetworkNamespace client(int number) {
        return pods.add(place(), "client" + number, List.of(Ip.parse("10.244.1." + (100 + number))));
    }

    NetworkNamespace outside() {
        return network.client();
    }

    IpPort nodePort() {
        return new IpPort(place().ips().getFirst(), NODE_PORT);
    }

    void addPods(int count) {
        for (int number = 1; number <= count; number++) {
            NetworkNamespace pod = pods.add(place(), "pod" + number, List.of(podAddress(number)));
            podNamespaces.add(pod);
            answerers.add(pod, Protocol.UDP, PORT, Integer.toString(number));
            answerers.add(pod, Protocol.TCP, PORT, Integer.toString(number));
        }
    }

    /// Whatever comes to this pod is not answered any more, as if its machine were off.
    void mute(int number) throws IOException, InterruptedException {
        String rules = "table ip mute { chain in { type filter hook input priority 0; policy drop; }; }";
        ProcessBuilder nft = new ProcessBuilder("nft", rules).inheritIO();
        if (podNamespaces.get(number - 1).start(nft).waitFor() != 0) {
            throw new IOException("nft refuses " + rules);
        }
    }

    private static Ip podAddress(int number) {
        return Ip.parse("10.244.1." + (10 + number));
    }

    /// The Service, with more in its `spec`; and its endpoints are these pods. Returns when all of it is programmed.
    void serve(String more, Integer... numbers) {
        Service service = Service.of(Yaml.parseAll("""
            metadata: {namespace: default, name: dns}
            spec:
              type: NodePort
              clusterIP: 10.96.0.10
              ports:
                - {name: udp, protocol: UDP, port: 53, nodePort: 30053}
                - {name: tcp, protocol: TCP, port: 53, nodePort: 30053}
                - {name: other, protocol: TCP, port: 54, nodePort: 30054}
                - {name: echo, protocol: TCP, port: 55, nodePort: 30055}
              %s
            """.formatted(more)).getFirst());
        String endpoints = Arrays.stream(numbers)
                .map(number -> "{addresses: [%s], nodeName: node-1}".formatted(podAddress(number)))
                .collect(Collectors.joining(", "));
        EndpointSlice slice =
                EndpointSlice.of(Yaml.parseAll("""
                    metadata: {namespace: default, name: dns-1, labels: {kubernetes.io/service-name: dns}}
                    addressType: IPv4
                    ports:
                      - {name: udp, protocol: UDP, port: 5353}
                      - {name: tcp, protocol: TCP, port: 5353}
                      - {name: other, protocol: TCP, port: 5353}
                      - {name: echo, protocol: TCP, port: 5454}
                    endpoints: [%s]
                    """.formatted(endpoints)).getFirst());
        offer(Snapshot.EMPTY.with(service).with(slice));
    }

    void serveNothing() {
        offer(Snapshot.EMPTY);
    }

    /// What was swept is swept when the round is reported.
    private void offer(Snapshot next) {
        cluster = next.at(new io.fairlead.api.Revision(++rounds));
        snapshots.offer(cluster);
        await().atMost(PATIENCE).until(() -> proxy.dump().contains(" at revision %d\n".formatted(rounds)));
    }

    /// The sum of a counter's values. It is read inside the namespace: the kernel's own counters are those of a
    /// namespace.
    long counted(String name) {
        return namespace()
                .call(() -> proxy.registry().scrape(name::equals).stream()
                        .flatMap(metric -> ((CounterSnapshot) metric).getDataPoints().stream())
                        .mapToLong(point -> (long) point.getValue())
                        .sum());
    }

    @Override
    public void close() throws IOException {
        try {
            stop();
            answerers.close();
        } finally {
            network.close();
        }
    }
}
