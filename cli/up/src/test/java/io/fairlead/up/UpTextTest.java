package io.fairlead.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Snapshot;
import io.fairlead.lab.Topology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What `up` writes: its welcome, its commands, its file.
final class UpTextTest {
    private static final UpConfig CONFIG = new UpConfig(
            Topology.of("fairlead", 2),
            "nftables",
            Path.of("/var/lib/fairlead"),
            new UpConfig.Launcher(List.of("java", "-Xmx64m", "io.fairlead.commands.Main"), "./fairlead"),
            new OpenKeys());
    private static final Snapshot SNAPSHOT = Snapshots.of(Snapshots.pod("hello-a", "node-1", "10.244.1.2", true)
            + Snapshots.pod("hello-b", "node-2", "10.244.2.2", true)
            + Snapshots.service("{addresses: [10.244.1.2]}, {addresses: [10.244.2.2]}"));

    @Test
    void the_welcome_shows_what_there_is_and_what_to_try() {
        assertThat(Welcome.text(CONFIG, SNAPSHOT, Duration.ofMillis(4321))).isEqualTo("""

            NODE     ADDRESS       PODS            NAMESPACE
            node-1   10.210.0.11   10.244.1.0/24   fairlead-node-1
            node-2   10.210.0.12   10.244.2.0/24   fairlead-node-2

            POD       ADDRESS      NODE     READY
            hello-a   10.244.1.2   node-1   yes
            hello-b   10.244.2.2   node-2   yes

            SERVICE   VIP           PORT   NODE PORT
            hello     10.96.12.34   80     30123

            kubeconfig     /var/lib/fairlead/kubeconfig
            logs           /var/lib/fairlead/logs
            first answer   after 4.3 s

            Try, in another terminal:
              curl http://10.96.12.34/
              ./fairlead get services
              ./fairlead delete pod hello-a

            What changes is shown here. Ctrl-C ends the cluster and removes all of it.
            """);
    }

    @Test
    void the_children_are_started_with_all_they_must_know() {
        ChildCommands commands = new ChildCommands(CONFIG);
        Child server = commands.server();
        assertThat(server.namespace()).isEqualTo("fairlead");
        assertThat(String.join(" ", server.command()))
                .isEqualTo("setsid java -Xmx64m io.fairlead.commands.Main server --dir /var/lib/fairlead/server"
                        + " --bind 10.210.0.1:6443 --service-cidr 10.96.0.0/16,fd00:96::/112"
                        + " --cluster-cidr 10.244.0.0/16,fd00:244::/32"
                        + " --load-balancer-pool default=10.210.0.200-10.210.0.250,fd00:210::200-fd00:210::250"
                        + " --pod-security baseline");
        Child node = commands.node(CONFIG.topology().nodes().get(1));
        assertThat(node.namespace()).isEqualTo("fairlead-node-2");
        assertThat(node.log()).hasToString("/var/lib/fairlead/logs/node-2.log");
        assertThat(String.join(" ", node.command()))
                .isEqualTo("setsid java -Xmx64m io.fairlead.commands.Main node --name node-2"
                        + " --dir /var/lib/fairlead/nodes/node-2 --kubeconfig /var/lib/fairlead/nodes/node-2/kubeconfig"
                        + " --node-ip 10.210.0.12,fd00:210::12 --pod-cidr 10.244.2.0/24,fd00:244:2::/64"
                        + " --cluster-cidr 10.244.0.0/16,fd00:244::/32 --mode nftables"
                        + " --name-prefix fairlead-node-2 --log-dir /var/lib/fairlead/logs --sample-images");
    }

    @Test
    void nodes_know_their_zones_and_image_tables() {
        UpConfig.NodeWishes nodes = new UpConfig.NodeWishes(List.of(Path.of("/etc/images.yaml")), 2, "");
        UpConfig config = new UpConfig(
                Topology.of("fairlead", 3),
                "nftables",
                Path.of("/var/lib/fairlead"),
                CONFIG.launcher(),
                new OpenKeys(),
                new UpConfig.Wishes(false, "baseline", nodes, UpConfig.Content.SAMPLE));
        assertThat(config.topology().nodes())
                .extracting(node ->
                        String.join(" ", new ChildCommands(config).node(node).command()))
                .satisfiesExactly(
                        first -> assertThat(first).endsWith("--image-table /etc/images.yaml --zone zone-1"),
                        second -> assertThat(second).endsWith("--zone zone-2"),
                        third -> assertThat(third).endsWith("--zone zone-1"));
    }

    @Test
    void a_cluster_without_the_sample_shows_what_there_is() {
        UpConfig.Content none = new UpConfig.Content(false, false, UpConfig.Content.SAMPLE.manifests());
        UpConfig config = new UpConfig(
                Topology.ofIpv4("fairlead", 1),
                "nftables",
                Path.of("/var/lib/fairlead"),
                CONFIG.launcher(),
                new OpenKeys(),
                new UpConfig.Wishes(false, "baseline", UpConfig.NodeWishes.NONE, none));
        assertThat(Welcome.text(config, Snapshot.EMPTY, Duration.ofMillis(4321)))
                .isEqualTo("""

                    NODE     ADDRESS       PODS            NAMESPACE
                    node-1   10.210.0.11   10.244.1.0/24   fairlead-node-1

                    kubeconfig     /var/lib/fairlead/kubeconfig
                    logs           /var/lib/fairlead/logs
                    ready          after 4.3 s

                    Try, in another terminal:
                      ./fairlead get services

                    What changes is shown here. Ctrl-C ends the cluster and removes all of it.
                    """);
    }

    @Test
    void the_file_tells_programs_where_everything_is() {
        JsonNode json = UpFile.json(
                CONFIG, Map.of("server", 41L, "node-2", 43L), Sample.service(SNAPSHOT), Duration.ofMillis(4321));
        assertThat(Json.text(json, "server", "url")).isEqualTo("https://10.210.0.1:6443");
        assertThat(json.at("/server/pid").intValue()).isEqualTo(41);
        assertThat(json.at("/nodes/0/pid").intValue()).isZero();
        assertThat(json.at("/nodes/1/pid").intValue()).isEqualTo(43);
        assertThat(json.at("/nodes/1/ips/1").stringValue()).isEqualTo("fd00:210::12");
        assertThat(Json.texts(json, "service", "clusterIPs")).containsExactly("10.96.12.34");
        assertThat(Json.number(json, 0, "service", "nodePort")).isEqualTo(30123);
        assertThat(Json.text(json, "client", "namespace")).isEqualTo("fairlead-client");
        assertThat(json.path("firstAnswerSeconds").doubleValue()).isEqualTo(4.321);
    }

    @Test
    void the_sample_is_the_example_that_users_read() {
        assertThat(Sample.documents())
                .extracting(document -> Json.text(document, "kind"))
                .containsExactly(Kind.DEPLOYMENT.name(), Kind.SERVICE.name());
        assertThat(Sample.documents())
                .allSatisfy(document ->
                        assertThat(Json.text(document, "metadata", "name")).isEqualTo(Sample.NAME.name()));
    }

    @Test
    void only_an_answer_with_200_counts_as_one() {
        assertThat(Greeting.body("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello\n"))
                .contains("hello");
        assertThat(Greeting.body("HTTP/1.1 503 Service Unavailable\r\n\r\nnot yet"))
                .isEmpty();
        assertThat(Greeting.body("")).isEmpty();
    }
}
