package io.fairlead.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Balance;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.Route;
import io.fairlead.kernel.RouteSocket;
import io.fairlead.testkit.RequiresRoot;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Connections in turn and by weight, through the rules of a real kernel: one namespace, whose own addresses are the
/// endpoints.
@RequiresRoot
final class TurnsIT {
    private static final String PREFIX = "flturns" + ProcessHandle.current().pid();
    private static final NodeFacts NODE = NodeFacts.of("node-1", List.of(Cidr.parse("10.244.0.0/16")));
    private static final IpPort VIP = IpPort.parse("10.96.0.10:80");
    private static final IpPort HEAVY = IpPort.parse("10.244.1.2:8080");
    private static final IpPort LIGHT = IpPort.parse("10.244.1.3:8080");
    private static final int ROUNDS = 5;

    @AfterEach
    void remove() {
        NetworkNamespace.startingWith(PREFIX).forEach(NetworkNamespace::delete);
    }

    @ParameterizedTest
    @EnumSource
    void endpoints_have_turns_by_weight_and_the_rules_are_read_back(Variant variant) {
        NetworkNamespace node = NetworkNamespace.create(PREFIX);
        boolean inTurn = node.call(() -> {
            addresses();
            try (ServerSocket heavy = listen(HEAVY);
                    ServerSocket light = listen(LIGHT)) {
                program(variant, Scheduler.NODE_DEFAULT);
                program(variant, Scheduler.WRR);
                int ofHeavy = 0;
                for (int i = 0; i < 4 * ROUNDS; i++) {
                    ofHeavy += reached(heavy, light) ? 1 : 0;
                }
                return ofHeavy == 3 * ROUNDS;
            }
        });
        assertThat(inTurn).isTrue();
    }

    private static ServerSocket listen(IpPort at) throws java.io.IOException {
        return new ServerSocket(at.port(), 50, InetAddress.getByAddress(at.ip().bytes()));
    }

    /// Whether a connection came to the first of the two.
    private static boolean reached(ServerSocket first, ServerSocket second) throws java.io.IOException {
        try (Socket client = new Socket(InetAddress.getByAddress(VIP.ip().bytes()), VIP.port())) {
            client.getOutputStream().write('x');
            first.setSoTimeout(1);
            second.setSoTimeout(1);
            while (true) {
                for (ServerSocket server : List.of(first, second)) {
                    try (Socket accepted = server.accept()) {
                        accepted.setSoLinger(true, 0);
                        return server.equals(first);
                    } catch (java.net.SocketTimeoutException _) {
                        // the other one, or not yet: the client is connected, so one of them has it
                    }
                }
            }
        }
    }

    private static void program(Variant variant, Scheduler scheduler) {
        Forwarding row = Forwarding.of(
                        new Frontend.VirtualAddress(VIP.ip(), Protocol.TCP, VIP.port()),
                        new ServicePortName(new NamespacedName("default", "web"), "", Protocol.TCP),
                        new Verdict.SendTo(
                                List.of(new Target(HEAVY, true, false, 3), new Target(LIGHT, true, false, 1))),
                        Masquerade.OFF_CLUSTER)
                .with(new Balance(new Affinity.None(), scheduler));
        try (IptablesBackend backend = IptablesBackend.open(NODE, variant)) {
            List<IptablesEntry> entries = new ArrayList<>(backend.compiler().foundation(NODE));
            entries.addAll(backend.compiler().compile(List.of(row), Detail.FULL).entries());
            Program<IptablesEntry> wanted = Program.of(entries);
            backend.apply(Patch.between(backend.observe(), wanted));
            assertThat(backend.observe().text()).isEqualTo(wanted.text());
        }
    }

    private static void addresses() {
        try (RouteSocket route = RouteSocket.open()) {
            route.setUp("lo");
            route.addAddress("lo", HEAVY.ip(), 32);
            route.addAddress("lo", LIGHT.ip(), 32);
            route.replaceRoute(new Route(Cidr.parse("10.96.0.0/16"), List.of(), "lo"));
        }
    }
}
