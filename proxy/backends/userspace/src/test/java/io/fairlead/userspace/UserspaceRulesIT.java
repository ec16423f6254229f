package io.fairlead.userspace;

import static io.fairlead.testkit.TestNode.podAddress;
import static io.fairlead.testkit.TestNode.targets;
import static io.fairlead.testkit.TestNode.vip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Balance;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.DriftWatch;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import io.fairlead.kernel.Command;
import io.fairlead.testkit.Caller;
import io.fairlead.testkit.Caller.Result.Answer;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.testkit.TestNode;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What time and other programs bring, and how targets are chosen, with real connections in namespaces of the test.
@RequiresRoot
final class UserspaceRulesIT {
    private static final Family FAMILY = Family.IPV4;
    private static final IpPort VIP = new IpPort(vip(FAMILY), 80);
    private static final RelayLimits LIMITS = RelayLimits.ofNode(2)
            .withDrain(Duration.ofSeconds(5))
            .withAttempts(List.of(Duration.ofSeconds(20)))
            .withSilence(Duration.ofMillis(1_500));

    private TestNode network;
    private UserspaceBackend backend;

    @BeforeEach
    void make() {
        network = new TestNode();
        backend = UserspaceBackend.open(new NftFilter(), Preamble.NONE, LIMITS);
    }

