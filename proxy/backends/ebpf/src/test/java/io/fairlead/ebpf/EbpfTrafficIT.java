package io.fairlead.ebpf;

import static io.fairlead.ebpf.PodNetwork.nodeAddress;
import static io.fairlead.ebpf.PodNetwork.podAddress;
import static io.fairlead.ebpf.PodNetwork.targets;
import static io.fairlead.ebpf.PodNetwork.vip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.ebpf.Caller.Result;
import io.fairlead.ebpf.Caller.Result.Answer;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Balance;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ConnectionCount.ToService;
import io.fairlead.forwarding.ConnectionCount.ToTarget;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import io.fairlead.kernel.ControlGroup;
import io.fairlead.nftables.NftablesBackend;
import io.fairlead.nftables.NftablesEntry;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.net.DatagramSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Real connections, led by the programs in a real kernel: this process is in the control group they are attached to.
@RequiresRoot
final class EbpfTrafficIT {
    private static final Program<EbpfEntry> NOTHING = Program.of(List.of());

    private CgroupMachine machine;
    private PodNetwork network;
    private ControlGroup home;
    private EbpfBackend backend;
    private Program<EbpfEntry> applied;

    @BeforeEach
    void make() throws IOException {
        machine = new CgroupMachine();
        network = new PodNetwork();
        home = ownGroup();
        machine.group().add(ProcessHandle.current().pid());
        backend = EbpfBackend.open(CgroupMachine.NODE, machine.site());
        applied = NOTHING;
    }

    @AfterEach
    void remove() {
        home.add(ProcessHandle.current().pid());
        backend.close();
        network.close();
        machine.close();
    }

