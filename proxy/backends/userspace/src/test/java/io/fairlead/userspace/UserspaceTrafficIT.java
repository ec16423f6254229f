package io.fairlead.userspace;

import static io.fairlead.testkit.PodAnswers.answersByPod;
import static io.fairlead.testkit.PodAnswers.pod;
import static io.fairlead.testkit.PodAnswers.source;
import static io.fairlead.testkit.TestNode.clientAddress;
import static io.fairlead.testkit.TestNode.nodeAddress;
import static io.fairlead.testkit.TestNode.podAddress;
import static io.fairlead.testkit.TestNode.targets;
import static io.fairlead.testkit.TestNode.vip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Sources;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import io.fairlead.forwarding.Wake;
import io.fairlead.testkit.Caller;
import io.fairlead.testkit.Caller.Result;
import io.fairlead.testkit.Caller.Result.Answer;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.testkit.TestNode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Real connections through real rules and the relay, whichever packet filter leads there; all of them stay inside
/// namespaces of the test.
@RequiresRoot
@ParameterizedClass
@ValueSource(strings = {"nftables", "iptables-legacy"})
final class UserspaceTrafficIT {
    @Parameter
    @SuppressWarnings("NullAway.Init") // by JUnit
    private String filterName;

    private static final int NODE_PORT = 30080;
    private static final Program<UserspaceEntry> NOTHING = Program.of(List.of());
    private static final List<Protocol> PROTOCOLS = List.of(Protocol.TCP, Protocol.UDP);

    private TestNode network;
    private UserspaceBackend backend;
    private Program<UserspaceEntry> applied;

    @BeforeEach
    void make() {
        network = new TestNode();
        backend = open();
        applied = NOTHING;
    }

    private UserspaceBackend open() {
        return UserspaceBackend.open(
                filter(),
                Preamble.NONE,
                RelayLimits.ofNode(2).withDrain(Duration.ofSeconds(5)).withAttempts(List.of(Duration.ofSeconds(20))));
    }

    private PacketFilter filter() {
        return filterName.equals("nftables") ? new NftFilter() : new IptablesFilter("-legacy");
    }

