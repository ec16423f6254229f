package io.fairlead.dist;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.dist.Traffic.Answer;
import io.fairlead.testkit.RequiresRoot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The whole program on a real kernel, started as a user starts it: `./fairlead up`.
@RequiresRoot
final class UpIT {
    private static final int CONNECTIONS = 3_000;
    private static RunningCluster cluster;

    @BeforeAll
    static void up() throws Exception {
        cluster = RunningCluster.up("flup");
        cluster.createClientPods();
    }

    @AfterAll
    static void down() throws Exception {
        if (cluster != null) {
            cluster.end();
        }
    }

    @Test
    void every_node_and_the_outside_share_their_connections_evenly_among_all_pods() throws Exception {
        List<Answer> all = new ArrayList<>();
        for (String node : cluster.nodes()) {
            all.addAll(balanced(Traffic.send(cluster.clientPod(node), cluster.vip(), CONNECTIONS)));
        }
        for (Ip node : cluster.nodeIps()) {
            IpPort nodePort = new IpPort(node, cluster.nodePort());
            all.addAll(balanced(Traffic.send(cluster.outside(), nodePort, CONNECTIONS)));
        }
        assertThat(sharePerPod(all).values())
                .as("of %d connections in all, within 5 %% of even", all.size())
                .allSatisfy(share -> assertThat(share).isBetween(0.95 / 3, 1.05 / 3));
    }

    @Test
    void pods_are_replaced_under_traffic_and_no_connection_fails_or_goes_to_one_that_left() throws Exception {
        try (Traffic.Running traffic = Traffic.keepSending(cluster.clientPod("node-2"), cluster.vip());
                SliceHistory history = cluster.followSlices()) {
            for (int i = 0; i < 10; i++) {
                String victim = cluster.readyHelloPods().getFirst();
                cluster.deletePod(victim);
                await().atMost(Duration.ofSeconds(30)).until(() -> cluster.isReplaced(victim));
            }
            List<Answer> answers = traffic.stop();
            assertThat(failures(answers)).isEmpty();
            assertThat(answers).hasSizeGreaterThan(1_000);
            Duration lag = history.longestUseAfterLeaving(answers);
            System.out.printf(
                    "ten pods replaced: %d connections, 0 failed; the last to a pod that had left the slice began %d us"
                            + " after the slice was read%n",
                    answers.size(), lag.toNanos() / 1_000);
            assertThat(lag).as("the way from the slice to the kernel").isLessThan(Duration.ofMillis(500));
        }
    }

    /// The short form of `bench/run rolling`, which asks for ten pods and 500 connections a second.
    @Test
    @Timeout(300)
    void a_rolling_update_loses_no_connection_though_its_pods_end_at_once_when_they_are_told() throws Exception {
        int pods = Integer.getInteger("rolling.pods", 4);
        int perSecond = Integer.getInteger("rolling.rate", 120);
        Rollout rollout = Rollout.create(cluster, "rolling", pods);
        IpPort nodePort = new IpPort(cluster.nodeIps().getFirst(), rollout.nodePort());
        List<Traffic.Running> traffic = new ArrayList<>();
        int pairs = 2 + perSecond / 50; // so that a slow answer holds up only a small part of the rate
        for (int i = 0; i < pairs; i++) {
            traffic.add(Traffic.keepSending(cluster.clientPod("node-2"), rollout.vip(), 1.0 * perSecond / pairs / 2));
            traffic.add(Traffic.keepSending(cluster.outside(), nodePort, 1.0 * perSecond / pairs / 2));
        }
        for (Traffic.Running client : traffic) {
            client.awaitFirst();
        }
        long begun = System.nanoTime();
        rollout.roll();
        traffic.forEach(Traffic.Running::close);
        double seconds = (System.nanoTime() - begun) / 1e9;
        List<Answer> answers = new ArrayList<>();
        for (Traffic.Running client : traffic) {
            answers.addAll(client.stop());
        }
        System.out.printf(
                "rolling,%d,%d,%.1f,%d,%.0f,%d%n",
                pods,
                perSecond,
                seconds,
                answers.size(),
                answers.stream().filter(answer -> answer.begun() >= begun).count() / seconds,
                failures(answers).size());
        rollout.delete();
        assertThat(failures(answers)).isEmpty();
        assertThat(sharePerPod(answers)).as("old pods and new ones answered").hasSizeGreaterThan(pods);
    }

