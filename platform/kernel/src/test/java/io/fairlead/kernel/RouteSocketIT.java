package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two hosts and a router between them, as namespaces.
final class RouteSocketIT {
    private static final String PREFIX = "flkit" + ProcessHandle.current().pid();

    private NetworkNamespace left;
    private NetworkNamespace router;
    private NetworkNamespace right;

    @BeforeEach
    void make() {
        left = NetworkNamespace.create(PREFIX + "-left");
        router = NetworkNamespace.create(PREFIX + "-router");
        right = NetworkNamespace.create(PREFIX + "-right");
    }

    @AfterEach
    void remove() {
        NetworkNamespace.startingWith(PREFIX).forEach(NetworkNamespace::delete);
    }

    @Test
    void a_connection_crosses_a_router_over_ipv4_and_ipv6() {
        connectThroughRouter();

        assertThat(reach("10.9.2.2")).isEqualTo("10.9.1.2");
        assertThat(reach("fd00:9:2::2")).isEqualTo("fd00:9:1:0:0:0:0:2");
    }

    @Test
    void a_route_over_several_gateways_is_one_route() throws Exception {
        connectThroughRouter();
        Cidr block = Cidr.parse("10.77.0.0/16");
        Ip near = Ip.parse("10.9.1.1");
        in(left, route -> route.replaceRoute(new Route(block, List.of(near, Ip.parse("10.9.1.3")), "eth0")));
        assertThat(routesTo(block)).singleElement().asString().contains("via 10.9.1.1 ", "via 10.9.1.3 ");

        in(left, route -> route.replaceRoute(new Route(block, List.of(near), "eth0")));
        assertThat(routesTo(block))
                .singleElement()
                .asString()
                .contains("via 10.9.1.1 ")
                .doesNotContain("10.9.1.3");

        in(left, route -> {
            route.deleteRoute(block);
            route.deleteRoute(block);
        });
        assertThat(routesTo(block)).isEmpty();
    }

    /// The routes of the left host to a block, a line each, as `ip` sees them.
    private List<String> routesTo(Cidr block) throws IOException, InterruptedException {
        Process ip = left.start(new ProcessBuilder("ip", "-oneline", "route", "show", block.toString()));
        List<String> lines = ip.inputReader().lines().toList();
        assertThat(ip.waitFor()).isZero();
        return lines;
    }

    @Test
    void a_router_can_refuse_a_block_to_those_behind_one_link() {
        connectThroughRouter();
        in(router, route -> {
            route.refuse(Cidr.parse("10.9.2.0/24"), "l");
            route.refuse(Cidr.parse("fd00:9:2::/64"), "l");
        });

        assertThatThrownBy(() -> reach("10.9.2.2")).hasMessageContaining("unreachable");
        assertThatThrownBy(() -> reach("fd00:9:2::2")).hasMessageContaining("unreachable");
    }

    @Test
    void a_bridge_joins_its_ports() {
        in(router, route -> {
            route.addBridge("switch0");
            route.setUp("switch0");
            attach(route, "l", left);
            attach(route, "r", right);
        });
        in(left, route -> host(route, "10.8.0.1", 24));
        in(right, route -> host(route, "10.8.0.2", 24));

        assertThat(reach("10.8.0.2")).isEqualTo("10.8.0.1");
    }

    @Test
    void what_the_kernel_refuses_is_told_with_what_was_tried() {
        in(left, route -> {
            route.addBridge("one");
            assertThatExceptionOfType(KernelException.class)
                    .isThrownBy(() -> route.addBridge("one"))
                    .withMessageContaining("add bridge one")
                    .withMessageContaining("EEXIST");
            assertThatExceptionOfType(KernelException.class)
                    .isThrownBy(() -> route.setUp("nobody"))
                    .withMessageContaining("link nobody")
                    .withMessageContaining("ENODEV");
            route.deleteLink("one");
            route.deleteLink("one");
            assertThat(route.links()).containsExactly("lo");
        });
    }

    @Test
    void a_name_is_made_once_and_found_again() {
        assertThatThrownBy(() -> NetworkNamespace.create(PREFIX + "-left"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(PREFIX + "-left");
        assertThat(NetworkNamespace.startingWith(PREFIX))
                .extracting(NetworkNamespace::name)
                .containsExactly(PREFIX + "-left", PREFIX + "-right", PREFIX + "-router");
    }

    @Test
    void a_process_belongs_to_the_namespace_it_was_started_in() throws Exception {
        Process process = left.start(new ProcessBuilder("sleep", "60"));
        try {
            await().untilAsserted(() -> assertThat(left.processes()).containsExactly(process.pid()));
            assertThat(right.processes()).isEmpty();
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(left.processes()).isEmpty();
    }

    private void connectThroughRouter() {
        in(router, route -> {
            route.addVeth("l", "eth0", left);
            route.addVeth("r", "eth0", right);
            route.setUp("l");
            route.setUp("r");
            route.addAddress("l", Ip.parse("10.9.1.1"), 24);
            route.addAddress("r", Ip.parse("10.9.2.1"), 24);
            route.addAddress("l", Ip.parse("fd00:9:1::1"), 64);
            route.addAddress("r", Ip.parse("fd00:9:2::1"), 64);
        });
        router.sysctl("ipv4/ip_forward", "1");
        router.sysctl("ipv6/conf/all/forwarding", "1");
        in(left, route -> behindRouter(route, 1));
        in(right, route -> behindRouter(route, 2));
    }

    private static void behindRouter(RouteSocket route, int subnet) {
        host(route, "10.9.%d.2".formatted(subnet), 24);
        host(route, "fd00:9:%d::2".formatted(subnet), 64);
        route.replaceRoute(
                new Route(Cidr.parse("0.0.0.0/0"), List.of(Ip.parse("10.9.%d.1".formatted(subnet))), "eth0"));
        route.replaceRoute(new Route(Cidr.parse("::/0"), List.of(Ip.parse("fd00:9:%d::1".formatted(subnet))), "eth0"));
    }

    private static void host(RouteSocket route, String ip, int prefix) {
        route.setUp("eth0");
        route.addAddress("eth0", Ip.parse(ip), prefix);
    }

    private static void attach(RouteSocket route, String port, NetworkNamespace host) {
        route.addVeth(port, "eth0", host);
        route.setMaster(port, "switch0");
        route.setHairpin(port);
        route.setUp(port);
    }

    private static void in(NetworkNamespace namespace, Consumer<RouteSocket> body) {
        namespace.run(() -> {
            try (RouteSocket route = RouteSocket.open()) {
                body.accept(route);
            }
        });
    }

    /// Connects from left to `ip` in right; gives the address that right saw.
    private String reach(String ip) {
        try (ServerSocket server = right.call(() -> new ServerSocket(8080));
                Socket client = left.call(() -> connected(ip));
                Socket accepted = server.accept()) {
            assertThat(client.isConnected()).isTrue();
            return accepted.getInetAddress().getHostAddress();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Socket connected(String ip) throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(ip, 8080), 3_000);
        return socket;
    }
}
