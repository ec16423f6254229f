package io.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a scenario cannot show, because it changes while clients connect: through a real proxy, in every mode.
@RequiresRoot
final class ProxyTrafficIT {
    private static final String NAME = "flprx" + ProcessHandle.current().pid();
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String DELETED = "kubeproxy_conntrack_reconciler_deleted_entries";

    @ParameterizedTest
    @ValueSource(strings = {"nftables", "iptables"})
    void a_udp_flow_is_led_anew_at_once_when_its_endpoint_is_gone_and_never_before(String mode) throws IOException {
        try (ProxiedNode node = new ProxiedNode(NAME, mode)) {
            node.addPods(3);
            checkFlow(node, node.client(1), ProxiedNode.CLUSTER_IP);
            checkFlow(node, node.outside(), node.nodePort());
        }
    }

    private static void checkFlow(ProxiedNode node, NetworkNamespace client, IpPort frontend) throws IOException {
        node.serve("", 1, 2);
        try (Conversation conversation = new Conversation(client, frontend)) {
            int first = Integer.parseInt(conversation.ask());
            long before = node.counted(DELETED);
            node.serve("", first, 3);
            assertThat(conversation.ask()).as("another endpoint went").isEqualTo(Integer.toString(first));
            assertThat(node.counted(DELETED)).as("live flows").isEqualTo(before);

            node.serve("", 3);
            assertThat(conversation.ask()).as("its endpoint went").isEqualTo("3");
            assertThat(node.counted(DELETED)).isGreaterThan(before);
            node.serve("");
            assertThat(conversation.ask()).as("no endpoint is left").isEqualTo("refused");
            node.serve("", 2);
            assertThat(conversation.ask()).as("an endpoint came").isEqualTo("2");
            node.serveNothing();
            assertThat(conversation.ask(Duration.ofSeconds(1)))
                    .as("the Service went")
                    .isNotEqualTo("2");
            node.serve("", 2);
            assertThat(conversation.ask()).as("the Service came back").isEqualTo("2");
            node.serveNothing();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nftables", "iptables"})
    void a_connection_that_its_endpoint_does_not_answer_is_led_anew_when_the_endpoint_goes(String mode)
            throws Exception {
        try (ProxiedNode node = new ProxiedNode(NAME, mode)) {
            node.addPods(2);
            node.mute(1);
            node.serve("", 1);
            try (SocketChannel inside = knock(node.client(1), ProxiedNode.CLUSTER_IP);
                    SocketChannel outside = knock(node.outside(), node.nodePort())) {
                node.serve("", 2);
                for (SocketChannel channel : List.of(inside, outside)) {
                    await().atMost(Duration.ofSeconds(30)).until(channel::finishConnect);
                    channel.configureBlocking(true);
                    InputStream answer = channel.socket().getInputStream();
                    assertThat(new String(answer.readAllBytes(), StandardCharsets.UTF_8))
                            .startsWith("2 ");
                }
            }
        }
    }

    /// A connection that has been asked for, and goes on asking.
    private static SocketChannel knock(NetworkNamespace from, IpPort to) {
        return from.call(() -> {
            SocketChannel channel = SocketChannel.open();
            channel.configureBlocking(false);
            channel.connect(new InetSocketAddress(to.ip().toString(), to.port()));
            return channel;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nftables", "iptables"})
    void a_client_keeps_its_pod_at_every_frontend_of_a_port_until_the_timeout(String mode) throws IOException {
        Duration timeout = Duration.ofSeconds(1);
        try (ProxiedNode node = new ProxiedNode(NAME, mode)) {
            node.addPods(3);
            node.serve("""
                sessionAffinity: ClientIP
                  sessionAffinityConfig: {clientIP: {timeoutSeconds: %d}}
                """.formatted(timeout.toSeconds()), 1, 2, 3);
            Question clusterIp = new Question(node.client(1), Protocol.TCP, ProxiedNode.CLUSTER_IP);
            Question nodePort = new Question(clusterIp.from(), Protocol.TCP, node.nodePort());
            checkStays(List.of(clusterIp, nodePort, clusterIp, nodePort), timeout);

            String first = name(clusterIp);
            await().pollInterval(timeout.multipliedBy(3).dividedBy(2))
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> !name(clusterIp).equals(first));
        }
    }

    /// An answer counts only if its question came within the timeout: a machine with much to do may pause for longer.
    private static void checkStays(List<Question> questions, Duration timeout) {
        int compared = 0;
        for (int round = 0; compared < 12 && round < 200; round++) {
            long start = System.nanoTime();
            List<String> names =
                    questions.stream().map(ProxyTrafficIT::name).distinct().toList();
            if (System.nanoTime() - start < timeout.toNanos()) {
                assertThat(names).hasSize(1);
                compared++;
            }
        }
        assertThat(compared).isEqualTo(12);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nftables", "iptables"})
    void another_port_of_a_service_chooses_for_itself(String mode) throws IOException {
        try (ProxiedNode node = new ProxiedNode(NAME, mode)) {
            node.addPods(3);
            node.serve("sessionAffinity: ClientIP", 1, 2, 3);
            IpPort other = new IpPort(ProxiedNode.CLUSTER_IP.ip(), 54);
            List<Boolean> same = new ArrayList<>();
            for (int number = 1; number <= 14; number++) { // that all choose the same twice happens once in 3^14 times
                NetworkNamespace client = node.client(number);
                same.add(name(new Question(client, Protocol.TCP, ProxiedNode.CLUSTER_IP))
                        .equals(name(new Question(client, Protocol.TCP, other))));
            }
            assertThat(same).contains(false);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nftables", "iptables"})
    void connections_are_counted_over_a_restart_and_over_a_change_of_endpoints(String mode) throws IOException {
        try (ProxiedNode node = new ProxiedNode(NAME, mode)) {
            node.addPods(3);
            node.serve("", 1, 2);
            Question question = new Question(node.client(1), Protocol.TCP, ProxiedNode.CLUSTER_IP);
            ask(question, 10);
            assertCounted(node, 10);
            ask(question, 3);
            node.restartProxy();
            assertCounted(node, 13);
            ask(question, 20);
            assertCounted(node, 33);
            ask(question, 2);
            node.serve("", 1, 2, 3);
            ask(question, 40);
            assertCounted(node, 75);
        }
    }

    private static void assertCounted(ProxiedNode node, long connections) {
        assertThat(node.counted("fairlead_service_connections")).isEqualTo(connections);
        assertThat(node.counted("fairlead_endpoint_connections")).isEqualTo(connections);
    }

    private static void ask(Question question, int times) {
        for (int i = 0; i < times; i++) {
            name(question);
        }
    }

    private static String name(Question question) {
        Question.Reply reply = question.ask(PATIENCE);
        assertThat(reply).isInstanceOf(Question.Reply.Answered.class);
        return ((Question.Reply.Answered) reply).name();
    }
}
