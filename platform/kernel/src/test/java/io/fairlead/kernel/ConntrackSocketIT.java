package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Flows over the loopback device of a namespace of their own, translated from port 53 to port 5353.
final class ConntrackSocketIT {
    private NetworkNamespace namespace;

    @BeforeEach
    void make() throws Exception {
        namespace = NetworkNamespace.create("flct" + ProcessHandle.current().pid());
        run("ip", "link", "set", "lo", "up");
        for (String family : List.of("ip", "ip6")) {
            String loopback = family.equals("ip") ? "127.0.0.1" : "[::1]";
            run(
                    "nft",
                    "table %s t { chain out { type nat hook output priority -100; udp dport 53 dnat to %s:5353; }; }"
                            .formatted(family, loopback));
        }
    }

    @AfterEach
    void remove() {
        namespace.delete();
    }

    private void run(String... command) throws IOException, InterruptedException {
        Process process = namespace.start(new ProcessBuilder(command).inheritIO());
        assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
    }

    private void send(String address, int port) {
        namespace.run(() -> {
            try (DatagramSocket socket =
                    new DatagramSocket(new InetSocketAddress(InetAddress.getByName(address), 4000))) {
                socket.send(new DatagramPacket(new byte[] {1}, 1, InetAddress.getByName(address), port));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private List<ConntrackFlow> flows(Family family) {
        return namespace.call(() -> {
            try (ConntrackSocket socket = ConntrackSocket.open()) {
                return socket.flows(family, Protocol.UDP);
            }
        });
    }

    private boolean delete(ConntrackFlow flow) {
        return namespace.call(() -> {
            try (ConntrackSocket socket = ConntrackSocket.open()) {
                return socket.delete(flow);
            }
        });
    }

    @Test
    void a_flow_tells_who_really_answers() {
        send("127.0.0.1", 53);
        assertThat(flows(Family.IPV4)).singleElement().satisfies(flow -> {
            assertThat(flow.source()).isEqualTo(IpPort.parse("127.0.0.1:4000"));
            assertThat(flow.destination()).isEqualTo(IpPort.parse("127.0.0.1:53"));
            assertThat(flow.answerer()).isEqualTo(IpPort.parse("127.0.0.1:5353"));
        });
    }

    @Test
    void a_flow_of_the_other_family_is_told_apart() {
        send("::1", 53);
        assertThat(flows(Family.IPV4)).isEmpty();
        assertThat(flows(Family.IPV6))
                .singleElement()
                .satisfies(flow -> assertThat(flow.answerer()).isEqualTo(IpPort.parse("[::1]:5353")));
    }

    @Test
    void what_was_answered_is_told_apart_from_what_was_not() {
        send("127.0.0.1", 53);
        namespace.run(() -> {
            try (DatagramSocket answerer =
                    new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 54))) {
                send("127.0.0.1", 54);
                DatagramPacket packet = new DatagramPacket(new byte[1], 1);
                answerer.receive(packet);
                answerer.send(packet);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });

        List<ConntrackFlow> unanswered = namespace.call(() -> {
            try (ConntrackSocket socket = ConntrackSocket.open()) {
                return socket.unanswered(Family.IPV4, Protocol.UDP);
            }
        });

        assertThat(flows(Family.IPV4))
                .extracting(flow -> flow.destination().port(), ConntrackFlow::answered)
                .containsExactlyInAnyOrder(tuple(53, false), tuple(54, true));
        assertThat(unanswered)
                .singleElement()
                .extracting(flow -> flow.destination().port())
                .isEqualTo(53);
    }

    @Test
    void a_deleted_flow_is_gone_and_the_others_stay() {
        send("127.0.0.1", 53);
        send("127.0.0.1", 54);
        ConntrackFlow translated = flows(Family.IPV4).stream()
                .filter(flow -> flow.destination().port() == 53)
                .findFirst()
                .orElseThrow();

        assertThat(delete(translated)).isTrue();

        assertThat(flows(Family.IPV4))
                .singleElement()
                .extracting(ConntrackFlow::destination)
                .isEqualTo(IpPort.parse("127.0.0.1:54"));
        assertThat(delete(translated)).isFalse();
    }
}
