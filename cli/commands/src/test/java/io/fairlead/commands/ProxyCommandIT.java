package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Deletion;
import io.fairlead.client.Kubeconfig;
import io.fairlead.http.ApiServer;
import io.fairlead.http.ApiServerConfig;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.DatagramBatch;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.store.MemoryStore;
import io.fairlead.sync.ProxyCleanup;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead proxy` as typed, on a real kernel: as a whole in the network namespace that the JVM of integration tests
/// has for itself, and what it sets in the kernel in namespaces of its own.
@RequiresRoot
final class ProxyCommandIT {
    private static final String PREFIX = "flproxycmd" + ProcessHandle.current().pid();
    private static final NamespacedName NODE = new NamespacedName("", "node-a");
    private static final String ALIVE = "/proc/sys/net/netfilter/nf_conntrack_tcp_timeout_established";
    private static final String ROUTE_LOCALNET = "/proc/sys/net/ipv4/conf/all/route_localnet";
    private static final URI DUMP = URI.create("http://127.0.0.1:10249/dump");

    /// The size of the table of connections is the machine's, and no test's business.
    private static final String LEAVE_SIZE = "--conntrack-max-per-core=0";

    @TempDir
    Path folder;

    private record Result(int exit, String text) {}

    @BeforeEach
    void be_alone() throws IOException {
        assertThat(Files.readAllLines(Path.of("/proc/net/route")))
                .as("this test programs the namespace it runs in; Maven gives it one of its own, without a way out")
                .hasSizeLessThanOrEqualTo(1);
    }

    @AfterEach
    void leave_nothing() {
        ProxyCleanup.removeAll();
        NetworkNamespace.startingWith(PREFIX).forEach(NetworkNamespace::delete);
    }

    @Test
    void another_pod_network_of_its_node_ends_it_and_what_it_programmed_stays() throws Exception {
        Path kubeconfig = folder.resolve("kubeconfig");
        Kubeconfig.write(kubeconfig, ClusterAccess.of(URI.create("http://127.0.0.1:1")));
        Latest<Result> ended = new Latest<>();
        try (MemoryStore store = new MemoryStore();
                ApiServer server = ApiServer.start(ApiServerConfig.at(IpPort.parse("127.0.0.1:0")), store);
                ApiClient client = new ApiClient(ClusterAccess.of(URI.create("http://" + server.address())));
                TaskGroup tasks = new TaskGroup("test")) {
            prepare(client);
            String[] command = {
                "proxy",
                "--kubeconfig=" + kubeconfig,
                "--master=http://" + server.address(),
                "--hostname-override=Node-A",
                "--detect-local-mode=NodeCIDR",
                "--proxy-mode=nftables",
                "--healthz-bind-address=",
                "--conntrack-tcp-timeout-established=0",
                "--conntrack-tcp-timeout-close-wait=0",
                LEAVE_SIZE
            };
            tasks.run("proxy", () -> ended.offer(run(command)));
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .until(() -> dump().contains("10.244.1.7:8080 local"));
            assertThat(answers(10256)).as("its server is off").isFalse();
            assertThat(ended.peek()).isEmpty();

            client.delete(Kind.NODE, NODE, Deletion.DEFAULT);
            client.create(Kind.NODE, node("10.244.9.0/24"));

            assertThat(ended.take(Duration.ofSeconds(60))).hasValueSatisfying(result -> {
                assertThat(result.exit()).isEqualTo(1);
                assertThat(result.text())
                        .contains("error: the podCIDR of node node-a is [10.244.9.0/24] now: start it again");
            });
            assertThat(ProxyCleanup.removeAll().removed()).contains("mode nftables");
        }
    }

    private static void prepare(ApiClient client) throws InterruptedException {
        client.create(Kind.NODE, node("10.244.1.0/24"));
        for (JsonNode object : Yaml.parseAll("""
            apiVersion: v1
            kind: Service
            metadata: {namespace: default, name: web}
            spec: {ports: [{port: 80}]}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {namespace: default, name: web-1, labels: {kubernetes.io/service-name: web}}
            addressType: IPv4
            ports: [{port: 8080}]
            endpoints: [{addresses: [10.244.1.7], nodeName: node-a}]
            """)) {
            Kind kind = Kind.find(Json.text(object, "apiVersion"), Json.text(object, "kind"))
                    .orElseThrow();
            client.create(kind, (ObjectNode) object);
        }
    }

    private static ObjectNode node(String podCidr) {
        return (ObjectNode) Yaml.parseAll("{apiVersion: v1, kind: Node, metadata: {name: node-a}, spec: {podCIDR: %s}}"
                        .formatted(podCidr))
                .getFirst();
    }

    private static String dump() throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(DUMP).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static boolean answers(int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 5_000);
            return true;
        } catch (ConnectException e) {
            return false;
        }
    }

    @Test
    void init_only_sets_what_needs_more_rights_and_ends() {
        NetworkNamespace namespace = NetworkNamespace.create(PREFIX);
        Result result = namespace.call(() -> run(
                "proxy",
                "--init-only",
                "--hostname-override=n",
                "--proxy-mode=iptables",
                "--nodeport-addresses=0.0.0.0/0,::/0",
                "--conntrack-tcp-timeout-established=2h30m",
                LEAVE_SIZE));
        assertThat(result).isEqualTo(new Result(0, ""));
        assertThat(read(namespace, ALIVE)).isEqualTo("9000");
        assertThat(read(namespace, ROUTE_LOCALNET)).isEqualTo("1");
        assertThat(namespace
                        .call(() -> Command.run(List.of("iptables-save"), ""))
                        .output())
                .as("the rules are for the proxy that comes after")
                .doesNotContain("KUBE-");
    }

    @Test
    void init_only_opens_localhost_only_where_node_ports_answer_there() {
        Stream.of(
                        new String[] {"--proxy-mode=iptables"},
                        new String[] {"--proxy-mode=nftables", "--nodeport-addresses=0.0.0.0/0,::/0"},
                        new String[] {
                            "--proxy-mode=iptables",
                            "--nodeport-addresses=0.0.0.0/0,::/0",
                            "--iptables-localhost-nodeports=false"
                        })
                .forEach(flags -> {
                    NetworkNamespace namespace = NetworkNamespace.create(PREFIX);
                    String[] command = Stream.concat(
                                    Stream.of("proxy", "--init-only", "--hostname-override=n", LEAVE_SIZE),
                                    Stream.of(flags))
                            .toArray(String[]::new);
                    assertThat(namespace.call(() -> run(command))).isEqualTo(new Result(0, ""));
                    assertThat(read(namespace, ROUTE_LOCALNET)).isEqualTo("0");
                    namespace.delete();
                });
    }

    @Test
    void init_only_leaves_a_table_of_connections_that_is_larger() {
        Result result = NetworkNamespace.create(PREFIX)
                .call(() -> run(
                        "proxy",
                        "--init-only",
                        "--hostname-override=n",
                        "--proxy-mode=nftables",
                        "--conntrack-max-per-core=3",
                        "--conntrack-min=6"));
        assertThat(result)
                .as("in a namespace that is not the machine's, the kernel refuses to write it")
                .isEqualTo(new Result(0, ""));
    }

    @Test
    void init_only_fails_with_what_the_kernel_refused() {
        Result result = NetworkNamespace.create(PREFIX)
                .call(() -> run(
                        "proxy",
                        "--init-only",
                        "--hostname-override=n",
                        "--proxy-mode=nftables",
                        "--conntrack-tcp-timeout-established=2000000h",
                        LEAVE_SIZE));
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.text()).startsWith("error: --init-only: " + ALIVE);
    }

    @Test
    void cleanup_says_whose_rules_it_removed_in_the_old_packet_filter_too() {
        for (String command : List.of(
                "iptables-legacy -t nat -N KUBE-SERVICES",
                "iptables-legacy -t nat -A KUBE-SERVICES -j RETURN",
                "nft add table ip kube-proxy")) {
            assertThat(Command.run(List.of(command.split(" ", -1)), "").succeeded())
                    .as(command)
                    .isTrue();
        }
        Result result = run("proxy", "--cleanup");
        assertThat(result.exit()).isZero();
        assertThat(result.text())
                .contains("removed the rules of mode iptables (legacy)\n")
                .contains("removed the rules of kube-proxy's mode nftables\n");
        assertThat(Command.run(List.of("iptables-legacy-save"), "").output()).doesNotContain("KUBE-");
        assertThat(run("proxy", "--cleanup")).isEqualTo(new Result(0, "no rules to remove\n"));
    }

    @Test
    void cleanup_takes_what_a_server_of_names_left_but_not_from_one_that_runs() {
        nft("add table inet fl-node-dns");
        assertThat(Command.run(List.of("ip", "address", "add", "169.254.53.53/32", "dev", "lo"), "")
                        .errors())
                .isEmpty();
        try (DatagramBatch _ = DatagramBatch.open(IpPort.parse("169.254.53.53:53"), Duration.ofSeconds(1))) {
            assertThat(run("proxy", "--cleanup").text()).doesNotContain("node DNS");
        }
        assertThat(run("proxy", "--cleanup").text()).contains("removed the rules of node DNS\n");
        assertThat(Command.run(List.of("nft", "list", "tables"), "").output()).doesNotContain("fl-node-dns");
        assertThat(Command.run(List.of("ip", "address", "show", "dev", "lo"), "")
                        .output())
                .doesNotContain("169.254.53.53");
        assertThat(run("proxy", "--cleanup").text()).doesNotContain("node DNS");
    }

    private static void nft(String command) {
        assertThat(Command.run(List.of(("nft " + command).split(" ", -1)), "").errors())
                .isEmpty();
    }

    private static String read(NetworkNamespace namespace, String file) {
        return namespace.call(() -> String.join("", Files.readAllLines(Path.of(file))));
    }

    private static Result run(String... args) {
        StringWriter text = new StringWriter();
        int exit = Main.commandLine(args)
                .setOut(new PrintWriter(text, true))
                .setErr(new PrintWriter(text, true))
                .execute(args);
        return new Result(exit, text.toString());
    }
}