    @AfterEach
    void remove() {
        network.node().run(backend::close);
        network.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nft delete element ip fairlead-userspace portal-address { 10.96.0.10 . tcp . 80 }",
                "nft flush chain ip fairlead-userspace prerouting",
                "nft delete table ip fairlead-userspace",
                "nft add rule ip fairlead-userspace services drop",
                "iptables-legacy -t nat -F KUBE-PORTALS-CONTAINER",
                "iptables-legacy -t nat -D PREROUTING 1"
            })
    void rules_that_another_program_changed_are_put_right_and_named(String deed) {
        if (deed.startsWith("iptables")) {
            backend = UserspaceBackend.open(new IptablesFilter("-legacy"), Preamble.NONE, LIMITS);
        }
        apply(Protocol.TCP, Scheduler.RR, targets(FAMILY, 1));
        DriftWatch watch = backend.abilities().drift().orElseThrow();
        assertThat(network.node().call(watch::drifted))
                .as("nothing is looked at yet")
                .isFalse();
        watch.compareNow();
        assertThat(network.node().call(watch::drifted)).as("as it was written").isFalse();

        assertThat(network.node()
                        .call(() -> Command.run(List.of(deed.split(" ", -1)), ""))
                        .succeeded())
                .isTrue();
        assertThat(new Caller(network.client()).call(Protocol.TCP, VIP)).isNotInstanceOf(Answer.class);
        watch.compareNow();
        assertThat(network.node().call(watch::drifted)).isTrue();

        assertThat(watch.findings())
                .isNotEmpty()
                .allMatch(line -> line.startsWith(deed.contains(" add ") ? "not ours: " : "missing: "));
        assertThat(new Caller(network.client()).call(Protocol.TCP, VIP)).isInstanceOf(Answer.class);
        watch.compareNow();
        assertThat(network.node().call(watch::drifted)).as("put right").isFalse();
    }

    @Test
    void a_udp_client_keeps_its_pod_until_it_was_silent_for_a_while() throws Exception {
        apply(Protocol.UDP, Scheduler.RR, targets(FAMILY, 1, 2, 3));
        try (DatagramSocket client = network.client().call(() -> new DatagramSocket())) {
            client.setSoTimeout(20_000);
            String first = ask(client);
            for (int i = 0; i < 3; i++) {
                assertThat(ask(client)).as("it is the same client").isEqualTo(first);
            }
            List<String> seen = new ArrayList<>(List.of(first));
            await().atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofSeconds(2))
                    .until(() -> {
                        seen.add(ask(client));
                        return seen.stream().distinct().count() == 3;
                    });
        }
    }

    private static String ask(DatagramSocket client) throws Exception {
        InetAddress to = InetAddress.getByAddress(VIP.ip().bytes());
        client.send(new DatagramPacket(new byte[] {'?'}, 1, to, VIP.port()));
        DatagramPacket answer = new DatagramPacket(new byte[64], 64);
        client.receive(answer);
        return new String(answer.getData(), 0, 1, StandardCharsets.UTF_8);
    }

    @Test
    void turns_are_taken_by_weight() {
        List<Target> weighted = List.of(target(1, TestNode.PORT, 3), target(2, TestNode.PORT, 1));
        apply(Protocol.TCP, Scheduler.WRR, weighted);
        Map<Integer, Long> answers = new Caller(network.client())
                .calls(Protocol.TCP, VIP, 20).stream()
                        .collect(Collectors.groupingBy(result -> ((Answer) result).pod(), Collectors.counting()));
        assertThat(answers).isEqualTo(Map.of(1, 15L, 2, 5L));
    }

    @Test
    void who_has_the_fewest_connections_gets_the_next() throws Exception {
        try (ServerSocket one = network.pod(1).call(() -> new ServerSocket(9090));
                ServerSocket two = network.pod(2).call(() -> new ServerSocket(9090))) {
            apply(Protocol.TCP, Scheduler.LC, List.of(target(1, 9090, 1), target(2, 9090, 1)));
            List<Socket> open = new ArrayList<>();
            List<Socket> accepted = new ArrayList<>();
            try {
                for (int i = 0; i < 4; i++) {
                    open.add(connect());
                }
                for (int i = 0; i < 2; i++) {
                    accepted.add(one.accept());
                    accepted.add(two.accept());
                }
                // All of the first end: it gets the next two.
                accepted.get(0).close();
                accepted.get(2).close();
                for (Socket socket : open) {
                    socket.setSoTimeout(200);
                    closeIfEnded(socket);
                }
                await().atMost(Duration.ofSeconds(30)).until(() -> load(1) == 0 && load(2) == 2);
                open.add(connect());
                open.add(connect());
                await().atMost(Duration.ofSeconds(30)).until(() -> load(1) == 2 && load(2) == 2);
            } finally {
                for (Socket socket : open) {
                    socket.close();
                }
                for (Socket socket : accepted) {
                    socket.close();
                }
            }
        }
    }

    private static void closeIfEnded(Socket socket) throws java.io.IOException {
        try {
            if (socket.getInputStream().read() < 0) {
                socket.close();
            }
        } catch (java.net.SocketTimeoutException _) {
            // it goes on
        }
    }

    private Socket connect() {
        return network.client()
                .call(() -> new Socket(InetAddress.getByAddress(VIP.ip().bytes()), VIP.port()));
    }

    /// How many connections of the node to a pod are open.
    private long load(int pod) {
        return network.node()
                .call(() -> Command.run(List.of("ss", "-Htn", "state", "established"), ""))
                .output()
                .lines()
                .filter(line -> line.contains(podAddress(pod, FAMILY) + ":9090"))
                .count();
    }

    private static Target target(int pod, int port, int weight) {
        return new Target(new IpPort(podAddress(pod, FAMILY), port), true, false, weight);
    }

    private void apply(Protocol protocol, Scheduler scheduler, List<Target> targets) {
        Forwarding row = Forwarding.of(
                        new Frontend.VirtualAddress(vip(FAMILY), protocol, 80),
                        new ServicePortName(new NamespacedName("default", "web"), "", protocol),
                        new Verdict.SendTo(targets),
                        Masquerade.OFF_CLUSTER)
                .with(new Balance(new Affinity.None(), scheduler));
        Stream<UserspaceEntry> foundation = backend.compiler().foundation(TestNode.FACTS).stream();
        Program<UserspaceEntry> wanted = Program.of(
                Stream.concat(foundation, backend.compiler().compile(List.of(row), Detail.FULL).entries().stream())
                        .toList());
        network.node().run(() -> backend.apply(Patch.between(Program.of(List.of()), wanted)));
    }
}
