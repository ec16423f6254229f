package io.fairlead.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.NodePortAddresses;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import io.fairlead.iptables.IptablesEntry.Switch;
import io.fairlead.iptables.PacketCount.Subject;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.Route;
import io.fairlead.kernel.RouteSocket;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Node ports at 127.0.0.1, which no other mode can do: a node and a pod as network namespaces.
@RequiresRoot
final class LocalhostIT {
    private static final String PREFIX = "fllocal" + ProcessHandle.current().pid();
    private static final Path ROUTE_LOCALNET = Path.of("/proc/sys/net/ipv4/conf/all/route_localnet");
    private static final IpPort POD = IpPort.parse("10.244.1.2:8080");
    private static final int NODE_PORT = 30080;
    private static final ServicePortName WEB =
            new ServicePortName(new NamespacedName("default", "web"), "", Protocol.TCP);
    private static final NodeFacts NODE =
            NodeFacts.of("node-1", List.of(Cidr.parse("10.244.0.0/16"))).withLocalhostNodePorts(true);

    @AfterEach
    void remove() {
        NetworkNamespace.startingWith(PREFIX).forEach(NetworkNamespace::delete);
    }

    @ParameterizedTest
    @EnumSource
    void a_process_of_the_node_reaches_a_node_port_at_localhost(Variant variant) throws IOException {
        NetworkNamespace node = NetworkNamespace.create(PREFIX + "-node");
        NetworkNamespace pod = NetworkNamespace.create(PREFIX + "-pod");
        link(node, pod);
        try (ServerSocket server = pod.call(() -> new ServerSocket(POD.port()))) {
            server.setSoTimeout((int) Duration.ofSeconds(5).toMillis());
            assertThat(node.call(LocalhostIT::connects)).as("before").isFalse();
            node.run(() -> program(variant));

            assertThat(node.call(LocalhostIT::connects)).isTrue();

            try (Socket accepted = server.accept()) {
                assertThat(accepted.getInetAddress().getHostAddress()).isEqualTo("10.244.1.1");
            }
            node.run(() -> checkCounters(variant));
        }
    }

    @ParameterizedTest
    @EnumSource
    void by_its_word_localhost_answers_and_the_other_addresses_do_not(Variant variant) throws IOException {
        NetworkNamespace node = NetworkNamespace.create(PREFIX + "-node");
        NetworkNamespace pod = NetworkNamespace.create(PREFIX + "-pod");
        link(node, pod);
        NodeFacts localhost = NODE.withNodePortAddresses(NodePortAddresses.of(List.of("localhost")));
        try (ServerSocket _ = pod.call(() -> new ServerSocket(POD.port()))) {
            node.run(() -> program(variant, localhost));
            assertThat(node.call(LocalhostIT::connects)).isTrue();
            assertThat(node.call(() -> connectsTo("10.244.1.1"))).isFalse();
            node.run(() -> program(variant, NODE));
            assertThat(node.call(() -> connectsTo("10.244.1.1"))).as("all").isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_kernel_leads_on_to_localhost_only_while_the_guard_stands(Variant variant) {
        NetworkNamespace node = NetworkNamespace.create(PREFIX + "-node");
        node.run(() -> {
            assertThat(routeLocalnet()).isEqualTo("0");
            program(variant);
            assertThat(routeLocalnet()).isEqualTo("1");
            try (IptablesBackend restarted = IptablesBackend.open(NODE, variant)) {
                assertThat(restarted.compiler().foundation(NODE))
                        .allSatisfy(wanted -> assertThat(restarted.observe().find(wanted.key()))
                                .contains(wanted));
                setRouteLocalnet("0");
                Program<IptablesEntry> found = restarted.observe();
                assertThat(found.find(new Switch()))
                        .as("it is wanted again after a failure")
                        .isEmpty();
                restarted.apply(new Patch<>(List.of(new Switch()), List.of(), List.of()));
                assertThat(routeLocalnet()).isEqualTo("1");

                restarted.apply(Patch.between(restarted.observe(), Program.of(List.of())));
                assertThat(routeLocalnet()).as("as it was").isEqualTo("0");
                assertThat(restarted.observe()).isEqualTo(Program.of(List.of()));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void a_switch_that_was_on_before_stays_on(Variant variant) {
        NetworkNamespace node = NetworkNamespace.create(PREFIX + "-node");
        node.run(() -> {
            setRouteLocalnet("1");
            program(variant);
            try (IptablesBackend restarted = IptablesBackend.open(NODE, variant)) {
                assertThat(restarted.compiler().foundation(NODE))
                        .allSatisfy(wanted -> assertThat(restarted.observe().find(wanted.key()))
                                .contains(wanted));
                restarted.apply(Patch.between(restarted.observe(), Program.of(List.of())));
            }
            assertThat(routeLocalnet()).isEqualTo("1");
        });
    }

    private static String routeLocalnet() {
        try {
            return Files.readString(ROUTE_LOCALNET).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void setRouteLocalnet(String value) {
        try {
            Files.writeString(ROUTE_LOCALNET, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// By another backend than the one that wrote the rules: what is counted outlives the process.
    private static void checkCounters(Variant variant) {
        try (IptablesBackend backend = IptablesBackend.open(NODE, variant)) {
            assertThat(backend.packets(Subject.LOCALHOST_ACCEPTED))
                    .containsExactly(new PacketCount(Family.IPV4, Subject.LOCALHOST_ACCEPTED, 1));
            assertThat(backend.packets(Subject.INVALID_DROPPED))
                    .contains(new PacketCount(Family.IPV4, Subject.INVALID_DROPPED, 0));
            assertThat(backend.abilities().counters().orElseThrow().connections())
                    .hasSize(2)
                    .allSatisfy(count -> {
                        assertThat(count.service()).isEqualTo(WEB);
                        assertThat(count.connections()).isEqualTo(1);
                    });
        }
    }

    private static boolean connects() throws IOException {
        return connectsTo("127.0.0.1");
    }

    private static boolean connectsTo(String address) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.ofLiteral(address), NODE_PORT), 5_000);
            return true;
        } catch (ConnectException e) {
            return false;
        }
    }

    private static void program(Variant variant) {
        program(variant, NODE);
    }

    private static void program(Variant variant, NodeFacts facts) {
        try (IptablesBackend backend = IptablesBackend.open(facts, variant)) {
            List<IptablesEntry> entries = new ArrayList<>(backend.compiler().foundation(facts));
            Forwarding row = Forwarding.of(
                    new Frontend.NodePort(Family.IPV4, Protocol.TCP, NODE_PORT),
                    WEB,
                    new Verdict.SendTo(List.of(new Target(POD, true))),
                    Masquerade.ALWAYS);
            entries.addAll(backend.compiler().compile(List.of(row), Detail.FULL).entries());
            backend.apply(Patch.between(backend.observe(), Program.of(entries)));
        }
    }

    private static void link(NetworkNamespace node, NetworkNamespace pod) {
        in(node, route -> {
            route.addVeth("pod1", "eth0", pod);
            route.addAddress("pod1", Ip.parse("10.244.1.1"), 24);
            route.setUp("pod1");
        });
        in(pod, route -> {
            route.addAddress("eth0", POD.ip(), 24);
            route.setUp("eth0");
            route.replaceRoute(new Route(Cidr.parse("0.0.0.0/0"), List.of(Ip.parse("10.244.1.1")), "eth0"));
        });
    }

    private static void in(NetworkNamespace namespace, Consumer<RouteSocket> body) {
        namespace.run(() -> {
            try (RouteSocket route = RouteSocket.open()) {
                body.accept(route);
            }
        });
    }
}
