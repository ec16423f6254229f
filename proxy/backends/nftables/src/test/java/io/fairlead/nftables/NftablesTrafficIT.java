package io.fairlead.nftables;

import static io.fairlead.testkit.PodAnswers.answersByPod;
import static io.fairlead.testkit.PodAnswers.pod;
import static io.fairlead.testkit.PodAnswers.source;
import static io.fairlead.testkit.TestNode.clientAddress;
import static io.fairlead.testkit.TestNode.nodeAddress;
import static io.fairlead.testkit.TestNode.podAddress;
import static io.fairlead.testkit.TestNode.targets;
import static io.fairlead.testkit.TestNode.vip;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Balance;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ConnectionCount.ToService;
import io.fairlead.forwarding.ConnectionCount.ToTarget;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import io.fairlead.testkit.Caller;
import io.fairlead.testkit.Caller.Result;
import io.fairlead.testkit.Caller.Result.Answer;
import io.fairlead.testkit.PodServer;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.testkit.TestNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Real connections through the rules in a real kernel; all of them stay inside namespaces of the test.
@RequiresRoot
final class NftablesTrafficIT {
    private static final int NODE_PORT = 30080;
    private static final Program<NftablesEntry> NOTHING = Program.of(List.of());

    private TestNode network;
    private NftablesBackend backend;
    private Program<NftablesEntry> applied;

    @BeforeEach
    void make() {
        network = new TestNode();
        backend = NftablesBackend.open(TestNode.FACTS);
        applied = NOTHING;
    }

