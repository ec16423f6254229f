package io.fairlead.ipvs;

import static io.fairlead.testkit.PodAnswers.answersByPod;
import static io.fairlead.testkit.PodAnswers.source;
import static io.fairlead.testkit.TestNode.clientAddress;
import static io.fairlead.testkit.TestNode.nodeAddress;
import static io.fairlead.testkit.TestNode.podAddress;
import static io.fairlead.testkit.TestNode.targets;
import static io.fairlead.testkit.TestNode.vip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Balance;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.testkit.Caller;
import io.fairlead.testkit.Caller.Result;
import io.fairlead.testkit.Caller.Result.Answer;
import io.fairlead.testkit.PodServer;
import io.fairlead.testkit.TestNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Real connections through the guest's kernel; all of them stay inside namespaces of the test. Run by [IpvsIT].
final class IpvsTrafficGuest {
    private static final int NODE_PORT = 30080;
    // Longer than any answer takes, and than any refusal. On the one processor of the guest an ICMPv6 error may find
    // the socket of the client in use; then the client hears of it with its second packet.
    private static final Duration PATIENCE = Duration.ofMillis(2_500);
    private static final Program<IpvsEntry> NOTHING = Program.of(List.of());

    private static TestNode network;
    private static IpvsBackend backend;
    private static Program<IpvsEntry> applied = NOTHING;

    @BeforeAll
    static void make() {
        network = new TestNode();
        backend = open();
    }

    private static Caller caller(NetworkNamespace namespace) {
        return new Caller(namespace, PATIENCE);
    }

    private static IpvsBackend open() {
        return network.node()
                .call(() -> IpvsBackend.open(TestNode.FACTS, IpvsOptions.DEFAULT.withDrain(Duration.ofMinutes(5))));
    }

    /// The rules stay for the next test: to write them is slow in the guest.
    @AfterEach
    void withdraw() {
        apply(List.of());
    }

