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
import io.fairlead.client.Deletion;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.ConntrackSocket;
import io.fairlead.testkit.RequiresRoot;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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
    private static final int NO_SUCH_NAME = 3;

    /// musl's resolver, which asks for both families at once and stops at the first wrong NODATA.
    private static final String MUSL_PROGRAM = """
        #include <stdio.h>
        #include <netdb.h>
        #include <arpa/inet.h>
        int main(int argc, char **argv) {
          struct addrinfo *all, *one;
          char text[64];
          if (getaddrinfo(argv[1], 0, 0, &all)) return 1;
          for (one = all; one; one = one->ai_next)
            if (one->ai_family == AF_INET && one->ai_socktype == SOCK_STREAM)
              puts(inet_ntop(AF_INET, &((struct sockaddr_in *) one->ai_addr)->sin_addr, text, 64));
          return 0;
        }
        """;

    private static final String JAVA_PROGRAM = """
        void main(String[] names) throws Exception {
            for (String name : names) {
                IO.println(java.net.InetAddress.getByName(name).getHostAddress());
            }
        }
        """;

    private static RunningCluster cluster;
    private static Workbench bench;

    @BeforeAll
    static void up() throws Exception {
        cluster = RunningCluster.up("fldns");
        cluster.createClientPods();
        bench = Workbench.of(cluster);
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
    void while_endpoints_change_every_answer_is_the_whole_of_one_state() throws Exception {
        cluster.client().create(Kind.SERVICE, (ObjectNode) Json.parse("""
            {"metadata": {"namespace": "default", "name": "group"}, "spec": {"clusterIP": "None", "ports": [{"port": 80}]}}
            """));
        Set<Ip> both = Set.of(Ip.parse("10.244.99.1"), Ip.parse("10.244.99.2"));
        Set<Ip> other = Set.of(Ip.parse("10.244.99.3"));
        cluster.client().create(Kind.ENDPOINT_SLICE, slice(both));
        String group = "group.default.svc.cluster.local";
        await().atMost(Duration.ofSeconds(30))
                .until(() -> printed(group).lines().count() == both.size());
        try (Questions questions = asking(
                group,
                answer -> Questions.code(answer) == 0 && Set.of(both, other).contains(Questions.addresses(answer)))) {
            for (int i = 0; i < 20; i++) {
                cluster.client().update(Kind.ENDPOINT_SLICE, slice(i % 2 == 0 ? other : both));
                int before = questions.answered();
                await().atMost(Duration.ofSeconds(30)).until(() -> questions.answered() > before + 10);
            }
            assertThat(lost(questions.stop())).isZero();
        }
    }

    @Test
    void while_a_namespace_comes_and_goes_its_names_are_there_or_not_and_others_stay() throws Exception {
        String cart = "cart.room.svc.cluster.local";
        Set<Ip> there = Set.of(Ip.parse("10.96.5.5"));
        try (Questions stranger = ask();
                Questions questions = asking(
                        cart,
                        answer -> Questions.code(answer) == 0
                                ? Questions.addresses(answer).equals(there)
                                : Questions.code(answer) == NO_SUCH_NAME && answer.getShort(6) == 0)) {
            for (int i = 0; i < 2; i++) {
                cluster.client()
                        .create(Kind.NAMESPACE, (ObjectNode) Json.parse("{\"metadata\": {\"name\": \"room\"}}"));
                cluster.client().create(Kind.SERVICE, (ObjectNode) Json.parse("""
                    {"metadata": {"namespace": "room", "name": "cart"},
                     "spec": {"clusterIP": "10.96.5.5", "ports": [{"port": 80}]}}
                    """));
                awaitAnswer(cart, "10.96.5.5\n");
                cluster.client().delete(Kind.NAMESPACE, new NamespacedName("", "room"), Deletion.DEFAULT);
                awaitAnswer(cart, "");
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> cluster.client()
                                .find(Kind.NAMESPACE, new NamespacedName("", "room"))
                                .isEmpty());
            }
            assertThat(lost(questions.stop())).isZero();
            assertThat(lost(stranger.stop())).isZero();
        }
    }

    @Test
    void while_a_pod_of_a_stateful_set_is_replaced_its_name_is_its_own_or_not_there() throws Exception {
        bench.create("""
            apiVersion: v1
            kind: Service
            metadata: {name: ordered}
            spec: {clusterIP: None, selector: {app: ordered}, ports: [{port: 80}]}
            ---
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: ordered}
            spec:
              serviceName: ordered
              replicas: 2
              selector: {matchLabels: {app: ordered}}
              template:
                metadata: {labels: {app: ordered}}
                spec:
                  terminationGracePeriodSeconds: 1
                  containers: [{name: main, image: fairlead/pause}]
            """);
        String first = "ordered-0.ordered.default.svc.cluster.local";
        Ip before = awaitOther(first, "");
        awaitOther("ordered-1.ordered.default.svc.cluster.local", "");
        Set<Ip> seen = ConcurrentHashMap.newKeySet();
        try (Questions questions = asking(first, answer -> {
            if (Questions.code(answer) == 0) {
                seen.addAll(Questions.addresses(answer));
            }
            return Questions.code(answer) == 0 ? answer.getShort(6) == 1 : Questions.code(answer) == NO_SUCH_NAME;
        })) {
            await().atMost(Duration.ofSeconds(30)).until(() -> questions.answered() > 50);
            cluster.deletePod("ordered-0");
            Ip after = awaitOther(first, before + "\n");
            int then = questions.answered();
            await().atMost(Duration.ofSeconds(30)).until(() -> questions.answered() > then + 50);
            assertThat(lost(questions.stop())).isZero();
            assertThat(seen).containsExactlyInAnyOrder(before, after);
        }
    }

    @Test
    void every_resolver_finds_the_names_of_the_documents_inside_a_pod() throws Exception {
        cluster.client().create(Kind.SERVICE, (ObjectNode) Json.parse("""
            {"metadata": {"namespace": "default", "name": "my-service"},
             "spec": {"clusterIP": "10.96.4.4", "selector": {"app": "MyApp"},
                      "ports": [{"port": 80, "targetPort": 9376}]}}
            """));
        bench.runScript("names", """
            cat >/tmp/lookup.c <<'END'
            %sEND
            cat >/tmp/Lookup.java <<'END'
            %sEND
            musl-gcc -static -o /tmp/lookup /tmp/lookup.c
            %s/bin/java -Xmx128m /tmp/Lookup.java my-service my-service.default my-service.default.svc | sed s/^/java./
            for name in my-service my-service.default my-service.default.svc; do
              /tmp/lookup $name | sed s/^/musl./
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
            """.formatted(MUSL_PROGRAM, JAVA_PROGRAM, System.getProperty("java.home")));
        await().atMost(Duration.ofSeconds(60))
                .until(() -> bench.field("pod names", ".status.phase").equals("Succeeded"));
        String log = bench.run("logs names");
        for (String resolver : List.of("getent", "dig", "drill", "busybox", "musl", "java", "kdig")) {
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

    private static ObjectNode slice(Set<Ip> addresses) {
        return (ObjectNode) Json.parse("""
            {"metadata": {"namespace": "default", "name": "group-1", "labels": {"kubernetes.io/service-name": "group"}},
             "addressType": "IPv4", "ports": [{"name": "", "port": 80}], "endpoints": [%s]}
            """.formatted(
                addresses.stream().map("{\"addresses\": [\"%s\"]}"::formatted).collect(Collectors.joining(", "))));
    }

    private static void awaitAnswer(String name, String wanted) {
        await().atMost(Duration.ofSeconds(30)).until(() -> printed(name).equals(wanted));
    }

    /// The address of a name when it has one other than this.
    private static Ip awaitOther(String name, String known) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> !printed(name).isEmpty() && !printed(name).equals(known));
        return Ip.parse(printed(name).strip());
    }

    private static String printed(String name) {
        return cluster.clientPod(NODE)
                .call(() -> Command.run(List.of("dig", "+tries=1", "+time=3", "+short", "@" + DNS, name), "")
                        .output());
    }

    private static int lost(Questions.Outcome outcome) {
        assertThat(outcome.wrong()).isZero();
        return outcome.lost();
    }

    private static Questions asking(String name, Predicate<ByteBuffer> right) {
        return new Questions(cluster.clientPod(NODE), DNS, name, RATE / 4, right);
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