    private static ControlGroup ownGroup() throws IOException {
        String path = Files.readAllLines(Path.of("/proc/self/cgroup")).stream()
                .filter(line -> line.startsWith("0::"))
                .map(line -> line.substring("0::/".length()))
                .findFirst()
                .orElseThrow();
        return ControlGroup.open(ControlGroup.findRoot().orElseThrow().path().resolve(path));
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void connections_to_the_virtual_address_are_shared_by_all_pods(Family family) {
        apply(sendTo(family, Protocol.TCP, targets(family, false, 2, 3)));

        List<Result> results = new Caller(network.pod(1)).connections(vip(family), 300);

        assertThat(answersByPod(results))
                .containsOnlyKeys(2, 3)
                .allSatisfy((_, count) -> assertThat(count).isBetween(100L, 200L));
        assertThat(results).allSatisfy(result -> assertThat(source(result)).isEqualTo(podAddress(1, family)));
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void a_program_is_told_that_its_peer_is_the_virtual_address(Family family) throws Exception {
        apply(sendTo(family, Protocol.TCP, targets(family, false, 2)));

        assertThat(new Caller(network.pod(1)).curl(vip(family), "%{remote_ip} %{remote_port}"))
                .isEqualTo("%s %d", vip(family).ip(), vip(family).port());
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void a_service_without_endpoints_refuses_connections(Family family) throws Exception {
        apply(row(family, Protocol.TCP, new Verdict.Reject()));
        Caller pod = new Caller(network.pod(1));

        assertThat(pod.connections(vip(family), 1)).containsExactly(new Result.Refused());
        assertThat(pod.shell(vip(family))).contains("Connection refused");
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void the_datagrams_of_a_socket_stay_with_a_pod_until_it_goes(Family family) throws Exception {
        List<Target> both = targets(family, false, 2, 3);
        apply(sendTo(family, Protocol.UDP, both));
        try (DatagramSocket socket = new Caller(network.pod(1)).datagrams()) {
            int first = pod(Caller.ask(socket, vip(family)));
            apply(sendTo(family, Protocol.UDP, targets(family, false, 1, 2, 3)));
            for (int i = 0; i < 20; i++) {
                assertThat(pod(Caller.ask(socket, vip(family))))
                        .as("one more pod")
                        .isEqualTo(first);
            }

            int other = 5 - first;
            apply(sendTo(family, Protocol.UDP, targets(family, false, other)));
            assertThat(pod(Caller.ask(socket, vip(family)))).isEqualTo(other);
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void a_pod_that_reaches_itself_is_masqueraded_by_the_layer_below(Family family) {
        try (Below below = new Below()) {
            Forwarding row = sendTo(family, Protocol.TCP, targets(family, true, 1, 2));
            apply(row);
            below.apply(row);

            List<Result> results = new Caller(network.pod(1)).connections(vip(family), 40);

            assertThat(results).contains(new Answer(1, nodeAddress(1, family)), new Answer(2, podAddress(1, family)));
            assertThat(connections()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void a_pod_that_is_no_target_is_led_as_soon_as_its_address_is_known(Family family) {
        try (Below below = new Below()) {
            Forwarding row = sendTo(family, Protocol.TCP, targets(family, true, 2, 3));
            apply(row);
            below.apply(row);

            List<Result> results = new Caller(network.pod(1)).connections(vip(family), 20);

            assertThat(results).allSatisfy(result -> assertThat(source(result)).isEqualTo(podAddress(1, family)));
            assertThat(toService(connections())).isBetween(18L, 19L);
        }
    }

    @Test
    void turns_are_taken_by_weight() {
        List<Target> targets = List.of(
                new Target(new IpPort(podAddress(2, Family.IPV4), PodNetwork.PORT), false, false, 3),
                new Target(new IpPort(podAddress(3, Family.IPV4), PodNetwork.PORT), false, false, 1));
        apply(sendTo(Family.IPV4, Protocol.TCP, targets).with(new Balance(new Affinity.None(), Scheduler.WRR)));

        assertThat(answersByPod(new Caller(network.pod(1)).connections(vip(Family.IPV4), 40)))
                .isEqualTo(Map.of(2, 30L, 3, 10L));
    }

    @Test
    void who_is_not_in_the_group_is_left_to_the_layer_below() {
        apply(sendTo(Family.IPV4, Protocol.TCP, targets(Family.IPV4, false, 2)));
        home.add(ProcessHandle.current().pid());

        assertThat(new Caller(network.pod(1)).connections(vip(Family.IPV4), 1)).containsExactly(new Result.NoAnswer());
    }

    @Test
    void connections_are_counted_for_the_service_and_for_each_target() {
        Forwarding row = sendTo(Family.IPV4, Protocol.TCP, targets(Family.IPV4, false, 2, 3));
        apply(row);

        Map<Integer, Long> answers = answersByPod(new Caller(network.pod(1)).connections(vip(Family.IPV4), 50));

        List<ConnectionCount> counts = connections();
        assertThat(toService(counts)).isEqualTo(50);
        assertThat(counts).allSatisfy(count -> assertThat(count.service()).isEqualTo(row.service()));
        answers.forEach((pod, calls) -> assertThat(counts)
                .anySatisfy(count -> assertThat(count).isInstanceOfSatisfying(ToTarget.class, one -> {
                    assertThat(one.target().ip()).isEqualTo(podAddress(pod, Family.IPV4));
                    assertThat(one.connections()).isEqualTo(calls);
                })));
    }

    @Test
    void while_no_proxy_runs_connections_are_led_and_the_next_one_takes_over() {
        apply(sendTo(Family.IPV4, Protocol.TCP, targets(Family.IPV4, false, 2)));
        Caller pod = new Caller(network.pod(1));

        backend.close();
        assertThat(answersByPod(pod.connections(vip(Family.IPV4), 5))).containsOnlyKeys(2);

        backend = EbpfBackend.open(CgroupMachine.NODE, machine.site());
        assertThat(backend.observe()).isEqualTo(applied);
        backend.apply(Patch.between(applied, NOTHING));
        assertThat(pod.connections(vip(Family.IPV4), 1)).containsExactly(new Result.NoAnswer());
        assertThat(machine.leftovers()).isEmpty();
    }

    @Test
    void changes_under_load_fail_no_connection() throws Exception {
        apply(sendTo(Family.IPV4, Protocol.TCP, targets(Family.IPV4, false, 2)));
        List<Result> results = new ArrayList<>();
        Thread caller = Thread.ofPlatform()
                .start(() -> results.addAll(new Caller(network.pod(1)).connections(vip(Family.IPV4), 2_000)));
        for (int i = 0; caller.isAlive(); i++) {
            apply(sendTo(
                    Family.IPV4,
                    Protocol.TCP,
                    targets(Family.IPV4, false, i % 2 == 0 ? new int[] {3} : new int[] {2, 3})));
        }
        caller.join();

        assertThat(results)
                .hasSize(2_000)
                .allSatisfy(result -> assertThat(result).isInstanceOf(Answer.class));
    }

    @Test
    void a_program_that_stopped_to_run_is_noticed_and_attached_again() {
        Forwarding row = sendTo(Family.IPV4, Protocol.TCP, targets(Family.IPV4, false, 2));
        apply(row);
        assertThat(drifted()).isFalse();

        String link =
                machine.site().pins() + "/connect6@" + EbpfObject.shipped().version();
        CgroupMachine.bpftool("link", "detach", "pinned", link);
        assertThat(drifted()).isTrue();

        backend.apply(Patch.between(backend.observe(), applied));
        assertThat(drifted()).isFalse();
        assertThat(answersByPod(new Caller(network.pod(1)).connections(vip(Family.IPV4), 3)))
                .containsOnlyKeys(2);
    }

    /// As Java's are: for these the kernel asks the programs, though the socket is connected.
    @ParameterizedTest
    @EnumSource(Family.class)
    void connected_datagrams_of_one_family_through_a_socket_of_another_are_left_below(Family family) {
        try (Below below = new Below()) {
            Forwarding row = sendTo(family, Protocol.UDP, targets(family, false, 2));
            apply(row);
            below.apply(row);

            assertThat(new Caller(network.pod(1)).connectedDatagram(vip(family)))
                    .isEqualTo(new Answer(2, podAddress(1, family)));
        }
    }

    @Test
    void a_process_of_a_pod_that_no_program_sees_is_told() throws Exception {
        apply(sendTo(Family.IPV4, Protocol.TCP, targets(Family.IPV4, false, 2)));
        Process process = network.pod(3).start(new ProcessBuilder("sleep", "60"));
        try {
            ControlGroup inside = machine.group();
            await().until(() -> network.pod(3).processes().contains(process.pid()));
            assertThat(problem("10.244.3.0/24")).isEmpty();

            home.add(process.pid());
            assertThat(problem("10.244.3.0/24"))
                    .hasValueSatisfying(text -> assertThat(text)
                            .startsWith("1 processes of pods are outside of /"
                                    + inside.path().getFileName())
                            .contains(Long.toString(process.pid())));
            assertThat(problem("10.244.9.0/24")).as("it is no pod of this node").isEmpty();
        } finally {
            process.destroyForcibly().waitFor();
        }
        CgroupMachine.bpftool(
                "link",
                "detach",
                "pinned",
                machine.site().pins() + "/connect4@" + EbpfObject.shipped().version());
        assertThat(problem("10.244.3.0/24"))
                .hasValueSatisfying(text -> assertThat(text).startsWith("a program is not attached to"));
    }

    private Optional<String> problem(String podNetwork) {
        return network.node.call(
                () -> backend.abilities().effect().orElseThrow().problem(List.of(Cidr.parse(podNetwork))));
    }

    /// The rules of the mode nftables, on the node.
    private final class Below implements AutoCloseable {
        private final NftablesBackend below = NftablesBackend.open(CgroupMachine.NODE);

        void apply(Forwarding row) {
            Program<NftablesEntry> program = program(below, row);
            network.node.run(() -> below.apply(Patch.between(Program.of(List.of()), program)));
        }

        @Override
        public void close() {
            below.close();
        }
    }

    private void apply(Forwarding row) {
        Program<EbpfEntry> wanted = program(backend, row);
        backend.apply(Patch.between(applied, wanted));
        applied = wanted;
    }

    private List<ConnectionCount> connections() {
        return backend.abilities().counters().orElseThrow().connections();
    }

    private boolean drifted() {
        return backend.abilities().drift().orElseThrow().drifted();
    }

    private static <E extends Entry> Program<E> program(Backend<E> backend, Forwarding row) {
        List<E> entries = new ArrayList<>(backend.compiler().foundation(CgroupMachine.NODE));
        entries.addAll(backend.compiler().compile(List.of(row), Detail.FULL).entries());
        return Program.of(entries);
    }

    private static Forwarding sendTo(Family family, Protocol protocol, List<Target> targets) {
        return row(family, protocol, new Verdict.SendTo(targets));
    }

    private static Forwarding row(Family family, Protocol protocol, Verdict verdict) {
        IpPort vip = vip(family);
        ServicePortName name = new ServicePortName(new NamespacedName("default", "web"), "", protocol);
        return Forwarding.of(
                new Frontend.VirtualAddress(vip.ip(), protocol, vip.port()), name, verdict, Masquerade.OFF_CLUSTER);
    }

    private static Map<Integer, Long> answersByPod(List<Result> results) {
        return results.stream().collect(Collectors.groupingBy(EbpfTrafficIT::pod, Collectors.counting()));
    }

    private static int pod(Result result) {
        return result instanceof Answer(int pod, var _) ? pod : 0;
    }

    private static Object source(Result result) {
        return result instanceof Answer(var _, var source) ? source : result;
    }

    private static long toService(List<ConnectionCount> counts) {
        return counts.stream()
                .filter(ToService.class::isInstance)
                .mapToLong(ConnectionCount::connections)
                .sum();
    }
}