    @AfterAll
    static void remove() {
        backend.close();
        network.close();
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void connections_are_shared_by_all_pods(Family family) {
        apply(family, new Verdict.SendTo(targets(family, 1, 2, 3)));
        IpPort nodePort = new IpPort(nodeAddress(family), NODE_PORT);

        for (Protocol protocol : List.of(Protocol.TCP, Protocol.UDP)) {
            for (IpPort destination : List.of(clusterIp(family), nodePort)) {
                List<Result> fromClient = caller(network.client()).calls(protocol, destination, 9);
                assertThat(answersByPod(fromClient))
                        .as("round robin of %s at %s", protocol, destination)
                        .isEqualTo(Map.of(1, 3L, 2, 3L, 3, 3L));
                assertThat(fromClient)
                        .allSatisfy(result -> assertThat(source(result)).isNotEqualTo(clientAddress(family)));
                assertThat(answersByPod(caller(network.node()).calls(protocol, destination, 6)))
                        .as("the node itself, %s at %s", protocol, destination)
                        .containsOnlyKeys(1, 2, 3);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void a_pod_is_seen_with_its_own_address_and_reaches_itself(Family family) {
        apply(family, new Verdict.SendTo(targets(family, 2, 3)));
        assertThat(caller(network.pod(1)).calls(Protocol.TCP, clusterIp(family), 4))
                .allSatisfy(result -> assertThat(source(result)).isEqualTo(podAddress(1, family)));

        apply(family, new Verdict.SendTo(targets(family, 1)));
        Ip nodeAtPod = Ip.parse(family == Family.IPV4 ? "10.244.1.1" : "fd00:244:1::1");
        assertThat(caller(network.pod(1)).call(Protocol.TCP, clusterIp(family))).isEqualTo(new Answer(1, nodeAtPod));
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void without_endpoints_and_at_other_ports_clients_are_refused_at_once(Family family) {
        apply(family, new Verdict.Reject());
        IpPort nodePort = new IpPort(nodeAddress(family), NODE_PORT);
        IpPort otherPort = new IpPort(vip(family), 81);

        for (IpPort destination : List.of(clusterIp(family), nodePort, otherPort)) {
            for (Protocol protocol : List.of(Protocol.TCP, Protocol.UDP)) {
                assertThat(caller(network.client()).call(protocol, destination))
                        .as("%s at %s", protocol, destination)
                        .isEqualTo(new Result.Refused());
            }
            assertThat(caller(network.node()).call(Protocol.TCP, destination))
                    .as("the node itself at %s", destination)
                    .isEqualTo(new Result.Refused());
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void a_port_of_the_host_does_not_answer_at_the_address_of_a_service(Family family) {
        apply(family, new Verdict.SendTo(targets(family, 1)));
        try (PodServer _ = new PodServer(9, network.node(), 8088)) {
            assertThat(caller(network.client()).call(Protocol.TCP, new IpPort(vip(family), 8088)))
                    .isEqualTo(new Result.Refused());
            assertThat(caller(network.client()).call(Protocol.TCP, new IpPort(nodeAddress(family), 8088)))
                    .isEqualTo(new Answer(9, clientAddress(family)));
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void a_policy_keeps_those_outside_on_the_node_with_their_address(Family family) {
        Ip external = Ip.parse(family == Family.IPV4 ? "203.0.113.20" : "2001:db8:1::20");
        Verdict all = new Verdict.SendTo(targets(family, 1, 2, 3));
        List<Frontend> frontends = List.of(
                new Frontend.NodePort(family, Protocol.TCP, NODE_PORT),
                new Frontend.ExternalAddress(external, Protocol.TCP, 80));
        apply(frontends.stream()
                .map(frontend -> Forwarding.of(
                                frontend,
                                name(Protocol.TCP),
                                new Verdict.SendTo(targets(family, 1)),
                                Masquerade.FROM_NODE)
                        .withInside(all))
                .toList());
        for (IpPort destination : List.of(new IpPort(nodeAddress(family), NODE_PORT), new IpPort(external, 80))) {
            assertThat(caller(network.client()).calls(Protocol.TCP, destination, 3))
                    .as("outside at %s", destination)
                    .containsOnly(new Answer(1, clientAddress(family)));
            assertThat(answersByPod(caller(network.pod(2)).calls(Protocol.TCP, destination, 6)))
                    .as("inside at %s", destination)
                    .containsOnlyKeys(1, 2, 3);
        }

        apply(frontends.stream()
                .map(frontend -> Forwarding.of(frontend, name(Protocol.TCP), new Verdict.Drop(), Masquerade.FROM_NODE)
                        .withInside(all))
                .toList());
        for (IpPort destination : List.of(new IpPort(nodeAddress(family), NODE_PORT), new IpPort(external, 80))) {
            assertThat(caller(network.client()).call(Protocol.TCP, destination)).isEqualTo(new Result.Silence());
            assertThat(caller(network.pod(2)).call(Protocol.TCP, destination)).isInstanceOf(Answer.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void a_client_keeps_its_pod(Family family) {
        Frontend address = new Frontend.VirtualAddress(vip(family), Protocol.TCP, 80);
        apply(List.of(Forwarding.of(
                        address,
                        name(Protocol.TCP),
                        new Verdict.SendTo(targets(family, 1, 2, 3)),
                        Masquerade.OFF_CLUSTER)
                .withAffinity(new Affinity.ClientIp(Duration.ofHours(3)))));

        assertThat(answersByPod(caller(network.pod(1)).calls(Protocol.TCP, clusterIp(family), 6)))
                .hasSize(1);
    }

    @Test
    void connections_go_on_while_endpoints_change_and_the_backend_restarts() throws InterruptedException {
        Family family = Family.IPV4;
        apply(family, new Verdict.SendTo(targets(family, 1, 2, 3)));
        AtomicBoolean stop = new AtomicBoolean();
        List<Result> results = new ArrayList<>();
        Caller client = new Caller(network.client(), PATIENCE.multipliedBy(4));
        Thread calling = Thread.ofPlatform().start(() -> {
            while (!stop.get()) {
                results.addAll(client.calls(Protocol.TCP, clusterIp(family), 5));
            }
        });

        for (int round = 0; round < 10; round++) {
            apply(family, new Verdict.SendTo(targets(family, 1 + round % 3)));
            backend.close();
            backend = open();
            applied = network.node().call(() -> backend.observe());
            apply(family, new Verdict.SendTo(targets(family, 1, 2, 3)));
        }
        stop.set(true);
        calling.join();

        assertThat(results).isNotEmpty().allSatisfy(result -> assertThat(result).isInstanceOf(Answer.class));
    }

    @Test
    void a_removed_real_server_gets_no_new_connection_and_goes_when_its_connections_have_ended() {
        Family family = Family.IPV4;
        apply(family, new Verdict.SendTo(targets(family, 1)));
        int port = 40111;
        assertThat(callFrom(port)).isEqualTo(1);

        apply(family, new Verdict.SendTo(targets(family, 2)));
        assertThat(ipvsadm()).contains("10.244.1.2:8080 -m -w 0").doesNotContain("-u 10.96.0.10:80 -r 10.244.1.2");
        long sentAgain = retransmissions();
        long begin = System.nanoTime();
        assertThat(callFrom(port)).as("the same port of the client").isEqualTo(2);
        System.out.printf("a client port used again: answered in %d us%n", (System.nanoTime() - begin) / 1_000);

        assertThat(retransmissions() - sentAgain)
                .as("packets that the client had to send again: a lost first one costs a second")
                .isZero();
        network.node().run(() -> backend.abilities().wake().orElseThrow().look());
        assertThat(network.node().call(() -> backend.observe())).isEqualTo(applied);
    }

    /// An open connection goes on at a removed real server, but not for longer than its Service allows.
    @Test
    void a_removed_real_server_keeps_its_connections_until_the_deadline() throws Exception {
        Family family = Family.IPV4;
        try (ServerSocket pod = network.pod(1).call(() -> new ServerSocket(9090))) {
            Target waiting = new Target(new IpPort(podAddress(1, family), 9090), true);
            apply(List.of(drained(waiting)));
            Socket client = network.client()
                    .call(() -> new Socket(InetAddress.getByAddress(vip(family).bytes()), 80));
            try (client;
                    Socket there = pod.accept()) {
                apply(List.of(drained(targets(family, 2).getFirst())));
                client.getOutputStream().write('x');
                assertThat(there.getInputStream().read()).isEqualTo('x');
                assertThat(ipvsadm()).contains("10.244.1.2:9090 -m -w 0");

                await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                    network.node()
                            .run(() -> backend.abilities().wake().orElseThrow().look());
                    assertThat(ipvsadm()).doesNotContain("10.244.1.2:9090");
                });
            }
        }
    }

    private static Forwarding drained(Target target) {
        Frontend address = new Frontend.VirtualAddress(vip(target.address().ip().family()), Protocol.TCP, 80);
        return Forwarding.of(address, name(Protocol.TCP), new Verdict.SendTo(List.of(target)), Masquerade.OFF_CLUSTER)
                .with(Balance.ANY.withDrain(Duration.ofSeconds(1)));
    }

    @Test
    void turns_are_by_weight_and_every_connection_is_counted() {
        Family family = Family.IPV4;
        List<Target> weighted = List.of(
                new Target(new IpPort(podAddress(1, family), TestNode.PORT), true, false, 3),
                new Target(new IpPort(podAddress(2, family), TestNode.PORT), true, false, 1));
        apply(family, new Verdict.SendTo(weighted));
        assertThat(answersByPod(caller(network.client()).calls(Protocol.TCP, clusterIp(family), 12)))
                .isEqualTo(Map.of(1, 9L, 2, 3L));
        caller(network.client()).calls(Protocol.TCP, new IpPort(nodeAddress(family), NODE_PORT), 4);

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> { // the kernel sums up every two seconds
                            assertThat(counts(ConnectionCount.ToService.class)).containsExactlyInAnyOrder(12L, 4L);
                            assertThat(counts(ConnectionCount.ToTarget.class))
                                    .containsExactlyInAnyOrder(9L, 3L, 3L, 1L);
                        });
    }

    private static List<Long> counts(Class<? extends ConnectionCount> type) {
        return backend.abilities().counters().orElseThrow().connections().stream()
                .filter(type::isInstance)
                .filter(count -> count.service().equals(name(Protocol.TCP)))
                .map(ConnectionCount::connections)
                .toList();
    }

    /// How often a process of the client's namespace sent a segment again.
    private static long retransmissions() {
        return network.client().call(() -> {
            List<String> tcp = Files.readAllLines(Path.of("/proc/thread-self/net/snmp")).stream()
                    .filter(line -> line.startsWith("Tcp:"))
                    .toList();
            int column = List.of(tcp.getFirst().split(" ", -1)).indexOf("RetransSegs");
            return Long.parseLong(tcp.getLast().split(" ", -1)[column]);
        });
    }

    /// Calls from one port of the client, and gives the number of the pod that answered.
    private static int callFrom(int port) {
        return network.client().call(() -> {
            try (Socket socket = new Socket()) {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(port));
                InetAddress to = InetAddress.getByAddress(vip(Family.IPV4).bytes());
                socket.connect(new InetSocketAddress(to, 80), 3000);
                String answer =
                        new String(socket.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
                socket.setSoLinger(true, 0); // the port is free at once
                return Integer.parseInt(answer.split(" ", -1)[0]);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }

    private static String ipvsadm() {
        return network.node()
                .call(() -> Command.run(List.of("ipvsadm", "-Sn"), "").output());
    }

    private static void apply(Family family, Verdict verdict) {
        List<Forwarding> rows = new ArrayList<>();
        for (Protocol protocol : List.of(Protocol.TCP, Protocol.UDP)) {
            Frontend address = new Frontend.VirtualAddress(vip(family), protocol, 80);
            Frontend nodePort = new Frontend.NodePort(family, protocol, NODE_PORT);
            rows.add(Forwarding.of(address, name(protocol), verdict, Masquerade.OFF_CLUSTER));
            rows.add(Forwarding.of(nodePort, name(protocol), verdict, Masquerade.ALWAYS));
        }
        apply(rows);
    }

    private static void apply(List<Forwarding> rows) {
        Stream<IpvsEntry> foundation = backend.compiler().foundation(TestNode.FACTS).stream();
        Program<IpvsEntry> wanted =
                Program.of(Stream.concat(foundation, backend.compiler().compile(rows, Detail.FULL).entries().stream())
                        .distinct()
                        .toList());
        network.node().run(() -> backend.apply(Patch.between(applied, wanted)));
        applied = wanted;
    }

    private static ServicePortName name(Protocol protocol) {
        return new ServicePortName(new NamespacedName("default", "web"), protocol.lowerCase(), protocol);
    }

    private static IpPort clusterIp(Family family) {
        return new IpPort(vip(family), 80);
    }
}