    /// What `bench/run events` runs: `-Devents=` says how many, `-Dseed=` plays one again.
    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"nftables", "iptables"})
    @Timeout(1_800)
    void whatever_happens_no_connection_reaches_a_wrong_pod_or_fails_while_a_ready_one_can_be_reached(String mode)
            throws Exception {
        long seed = Long.getLong("seed", 1);
        for (String node : cluster.nodes()) {
            cluster.changeMode(node, mode);
        }
        EventRun.Report report = new EventRun(cluster, mode, seed).run(Integer.getInteger("events", 12));
        System.out.println("events," + report.csv());
        assertThat(report.offences().size())
                .as("%s%n%s", report.csv(), String.join("\n", report.log()))
                .isZero();
        assertThat(report.connections()).isGreaterThan(200);
    }

    @Test
    void a_killed_node_agent_leaves_connections_going_and_finds_its_program_again() throws Exception {
        IpPort nodePort = new IpPort(cluster.nodeIps().getFirst(), cluster.nodePort());
        try (Traffic.Running inside = Traffic.keepSending(cluster.clientPod("node-1"), cluster.vip());
                Traffic.Running outside = Traffic.keepSending(cluster.outside(), nodePort)) {
            long before = cluster.pid("node-1");
            cluster.kill("node-1");
            cluster.scaleHello(4); // while its agent is away
            await().atMost(Duration.ofSeconds(30)).until(() -> cluster.pid("node-1") != before);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> cluster.readyHelloPods().size() == 4);
            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(
                            () -> assertThat(cluster.programmed("node-1")).isEqualTo(cluster.wanted("node-1")));
            cluster.scaleHello(3);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> cluster.helloPods().size() == 3);
            assertThat(failures(inside.stop())).isEmpty();
            assertThat(failures(outside.stop())).isEmpty();
        }
    }

    @Test
    void a_node_changes_its_mode_and_back_under_traffic_and_no_connection_fails() throws Exception {
        IpPort nodePort = new IpPort(cluster.nodeIps().get(2), cluster.nodePort());
        try (Conversation open = Conversation.begin(cluster, "node-3", "node-1");
                Traffic.Running inside = Traffic.keepSending(cluster.clientPod("node-3"), cluster.vip());
                Traffic.Running outside = Traffic.keepSending(cluster.outside(), nodePort)) {
            cluster.changeMode("node-3", "iptables");
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                assertThat(cluster.printed("node-3", "iptables-save")).contains("KUBE-SVC-");
                assertThat(cluster.printed("node-3", "nft", "list", "tables")).doesNotContain("fairlead");
            });
            open.goOn();
            cluster.changeMode("node-3", "nftables");
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                assertThat(cluster.printed("node-3", "nft", "list", "tables")).contains("fairlead");
                assertThat(cluster.printed("node-3", "iptables-save")).doesNotContain("KUBE-");
            });
            open.goOn();
            assertThat(failures(inside.stop())).isEmpty();
            assertThat(failures(outside.stop())).isEmpty();
        }
    }

    @Test
    void every_write_that_was_answered_is_there_after_the_control_plane_was_killed() throws Exception {
        for (int round = 0; round < 3; round++) {
            try (ServiceWriters writers = new ServiceWriters(cluster.access(), "kill-" + round)) {
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> writers.answered().size() > 200);
                cluster.kill("server");
                await().atMost(Duration.ofSeconds(30)).until(cluster::isServing);
                List<String> answered = writers.stop();
                assertThat(cluster.serviceNames()).containsAll(answered);
            }
        }
        cluster.deleteServicesStartingWith("kill-");
        assertThat(Traffic.send(cluster.outside(), new IpPort(cluster.nodeIps().getLast(), cluster.nodePort()), 50))
                .allSatisfy(answer -> assertThat(answer).isInstanceOf(Answer.From.class));
    }

    private static List<Answer> balanced(List<Answer> answers) {
        assertThat(failures(answers)).isEmpty();
        Map<String, Double> shares = sharePerPod(answers);
        assertThat(shares).as("three pods answer").hasSize(3);
        // One pod's share of 3,000 random choices has a deviation of 0.9 points: five points are beyond chance.
        assertThat(shares.values()).allSatisfy(share -> assertThat(share).isBetween(1.0 / 3 - 0.05, 1.0 / 3 + 0.05));
        return answers;
    }

    private static List<Answer> failures(List<Answer> answers) {
        return answers.stream().filter(Answer.Failed.class::isInstance).toList();
    }

    private static Map<String, Double> sharePerPod(List<Answer> answers) {
        Map<String, Long> counts = answers.stream()
                .map(Answer.From.class::cast)
                .collect(groupingBy(Answer.From::pod, TreeMap::new, counting()));
        Map<String, Double> shares = new TreeMap<>();
        counts.forEach((pod, count) -> shares.put(pod, (double) count / answers.size()));
        return shares;
    }
}
