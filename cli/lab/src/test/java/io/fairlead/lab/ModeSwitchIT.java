package io.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.IpPort;
import io.fairlead.kernel.ControlGroup;
import io.fairlead.testkit.RequiresRoot;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A proxy that changes its mode under load, through every mode that this kernel has.
@RequiresRoot
final class ModeSwitchIT {
    private static final String NAME = "flswitch" + ProcessHandle.current().pid();
    private static final IpPort VIP = new IpPort(ProxiedNode.CLUSTER_IP.ip(), 53);
    private static final IpPort ECHO = new IpPort(ProxiedNode.CLUSTER_IP.ip(), 55);
    private static final int CONNECTIONS_A_MODE = 100;

    /// From each mode to each other one, and back to the first.
    private static final List<String> ORDER = List.of(
            "nftables",
            "iptables",
            "nftables",
            "userspace",
            "nftables",
            "ebpf",
            "iptables",
            "userspace",
            "iptables",
            "ebpf",
            "userspace",
            "ebpf",
            "nftables");

    /// A connection that a mode led, and which is kept while others come.
    private record Held(Socket socket, String mode) {}

    @Test
    void no_connection_fails_and_none_is_reset_from_any_mode_to_any_other() throws Exception {
        try (LabGroups groups = new LabGroups(NAME);
                ProxiedNode node = new ProxiedNode(NAME, ORDER.getFirst(), groups.site(NAME, "1"));
                SwitchLoad load = new SwitchLoad()) {
            ControlGroup group = groups.of(NAME, "1");
            node.addPods(2);
            load.echoIn(node.pod(1));
            load.echoIn(node.pod(2));
            SwitchLoad.Client client = new SwitchLoad.Client(node.client(1), group);
            node.serve("", 1, 2);
            load.connect(client, VIP);
            load.connect(new SwitchLoad.Client(node.client(2), group), VIP);
            load.connect(new SwitchLoad.Client(node.outside(), group), node.nodePort());

            List<Held> held = new ArrayList<>();
            for (String mode : ORDER) {
                node.changeMode(mode);
                awaitConnections(load);
                held.forEach(one -> load.use(one.socket, one.mode));
                endThoseOfTheRelay(held);
                for (int i = 0; i < 3; i++) {
                    held.add(new Held(load.hold(client, ECHO), mode));
                }
                held.forEach(one -> load.use(one.socket, one.mode));
                assertThat(load.failures()).as("after the change to " + mode).isEmpty();
            }
            load.end();
            for (Held one : held) {
                one.socket.close();
            }
            assertThat(load.failures()).isEmpty();
            assertNothingLeftBut(node);
            assertThat(node.printed("bpftool", "cgroup", "list", group.path().toString()))
                    .isEmpty();
            assertThat(Path.of(groups.site(NAME, "1").pins())).doesNotExist();
        }
    }

    private static void awaitConnections(SwitchLoad load) {
        long before = load.answers();
        await().atMost(Duration.ofSeconds(60)).until(() -> load.answers() > before + CONNECTIONS_A_MODE);
    }

    /// The relay leads its connections itself: they outlive a change of the mode, and are drained.
    private static void endThoseOfTheRelay(List<Held> held) throws Exception {
        for (Held one : List.copyOf(held)) {
            if (one.mode.equals("userspace")) {
                one.socket.close();
                held.remove(one);
            }
        }
    }

    /// The mode nftables is the last one; tables of iptables stay where it was ever called, without a rule.
    private static void assertNothingLeftBut(ProxiedNode node) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(node.printed("nft", "list", "tables").lines())
                                .contains("table ip fairlead")
                                .allMatch(line -> line.matches("table ip6? (fairlead|filter|nat|mangle)")));
        assertThat(node.printed("iptables-save").lines()).noneMatch(ModeSwitchIT::isRule);
        assertThat(node.printed("ip6tables-save").lines()).noneMatch(ModeSwitchIT::isRule);
    }

    private static boolean isRule(String line) {
        return line.startsWith("-A") || line.contains("KUBE-");
    }
}
