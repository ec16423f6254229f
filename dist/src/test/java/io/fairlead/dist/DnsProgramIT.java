package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Kubeconfig;
import io.fairlead.kernel.Command;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.yaml.Yaml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead dns` beside an API server, with the command and the rights of `docs/examples/fairlead-dns*.yaml`.
@RequiresRoot
final class DnsProgramIT {
    private static final Path EXAMPLES = Path.of(System.getProperty("fairlead.root"), "docs", "examples");
    private static final String SERVER = "127.0.0.1:16453";
    private static final NamespacedName COREFILE = new NamespacedName("kube-system", "coredns");
    private static final String POD = "fldns-pod-" + ProcessHandle.current().pid();

    @TempDir
    Path folder;

    private Launched server;
    private ApiClient administrator;

    @BeforeEach
    void start() throws Exception {
        server = Launched.start(folder, "server", "--dir", folder.toString(), "--bind", SERVER);
        Path kubeconfig = folder.resolve("kubeconfig");
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            server.requireAlive();
            return Files.exists(kubeconfig);
        });
        administrator = new ApiClient(Kubeconfig.read(kubeconfig));
        await().atMost(Duration.ofSeconds(60)).until(administrator::isReady);
        List<JsonNode> objects =
                new ArrayList<>(Yaml.parseAll(Files.readString(EXAMPLES.resolve("fairlead-dns.yaml"))));
        objects.removeIf(object -> List.of("Deployment", "Service").contains(Json.text(object, "kind")));
        objects.addAll(Yaml.parseAll("""
            {apiVersion: v1, kind: Service, metadata: {namespace: default, name: web},
             spec: {clusterIP: 10.96.7.7, ports: [{port: 80}]}}
            """));
        for (JsonNode object : objects) {
            create(object);
        }
    }

    @AfterEach
    void end() throws Exception {
        if (administrator != null) {
            administrator.close();
        }
        server.end();
        run("ip", "netns", "delete", POD);
        run("nft", "delete", "table", "inet", "fl-node-dns");
    }

    @Test
    void the_deployment_answers_with_its_rights_and_follows_the_configmap_of_coredns() throws Exception {
        create(corefile("192.0.2.9"));
        Launched dns = start("fairlead-dns.yaml", "--address", "127.0.0.1:53", "--lame-duck", "3");
        try {
            awaitReady(dns);
            assertThat(dig("127.0.0.1", "web.default.svc.cluster.local")).isEqualTo("10.96.7.7\n");
            assertThat(dig("127.0.0.1", "box.example.org")).isEqualTo("192.0.2.9\n");
            replace(corefile("192.0.2.10"));
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> dig("127.0.0.1", "box.example.org").equals("192.0.2.10\n"));
            replace(corefile("192.0.2.11").deepCopy(), ".:53 {\n    whatever\n}\n");
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> dns.output().contains("Corefile line 2: \"whatever\" is not understood"));
            assertThat(dig("127.0.0.1", "box.example.org")).as("as before").isEqualTo("192.0.2.10\n");
            assertThat(Launched.run(folder, "dump", "zone").output())
                    .contains("web.default.svc.cluster.local. 5 IN A 10.96.7.7");
            ProcessHandle.of(dns.pid()).orElseThrow().destroy();
            await().atMost(Duration.ofSeconds(30)).until(() -> page("/ready").equals("503"));
            assertThat(dig("127.0.0.1", "web.default.svc.cluster.local")).isEqualTo("10.96.7.7\n");
        } finally {
            assertThat(dns.end().output()).doesNotContain("forbidden").contains("event=leaving");
        }
    }

    @Test
    void a_corefile_that_is_wrong_is_an_error_that_names_the_line() throws Exception {
        Path file = Files.writeString(folder.resolve("Corefile"), ".:53 {\n    errors\n    etcd here\n}\n");
        Launched.Result result = Launched.run(folder, "dns", "--corefile", file.toString());
        assertThat(result.exit()).isNotZero();
        assertThat(result.output()).contains("Corefile line 3: \"etcd here\" is not understood");
    }

    @Test
    void flags_may_stand_in_a_file() throws Exception {
        Path file = Files.writeString(folder.resolve("dns.conf"), """
            # one flag a line
            --address 127.0.0.1:53
            --forward corp=nowhere
            """);
        Launched.Result result = Launched.run(folder, "dns", "@" + file);
        assertThat(result.exit()).isNotZero();
        assertThat(result.output()).contains("nowhere");
    }

    @Test
    void the_server_of_a_node_answers_pods_at_the_address_of_kube_dns_as_long_as_it_runs() throws Exception {
        plugPod();
        Launched dns = start("fairlead-dns-node.yaml", "--lame-duck", "0");
        try {
            awaitReady(dns);
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(fromPod("+notcp")).isEqualTo("10.96.7.7\n"));
            assertThat(fromPod("+tcp")).isEqualTo("10.96.7.7\n");
            dns.kill();
            assertThat(fromPod("+notcp"))
                    .as("left to the proxy, which is not here")
                    .doesNotContain("10.96.7.7");
        } finally {
            dns.kill();
        }
    }

    /// A namespace with a cable to ours, as the pod of a node has it.
    private static void plugPod() {
        ip("netns", "add", POD);
        ip("link", "add", "fldns0", "type", "veth", "peer", "name", "eth0", "netns", POD);
        ip("address", "add", "10.244.9.1/24", "dev", "fldns0");
        ip("link", "set", "fldns0", "up");
        ip("-n", POD, "address", "add", "10.244.9.2/24", "dev", "eth0");
        ip("-n", POD, "link", "set", "eth0", "up");
        ip("-n", POD, "route", "add", "default", "via", "10.244.9.1");
    }

    private static void ip(String... words) {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(words));
        Command.Result result = Command.run(command, "");
        assertThat(result.errors()).as(command.toString()).isEmpty();
    }

    private static String fromPod(String carrier) {
        return run(
                "ip",
                "netns",
                "exec",
                POD,
                "dig",
                "+tries=1",
                "+time=2",
                "+short",
                carrier,
                "@10.96.0.10",
                "web.default.svc.cluster.local");
    }

    private static String dig(String server, String name) {
        return run("dig", "+tries=1", "+time=3", "+short", "@" + server, name);
    }

    private static String page(String path) {
        return run("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "http://127.0.0.1:9153" + path);
    }

    private static String run(String... words) {
        return Command.run(List.of(words), "").output();
    }

    private static void awaitReady(Launched dns) {
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            dns.requireAlive();
            return page("/ready").equals("200");
        });
    }

    /// The command of an example's container, as the account of the example, and what differs here.
    private Launched start(String example, String... more) throws Exception {
        JsonNode workload =
                Yaml.parseAll(Files.readString(EXAMPLES.resolve(example))).getLast();
        List<String> command = new ArrayList<>(Json.texts(workload.at("/spec/template/spec/containers/0"), "command"));
        assertThat(command.removeFirst()).isEqualTo("fairlead");
        command.addAll(List.of("--kubeconfig", account().toString()));
        command.addAll(List.of(more));
        return Launched.start(folder, command.toArray(String[]::new));
    }

    private Path account() throws Exception {
        Kind request = new Kind("", "v1", "TokenRequest", "serviceaccounts/fairlead-dns/token", true, List.of());
        ObjectNode answer = administrator.create(request, (ObjectNode) Json.parse("""
            {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
             "metadata": {"namespace": "kube-system"}, "spec": {}}\
            """));
        JsonNode config =
                Yaml.parseAll(Files.readString(folder.resolve("kubeconfig"))).getFirst();
        ((ObjectNode) config.at("/users/0")).putObject("user").put("token", Json.text(answer, "status", "token"));
        return Files.writeString(folder.resolve("account"), Json.pretty(config));
    }

    private void create(JsonNode object) throws InterruptedException {
        Kind kind = Kind.find(Json.text(object, "apiVersion"), Json.text(object, "kind"))
                .orElseThrow();
        administrator.create(kind, (ObjectNode) object);
    }

    private void replace(ObjectNode map) throws InterruptedException {
        replace(map, Json.text(map, "data", "Corefile"));
    }

    private void replace(ObjectNode map, String text) throws InterruptedException {
        ((ObjectNode) map.get("data")).put("Corefile", text);
        administrator.mergePatch(Kind.CONFIG_MAP, COREFILE, map);
    }

    private static ObjectNode corefile(String address) {
        ObjectNode map = (ObjectNode) Json.parse("""
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"namespace": "kube-system", "name": "coredns"}}
            """);
        map.putObject("data").put("Corefile", """
            .:53 {
                kubernetes cluster.local in-addr.arpa ip6.arpa {
                    pods insecure
                    fallthrough in-addr.arpa ip6.arpa
                }
                hosts {
                    %s box.example.org
                    fallthrough
                }
            }
            """.formatted(address));
        return map;
    }
}