    @AfterEach
    void remove() {
        network.node().run(backend::close);
        network.close();
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void connections_to_the_virtual_address_are_shared_by_all_pods(Family family) {
        apply(sendTo(family, targets(family, 1, 2, 3)));
        Caller client = new Caller(network.client());

        for (Protocol protocol : PROTOCOLS) {
            List<Result> results = client.calls(protocol, clusterIp(family), 60);

            assertThat(answersByPod(results)).as("in turn").isEqualTo(Map.of(1, 20L, 2, 20L, 3, 20L));
            assertThat(results)
                    .as("the pod sees the node")
                    .allSatisfy(result -> assertThat(source(result)).isNotEqualTo(clientAddress(family)));
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void pods_and_the_node_itself_reach_services_and_node_ports(Family family) {
        apply(sendTo(family, targets(family, 1, 2, 3)));
        IpPort nodePort = new IpPort(nodeAddress(family), NODE_PORT);

        for (Caller caller : List.of(new Caller(network.pod(1)), new Caller(network.node()))) {
            for (Protocol protocol : PROTOCOLS) {
                assertThat(answersByPod(caller.calls(protocol, clusterIp(family), 9)))
                        .containsOnlyKeys(1, 2, 3);
                assertThat(answersByPod(caller.calls(protocol, nodePort, 9))).containsOnlyKeys(1, 2, 3);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void a_node_port_answers_at_the_address_of_the_node_but_not_at_loopback(Family family) {
        apply(sendTo(family, targets(family, 1, 2, 3)));
        Ip loopback = Ip.parse(family == Family.IPV4 ? "127.0.0.1" : "::1");

        for (Protocol protocol : PROTOCOLS) {
            assertThat(answersByPod(new Caller(network.client())
                            .calls(protocol, new IpPort(nodeAddress(family), NODE_PORT), 9)))
                    .containsOnlyKeys(1, 2, 3);
            assertThat(new Caller(network.node()).call(protocol, new IpPort(loopback, NODE_PORT)))
                    .isEqualTo(new Result.Refused());
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void without_endpoints_clients_are_refused_at_once_and_so_are_other_ports(Family family) {
        apply(rows(family, new Verdict.Reject()));
        Caller client = new Caller(network.client());

        for (Protocol protocol : PROTOCOLS) {
            assertThat(client.call(protocol, clusterIp(family))).isEqualTo(new Result.Refused());
            assertThat(client.call(protocol, new IpPort(nodeAddress(family), NODE_PORT)))
                    .isEqualTo(new Result.Refused());
            assertThat(client.call(protocol, new IpPort(vip(family), 81))).isEqualTo(new Result.Refused());
        }
        assertThat(new Caller(network.node()).call(Protocol.TCP, clusterIp(family)))
                .isEqualTo(new Result.Refused());
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void what_is_dropped_is_not_answered(Family family) {
        apply(rows(family, new Verdict.Drop()));
        Caller client = new Caller(network.client());

        assertThat(client.call(Protocol.TCP, clusterIp(family))).isEqualTo(new Result.Silence());
        assertThat(client.call(Protocol.UDP, new IpPort(nodeAddress(family), NODE_PORT)))
                .isEqualTo(new Result.Silence());
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void only_the_networks_named_may_use_a_balancer_address(Family family) {
        Ip address = Ip.parse(family == Family.IPV4 ? "203.0.113.10" : "2001:db8:113::10");
        Frontend frontend = new Frontend.LoadBalancerAddress(address, Protocol.TCP, 80);
        Cidr clients = Cidr.parse(family == Family.IPV4 ? "10.210.0.0/24" : "fd00:210::/64");
        Forwarding row = Forwarding.of(
                        frontend, name(Protocol.TCP), new Verdict.SendTo(targets(family, 1)), Masquerade.ALWAYS)
                .withSources(new Sources(List.of(clients)));
        apply(compile(List.of(row)));

        assertThat(pod(new Caller(network.client()).call(Protocol.TCP, new IpPort(address, 80))))
                .isEqualTo(1);
        assertThat(new Caller(network.pod(2)).call(Protocol.TCP, new IpPort(address, 80)))
                .isEqualTo(new Result.Silence());
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void those_inside_may_be_led_elsewhere(Family family) {
        List<Forwarding> rows = new ArrayList<>();
        for (Protocol protocol : PROTOCOLS) {
            rows.add(Forwarding.of(
                            new Frontend.NodePort(family, protocol, NODE_PORT),
                            name(protocol),
                            new Verdict.SendTo(targets(family, 1)),
                            Masquerade.FROM_NODE)
                    .withInside(new Verdict.SendTo(targets(family, 2))));
        }
        apply(compile(rows));
        IpPort nodePort = new IpPort(nodeAddress(family), NODE_PORT);

        for (Protocol protocol : PROTOCOLS) {
            assertThat(pod(new Caller(network.client()).call(protocol, nodePort)))
                    .isEqualTo(1);
            assertThat(pod(new Caller(network.pod(3)).call(protocol, nodePort))).isEqualTo(2);
            assertThat(pod(new Caller(network.node()).call(protocol, nodePort))).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void a_client_keeps_its_pod_at_every_frontend(Family family) {
        Affinity affinity = new Affinity.ClientIp(Duration.ofHours(3));
        Verdict all = new Verdict.SendTo(targets(family, 1, 2, 3));
        apply(compile(List.of(
                Forwarding.of(
                                new Frontend.VirtualAddress(vip(family), Protocol.TCP, 80),
                                name(Protocol.TCP),
                                all,
                                Masquerade.OFF_CLUSTER)
                        .withAffinity(affinity),
                Forwarding.of(
                                new Frontend.NodePort(family, Protocol.TCP, NODE_PORT),
                                name(Protocol.TCP),
                                all,
                                Masquerade.ALWAYS)
                        .withAffinity(affinity))));
        Caller client = new Caller(network.client());
        List<Result> results = Stream.generate(
                        () -> List.of(clusterIp(family), new IpPort(nodeAddress(family), NODE_PORT)))
                .limit(10)
                .flatMap(List::stream)
                .map(frontend -> client.call(Protocol.TCP, frontend))
                .toList();

        assertThat(answersByPod(results)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void connections_go_on_while_endpoints_change(Family family) throws InterruptedException {
        apply(sendTo(family, targets(family, 1, 2, 3)));
        AtomicBoolean stop = new AtomicBoolean();
        List<Result> results = Collections.synchronizedList(new ArrayList<>());
        Caller client = new Caller(network.client());
        Thread calling = Thread.ofPlatform().start(() -> {
            while (!stop.get()) {
                results.addAll(client.calls(Protocol.TCP, clusterIp(family), 20));
            }
        });

        for (int round = 0; round < 30; round++) {
            apply(sendTo(family, targets(family, 1 + round % 3)));
            apply(sendTo(family, targets(family, 1, 2, 3)));
        }
        stop.set(true);
        calling.join();

        assertThat(results).isNotEmpty().allSatisfy(result -> assertThat(result).isInstanceOf(Answer.class));
    }

    /// The end of a process after its successor has begun: the listeners go from one to the other.
    @ParameterizedTest
    @EnumSource(Family.class)
    void no_connection_fails_while_one_process_succeeds_another(Family family) throws InterruptedException {
        apply(sendTo(family, targets(family, 1, 2, 3)));
        AtomicBoolean stop = new AtomicBoolean();
        List<Result> results = Collections.synchronizedList(new ArrayList<>());
        Caller client = new Caller(network.client());
        Thread calling = Thread.ofPlatform().start(() -> {
            while (!stop.get()) {
                results.addAll(client.calls(Protocol.TCP, clusterIp(family), 20));
            }
        });

        for (int round = 0; round < 10; round++) {
            UserspaceBackend old = backend;
            backend = open();
            applied = network.node().call(backend::observe);
            apply(sendTo(family, targets(family, 1, 2, 3)));
            network.node().run(old::close);
        }
        int before = results.size();
        await().until(() -> results.size() > before + 20);
        stop.set(true);
        calling.join();

        assertThat(results).isNotEmpty().allSatisfy(result -> assertThat(result).isInstanceOf(Answer.class));
        assertThat(answersByPod(new Caller(network.client()).calls(Protocol.UDP, clusterIp(family), 3)))
                .containsOnlyKeys(1, 2, 3);
    }

    /// From this mode to another and back: what is open is relayed to its end, also what the relay has not taken yet;
    /// and with the last rule that translates, the kernel would forget how.
    @ParameterizedTest
    @EnumSource(Family.class)
    void open_connections_outlive_the_last_rule(Family family) throws Exception {
        try (ServerSocket pod = network.pod(1).call(() -> new ServerSocket(9090))) {
            apply(sendTo(family, List.of(new Target(new IpPort(podAddress(1, family), 9090), true))));
            InetAddress vip = InetAddress.getByAddress(vip(family).bytes());
            try (Socket client = network.client().call(() -> new Socket(vip, 80));
                    Socket there = pod.accept();
                    Socket waiting = network.client().call(() -> new Socket(vip, 80))) {
                network.node().run(() -> backend.apply(Patch.between(applied, NOTHING)));
                applied = NOTHING;
                client.setSoTimeout(30_000);
                client.getOutputStream().write('x');
                assertThat(there.getInputStream().read()).isEqualTo('x');
                there.getOutputStream().write('y');
                assertThat(client.getInputStream().read()).isEqualTo('y');
                waiting.getOutputStream().write('z');
                try (Socket taken = pod.accept()) {
                    assertThat(taken.getInputStream().read()).isEqualTo('z');
                }
            }
        }
        Wake wake = backend.abilities().wake().orElseThrow();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> network.node().call(() -> {
                    wake.look();
                    return wake.nextLook().isEmpty();
                }));
        apply(sendTo(family, targets(family, 2)));
        assertThat(pod(new Caller(network.client()).call(Protocol.TCP, clusterIp(family))))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void every_new_connection_is_counted(Family family) {
        apply(sendTo(family, targets(family, 1, 2)));
        Caller client = new Caller(network.client());
        client.calls(Protocol.TCP, clusterIp(family), 40);
        client.calls(Protocol.TCP, new IpPort(nodeAddress(family), NODE_PORT), 8);

        List<ConnectionCount> counts =
                backend.abilities().counters().orElseThrow().connections();

        assertThat(counts.stream()
                        .filter(count -> count instanceof ConnectionCount.ToService
                                && count.service().equals(name(Protocol.TCP)))
                        .map(ConnectionCount::connections))
                .containsExactlyInAnyOrder(40L, 8L);
        assertThat(counts.stream()
                        .filter(ConnectionCount.ToTarget.class::isInstance)
                        .map(ConnectionCount::connections))
                .containsExactlyInAnyOrder(24L, 24L);
    }

    private void apply(List<UserspaceEntry> entries) {
        Program<UserspaceEntry> wanted =
                Program.of(Stream.concat(backend.compiler().foundation(TestNode.FACTS).stream(), entries.stream())
                        .toList());
        network.node().run(() -> backend.apply(Patch.between(applied, wanted)));
        applied = wanted;
    }

    private List<UserspaceEntry> sendTo(Family family, List<Target> targets) {
        return rows(family, new Verdict.SendTo(targets));
    }

    /// A virtual address and a node port, in TCP and UDP.
    private List<UserspaceEntry> rows(Family family, Verdict verdict) {
        List<Forwarding> rows = new ArrayList<>();
        for (Protocol protocol : PROTOCOLS) {
            Frontend address = new Frontend.VirtualAddress(vip(family), protocol, 80);
            Frontend nodePort = new Frontend.NodePort(family, protocol, NODE_PORT);
            rows.add(Forwarding.of(address, name(protocol), verdict, Masquerade.OFF_CLUSTER));
            rows.add(Forwarding.of(nodePort, name(protocol), verdict, Masquerade.ALWAYS));
        }
        return compile(rows);
    }

    private static List<UserspaceEntry> compile(List<Forwarding> rows) {
        return new UserspaceCompiler().compile(rows, Detail.FULL).entries();
    }

    private static ServicePortName name(Protocol protocol) {
        return new ServicePortName(new NamespacedName("default", "web"), protocol.lowerCase(), protocol);
    }

    private static IpPort clusterIp(Family family) {
        return new IpPort(vip(family), 80);
    }
}
