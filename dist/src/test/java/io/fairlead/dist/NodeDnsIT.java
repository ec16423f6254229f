package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.ConntrackSocket;
import io.fairlead.testkit.RequiresRoot;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

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
    @ValueSource(strings = {"nftables", "iptables", "userspace", "ebpf"})
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
    @ValueSource(strings = "userspace")
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

    @Test
    void while_a_service_changes_its_type_and_address_every_answer_is_one_it_had() throws Exception {
        NamespacedName name = new NamespacedName("default", "moving");
        cluster.client().create(Kind.SERVICE, (ObjectNode) Json.parse("""
            {"metadata": {"namespace": "default", "name": "moving"},
             "spec": {"clusterIP": "10.96.3.3", "ports": [{"port": 80}]}}
            """));
        String moving = "moving.default.svc.cluster.local";
        awaitAnswer(moving, "10.96.3.3\n");
        String vip = cluster.vip().ip().toString();
        try (Questions questions = new Questions(
                cluster.clientPod(NODE),
                DNS,
                moving,
                RATE / 2,
                Questions.oneOf(Ip.parse("10.96.3.3"), Ip.parse(vip)))) {
            for (int i = 0; i < 5; i++) {
                cluster.client().mergePatch(Kind.SERVICE, name, Json.parse("""
                    {"spec": {"type": "ExternalName", "externalName": "%s", "clusterIP": null, "clusterIPs": null}}
                    """.formatted(NAME)));
                awaitAnswer(moving, NAME + ".\n" + vip + "\n");
                cluster.client().mergePatch(Kind.SERVICE, name, Json.parse("""
                    {"spec": {"type": "ClusterIP", "externalName": null, "clusterIP": "10.96.3.3"}}
                    """));
                awaitAnswer(moving, "10.96.3.3\n");
            }
            assertThat(lost(questions.stop())).isZero();
        }
    }

    @Test
    void every_resolver_finds_the_names_of_the_documents_inside_a_pod() throws Exception {
        cluster.client().create(Kind.SERVICE, (ObjectNode) Json.parse("""
            {"metadata": {"namespace": "default", "name": "my-service"},
             "spec": {"clusterIP": "10.96.4.4", "selector": {"app": "MyApp"},
                      "ports": [{"port": 80, "targetPort": 9376}]}}
            """));
        Workbench bench = Workbench.of(cluster);
        bench.runScript("names", """
            for name in my-service my-service.default my-service.default.svc; do
              getent hosts $name | sed s/^/getent./
              dig +search +short $name | sed s/^/dig./
              kdig +short $name.default.svc.cluster.local >/dev/null
              drill -Q my-service.default.svc.cluster.local | sed s/^/drill./
              busybox nslookup my-service.default.svc.cluster.local | grep -A1 Name | sed s/^/busybox./
            done
            kdig +short my-service.default.svc.cluster.local | sed s/^/kdig./
            dig +short -x 10.96.4.4 | sed s/^/reverse./
            dig +short kubernetes.default.svc.cluster.local | sed s/^/kubernetes./
            cat /etc/resolv.conf
            """);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> bench.field("pod names", ".status.phase").equals("Succeeded"));
        String log = bench.run("logs names");
        for (String resolver : List.of("getent", "dig", "drill", "busybox", "kdig")) {
            assertThat(log.lines().filter(line -> line.startsWith(resolver + ".") && line.contains("10.96.4.4")))
                    .as("%s, of%n%s", resolver, log)
                    .hasSize(resolver.equals("kdig") ? 1 : 3);
        }
        assertThat(log)
                .contains(
                        "reverse.my-service.default.svc.cluster.local.",
                        "kubernetes.10.96.0.1",
                        "nameserver 10.96.0.10",
                        "search default.svc.cluster.local svc.cluster.local cluster.local",
                        "options ndots:5");
    }

    private static void awaitAnswer(String name, String wanted) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> cluster.clientPod(NODE)
                        .call(() -> Command.run(List.of("dig", "+tries=1", "+time=3", "+short", "@" + DNS, name), "")
                                .output())
                        .equals(wanted));
    }

    private static int lost(Questions.Outcome outcome) {
        assertThat(outcome.wrong()).isZero();
        return outcome.lost();
    }

    private static Questions ask() throws Exception {
        return new Questions(
                cluster.clientPod(NODE),
                DNS,
                NAME,
                RATE,
                Questions.oneOf(cluster.vip().ip()));
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
