package io.fairlead.ebpf;

import static io.fairlead.ebpf.PodNetwork.podAddress;
import static io.fairlead.ebpf.PodNetwork.vip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Balance;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import io.fairlead.forwarding.Wake;
import io.fairlead.testkit.RequiresRoot;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Connections whose target is gone, of a process of the control group in a pod.
@RequiresRoot
final class EbpfResetIT {
    private static final int PORT = 9090;

    private CgroupMachine machine;
    private PodNetwork network;
    private Program<EbpfEntry> applied;

    @BeforeEach
    void make() {
        machine = new CgroupMachine();
        network = new PodNetwork();
        applied = Program.of(List.of());
    }

    @AfterEach
    void remove() {
        network.close();
        machine.close();
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void a_connection_is_reset_where_that_is_asked_for(Family family) throws Exception {
        EbpfSite site = machine.site().withResetAfter(Duration.ofMillis(1));
        try (EbpfBackend backend = EbpfBackend.open(CgroupMachine.NODE, site);
                ServerSocket gone = network.pod(2).call(() -> new ServerSocket(PORT));
                ServerSocket other = network.pod(3).call(() -> new ServerSocket(PORT))) {
            Wake wake = backend.abilities().wake().orElseThrow();
            apply(backend, family, 2, 3);
            Process first = connect(family);
            Process second = connect(family);
            try (Socket one = gone.accept();
                    Socket two = other.accept()) {
                apply(backend, family, 3);
                assertThat(wake.nextLook()).isPresent();
                while (wake.nextLook().isPresent()) {
                    wake.look();
                }
                one.setSoTimeout(30_000);
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> one.getInputStream().read());
                two.getOutputStream().write('x');
                two.shutdownOutput();
                assertThat(first.waitFor(30, TimeUnit.SECONDS)).isTrue();
                assertThat(second.waitFor(30, TimeUnit.SECONDS)).isTrue();
                assertThat(List.of(first.exitValue(), second.exitValue()))
                        .as("one was ended, the other heard its end")
                        .containsExactlyInAnyOrder(0, 1);
            } finally {
                first.destroy();
                second.destroy();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void else_it_is_left_alone(Family family) {
        try (EbpfBackend backend = EbpfBackend.open(CgroupMachine.NODE, machine.site())) {
            apply(backend, family, 2, 3);
            apply(backend, family, 3);
            assertThat(backend.abilities().wake().orElseThrow().nextLook()).isEmpty();
        }
    }

    /// A process that connects and reads to the end; it fails if there is none.
    private Process connect(Family family) {
        String script = "echo $$ >%s/cgroup.procs; exec 3<>/dev/tcp/%s/%d; cat <&3 >/dev/null"
                .formatted(machine.group().path(), vip(family).ip(), vip(family).port());
        return network.pod(1).start(new ProcessBuilder("bash", "-c", script));
    }

    /// In turn, so that two connections have two targets.
    private void apply(EbpfBackend backend, Family family, int... pods) {
        List<Target> targets = IntStream.of(pods)
                .mapToObj(pod -> new Target(new IpPort(podAddress(pod, family), PORT), false))
                .toList();
        Forwarding row = Forwarding.of(
                        new Frontend.VirtualAddress(
                                vip(family).ip(), Protocol.TCP, vip(family).port()),
                        new ServicePortName(new NamespacedName("default", "web"), "", Protocol.TCP),
                        new Verdict.SendTo(targets),
                        Masquerade.OFF_CLUSTER)
                .with(new Balance(new Affinity.None(), Scheduler.RR));
        Program<EbpfEntry> wanted = Program.of(Stream.concat(
                        backend.compiler().foundation(CgroupMachine.NODE).stream(),
                        backend.compiler().compile(List.of(row), Detail.FULL).entries().stream())
                .toList());
        backend.apply(Patch.between(applied, wanted));
        applied = wanted;
    }
}
