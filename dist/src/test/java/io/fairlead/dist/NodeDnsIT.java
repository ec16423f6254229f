package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.kernel.ConntrackSocket;
import io.fairlead.testkit.RequiresRoot;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Each node answers its own pods at the address of the cluster's DNS; when its server is away, another node's does.
@RequiresRoot
final class NodeDnsIT {
    private static final String DNS = "10.96.0.10";
    private static final String NAME = "hello.default.svc.cluster.local";
    private static final String NODE = "node-1";
    private static final int RATE = 1_000;

    private static RunningCluster cluster;

    @BeforeAll
    static void up() throws Exception {
        cluster = RunningCluster.up("fldns");
        cluster.createClientPods();
        awaitDoor();
    }

    @AfterAll
    static void down() throws Exception {
        if (cluster != null) {
            cluster.end();
        }
    }

    @Test
    void questions_of_pods_stay_on_their_node_and_pass_no_connection_tracking() throws Exception {
        try (Questions questions = ask()) {
            await().atMost(Duration.ofSeconds(30)).until(() -> questions.answered() > 200);
            assertThat(tracked(questions.port())).isZero();
            assertThat(lost(questions.stop())).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nftables", "iptables", "userspace"})
    void a_restart_of_the_agent_under_a_thousand_questions_a_second_loses_none(String mode) throws Exception {
        change(mode);
        try (Questions questions = ask()) {
            await().atMost(Duration.ofSeconds(30)).until(() -> questions.answered() > 500);
            long before = cluster.pid(NODE);
            cluster.end(NODE);
            await().atMost(Duration.ofSeconds(60)).until(() -> cluster.pid(NODE) != before);
            awaitDoor();
            int then = questions.answered();
            await().atMost(Duration.ofSeconds(30)).until(() -> questions.answered() > then + 500);
            Questions.Outcome outcome = questions.stop();
            System.out.printf("mode %s, agent restarted: %s%n", mode, outcome);
            assertThat(lost(outcome)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"iptables", "userspace"})
    void when_the_agent_is_killed_the_next_question_is_answered_by_another_node(String mode) throws Exception {
        change(mode);
        try (Questions questions = ask()) {
            await().atMost(Duration.ofSeconds(30)).until(() -> questions.answered() > 500);
            long before = cluster.pid(NODE);
            cluster.kill(NODE);
            await().atMost(Duration.ofSeconds(60)).until(() -> cluster.pid(NODE) != before);
            awaitDoor();
            Questions.Outcome outcome = questions.stop();
            System.out.printf("mode %s, agent killed: %s%n", mode, outcome);
            assertThat(outcome.wrong()).isZero();
            assertThat(outcome.lost())
                    .as("those that waited in the killed agent")
                    .isLessThan(RATE / 4);
        }
    }

    private static int lost(Questions.Outcome outcome) {
        assertThat(outcome.wrong()).isZero();
        return outcome.lost();
    }

    private static Questions ask() {
        return new Questions(cluster.clientPod(NODE), DNS, NAME, RATE);
    }

    /// How many flows from a port to the cluster's DNS the node's kernel follows.
    private static long tracked(int port) throws Exception {
        return cluster.nodeNamespace(NODE).call(() -> {
            try (ConntrackSocket conntrack = ConntrackSocket.open()) {
                return conntrack.flows(Family.IPV4, Protocol.UDP).stream()
                        .filter(flow -> flow.destination().equals(IpPort.parse(DNS + ":53")))
                        .filter(flow -> flow.source().port() == port)
                        .count();
            }
        });
    }

    private static void change(String mode) throws Exception {
        cluster.changeMode(NODE, mode);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> cluster.printed(NODE, "curl", "-s", "http://127.0.0.1:10249/proxyMode")
                        .strip()
                        .equals(mode));
        awaitDoor();
    }

    /// Waits until the node's own server has taken the address.
    private static void awaitDoor() {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> cluster.printed(NODE, "ss", "-Hlun").contains(DNS + ":53"));
    }
}