    @AfterEach
    void remove() {
        backend.close();
        network.close();
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void connections_to_the_virtual_address_are_shared_by_all_pods(Family family) {
        apply(sendTo(family, targets(family, 1, 2, 3)));
        Caller client = new Caller(network.client());

        for (Protocol protocol : List.of(Protocol.TCP, Protocol.UDP)) {
            List<Result> results = client.calls(protocol, clusterIp(family), 300);

            // A third of 300, give or take five standard deviations.
            assertThat(answersByPod(results))
                    .containsOnlyKeys(1, 2, 3)
                    .allSatisfy((_, count) -> assertThat(count).isBetween(59L, 141L));
            assertThat(results)
                    .as("from outside the pod network")
                    .allSatisfy(result -> assertThat(source(result)).isNotEqualTo(clientAddress(family)));
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void pods_have_turns_by_weight_where_the_service_asks_for_them(Family family) {
        List<Target> weighted = List.of(target(family, 1, 3), target(family, 2, 1));
        Frontend address = new Frontend.VirtualAddress(vip(family), Protocol.TCP, 80);
        Forwarding row =
                Forwarding.of(address, name(Protocol.TCP), new Verdict.SendTo(weighted), Masquerade.OFF_CLUSTER);
        apply(NftablesCompiler.entries(List.of(row.with(new Balance(new Affinity.None(), Scheduler.RR)))));

        assertThat(answersByPod(new Caller(network.client()).calls(Protocol.TCP, clusterIp(family), 40)))
                .isEqualTo(Map.of(1, 30L, 2, 10L));
        restart();
    }

    private static Target target(Family family, int pod, int weight) {
        return new Target(targets(family, pod).getFirst().address(), true, false, weight);
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void a_pod_is_seen_with_its_own_address(Family family) {
        apply(sendTo(family, targets(family, 2, 3)));

        assertThat(new Caller(network.pod(1)).calls(Protocol.TCP, clusterIp(family), 20))
                .allSatisfy(result -> assertThat(source(result)).isEqualTo(podAddress(1, family)));
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void the_node_itself_reaches_its_services(Family family) {
        apply(sendTo(family, targets(family, 1, 2, 3)));
        Caller node = new Caller(network.node());

        assertThat(answersByPod(node.calls(Protocol.TCP, clusterIp(family), 60)))
                .containsOnlyKeys(1, 2, 3);
        assertThat(answersByPod(node.calls(Protocol.TCP, new IpPort(nodeAddress(family), NODE_PORT), 60)))
                .containsOnlyKeys(1, 2, 3);
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void a_node_port_answers_at_the_address_of_the_node_but_not_at_loopback(Family family) {
        apply(sendTo(family, targets(family, 1, 2, 3)));
        IpPort nodePort = new IpPort(nodeAddress(family), NODE_PORT);
        Ip loopback = Ip.parse(family == Family.IPV4 ? "127.0.0.1" : "::1");

        for (Protocol protocol : List.of(Protocol.TCP, Protocol.UDP)) {
            assertThat(answersByPod(new Caller(network.client()).calls(protocol, nodePort, 100)))
                    .containsOnlyKeys(1, 2, 3);
            assertThat(new Caller(network.node()).call(protocol, new IpPort(loopback, NODE_PORT)))
                    .isEqualTo(new Result.Refused());
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void a_pod_reaches_itself_through_its_service(Family family) {
        apply(sendTo(family, targets(family, 1)));

        Result result = new Caller(network.pod(1)).call(Protocol.TCP, clusterIp(family));

        Ip nodeAtPod = Ip.parse(family == Family.IPV4 ? "10.244.1.1" : "fd00:244:1::1");
        assertThat(result).isEqualTo(new Answer(1, nodeAtPod));
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void without_endpoints_clients_are_refused_at_once(Family family) {
        apply(rows(family, new Verdict.Reject()));
        Caller client = new Caller(network.client());

        for (Protocol protocol : List.of(Protocol.TCP, Protocol.UDP)) {
            assertThat(client.call(protocol, clusterIp(family))).isEqualTo(new Result.Refused());
            assertThat(client.call(protocol, new IpPort(nodeAddress(family), NODE_PORT)))
                    .isEqualTo(new Result.Refused());
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
    void every_new_connection_is_counted(Family family) {
        apply(sendTo(family, targets(family, 1, 2)));
        Caller client = new Caller(network.client());
        client.calls(Protocol.TCP, clusterIp(family), 40);
        client.calls(Protocol.TCP, new IpPort(nodeAddress(family), NODE_PORT), 7);

        List<ConnectionCount> counts = network.node().call(this::connections);

        assertThat(counts.stream()
                        .filter(count ->
                                count instanceof ToService && count.service().equals(name(Protocol.TCP)))
                        .map(ConnectionCount::connections))
                .containsExactlyInAnyOrder(40L, 7L);
        assertThat(counts.stream()
                        .filter(count ->
                                count instanceof ToTarget && count.service().equals(name(Protocol.TCP)))
                        .mapToLong(ConnectionCount::connections)
                        .sum())
                .isEqualTo(47);
        assertThat(counts.stream().filter(ToService.class::isInstance))
                .allSatisfy(count -> assertThat(applied.find(count.counter()))
                        .as("the counter is named by the key of its entry")
                        .isPresent());
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void what_was_counted_for_an_endpoint_outlives_changes_and_restarts(Family family) {
        apply(sendTo(family, targets(family, 1)));
        Caller client = new Caller(network.client());
        client.calls(Protocol.TCP, clusterIp(family), 5);

        apply(sendTo(family, targets(family, 2, 3)));
        restart();
        apply(sendTo(family, targets(family, 1)));
        client.calls(Protocol.TCP, clusterIp(family), 4);

        assertThat(connectionsTo(podAddress(1, family))).isEqualTo(9);
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void connections_to_a_process_of_the_node_itself_are_counted(Family family) {
        try (PodServer _ = new PodServer(9, network.node(), TestNode.PORT)) {
            Target own = new Target(new IpPort(nodeAddress(family), TestNode.PORT), true);
            apply(sendTo(family, List.of(own)));
            new Caller(network.client()).calls(Protocol.TCP, clusterIp(family), 6);

            assertThat(connectionsTo(nodeAddress(family))).isEqualTo(6);
        }
    }

    private List<ConnectionCount> connections() {
        return backend.abilities().counters().orElseThrow().connections();
    }

    private long connectionsTo(Ip endpoint) {
        return network.node().call(this::connections).stream()
                .filter(count ->
                        count instanceof ToTarget to && to.target().ip().equals(endpoint))
                .mapToLong(ConnectionCount::connections)
                .sum();
    }

    /// What a packet meets whose look-ups stand on both sides of a change: the plan of before, the endpoints of
    /// after.
    @ParameterizedTest
    @EnumSource(Family.class)
    void an_old_plan_with_fewer_endpoints_leads_to_the_first(Family family) {
        List<NftablesEntry> entries = sendTo(family, targets(family, 1, 2, 3)).stream()
                .filter(entry -> !entry.toString().contains(". 1 comment"))
                .filter(entry -> !entry.toString().contains(". 2 comment"))
                .toList();
        apply(entries);

        assertThat(answersByPod(new Caller(network.client()).calls(Protocol.TCP, clusterIp(family), 50)))
                .isEqualTo(Map.of(1, 50L));
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void connections_go_on_while_endpoints_change_and_the_backend_restarts(Family family) throws InterruptedException {
        apply(sendTo(family, targets(family, 1, 2, 3)));
        AtomicBoolean stop = new AtomicBoolean();
        List<Result> results = new ArrayList<>();
        Caller client = new Caller(network.client());
        Thread calling = Thread.ofPlatform().start(() -> {
            while (!stop.get()) {
                results.addAll(client.calls(Protocol.TCP, clusterIp(family), 20));
            }
        });

        for (int round = 0; round < 20; round++) {
            apply(sendTo(family, targets(family, 1 + round % 3)));
            restart();
            apply(sendTo(family, targets(family, 1, 2, 3)));
        }
        stop.set(true);
        calling.join();

        assertThat(results).isNotEmpty().allSatisfy(result -> assertThat(result).isInstanceOf(Answer.class));
    }

    /// As when a policy becomes Local: the pod that a client outside had is for those inside alone from then on.
    @ParameterizedTest
    @EnumSource(Family.class)
    void who_is_remembered_at_a_pod_that_is_no_longer_for_it_is_led_to_another(Family family) {
        Verdict all = new Verdict.SendTo(targets(family, 1, 2, 3));
        apply(sticky(family, all, all));
        Caller client = new Caller(network.client());
        IpPort nodePort = new IpPort(nodeAddress(family), NODE_PORT);
        int other = 1 + pod(client.call(Protocol.TCP, nodePort)) % 3;

        apply(sticky(family, new Verdict.SendTo(targets(family, other)), all));

        assertThat(answersByPod(client.calls(Protocol.TCP, nodePort, 20))).isEqualTo(Map.of(other, 20L));
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void a_pod_keeps_its_endpoint_at_every_frontend_whatever_those_outside_get(Family family) {
        apply(sticky(family, new Verdict.SendTo(targets(family, 2)), new Verdict.SendTo(targets(family, 1, 2, 3))));
        Caller pod = new Caller(network.pod(1));
        IpPort nodePort = new IpPort(nodeAddress(family), NODE_PORT);

        List<Result> results = Stream.generate(() -> List.of(clusterIp(family), nodePort))
                .limit(10)
                .flatMap(List::stream)
                .map(frontend -> pod.call(Protocol.TCP, frontend))
                .toList();

        assertThat(answersByPod(results)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void a_client_keeps_its_endpoint_when_the_policy_no_longer_matters(Family family) {
        Verdict here = new Verdict.SendTo(targets(family, 1, 2));
        apply(sticky(family, here, new Verdict.SendTo(targets(family, 1, 2, 3))));
        Caller client = new Caller(network.client());
        IpPort nodePort = new IpPort(nodeAddress(family), NODE_PORT);
        int remembered = pod(client.call(Protocol.TCP, nodePort));

        apply(sticky(family, here, here));

        assertThat(answersByPod(client.calls(Protocol.TCP, nodePort, 20))).isEqualTo(Map.of(remembered, 20L));
    }

    /// A virtual address for every client, and a node port.
    private List<NftablesEntry> sticky(Family family, Verdict outside, Verdict inside) {
        Affinity affinity = new Affinity.ClientIp(Duration.ofHours(3));
        Frontend address = new Frontend.VirtualAddress(vip(family), Protocol.TCP, 80);
        Frontend nodePort = new Frontend.NodePort(family, Protocol.TCP, NODE_PORT);
        return NftablesCompiler.entries(List.of(
                Forwarding.of(address, name(Protocol.TCP), inside, Masquerade.OFF_CLUSTER)
                        .withAffinity(affinity),
                Forwarding.of(nodePort, name(Protocol.TCP), outside, Masquerade.ALWAYS)
                        .withInside(inside)
                        .withAffinity(affinity)));
    }

    /// The end of a process, and the start of the next: the table stands alone in between.
    private void restart() {
        backend.close();
        backend = NftablesBackend.open(TestNode.FACTS);
        assertThat(network.node().call(() -> backend.observe())).isEqualTo(applied);
    }

    private void apply(List<NftablesEntry> entries) {
        Program<NftablesEntry> wanted =
                Program.of(Stream.concat(backend.compiler().foundation(TestNode.FACTS).stream(), entries.stream())
                        .toList());
        network.node().run(() -> backend.apply(Patch.between(applied, wanted)));
        applied = wanted;
    }

    private List<NftablesEntry> sendTo(Family family, List<Target> targets) {
        return rows(family, new Verdict.SendTo(targets));
    }

    /// A virtual address and a node port, in TCP and UDP.
    private List<NftablesEntry> rows(Family family, Verdict verdict) {
        List<Forwarding> rows = new ArrayList<>();
        for (Protocol protocol : List.of(Protocol.TCP, Protocol.UDP)) {
            Frontend address = new Frontend.VirtualAddress(vip(family), protocol, 80);
            Frontend nodePort = new Frontend.NodePort(family, protocol, NODE_PORT);
            rows.add(Forwarding.of(address, name(protocol), verdict, Masquerade.OFF_CLUSTER));
            rows.add(Forwarding.of(nodePort, name(protocol), verdict, Masquerade.ALWAYS));
        }
        return NftablesCompiler.entries(rows);
    }

    private static ServicePortName name(Protocol protocol) {
        return new ServicePortName(new NamespacedName("default", "web"), protocol.lowerCase(), protocol);
    }

    private static IpPort clusterIp(Family family) {
        return new IpPort(vip(family), 80);
    }
}
