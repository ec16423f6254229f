package io.fairlead.conformance;

import static io.fairlead.conformance.LetterFiles.soon;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What pods, nodes and the verbs of `fairlead` do as Kubernetes and kubectl do it, in a cluster that `up` starts with
/// its options for that: two zones, an image table, manifests and no sample.
final class LetterIT {
    private static final Path ROOT = Path.of(System.getProperty("fairlead.root"));

    private static UpRun up;
    private static Kubectl kubectl;
    private static RawClient raw;
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        folder = Files.createTempDirectory("flletter");
        Path manifests = Files.createDirectories(folder.resolve("manifests"));
        Path table = Files.writeString(folder.resolve("images.yaml"), LetterFiles.resource("images.yaml"));
        Files.writeString(manifests.resolve("10-pods.yaml"), LetterFiles.resource("pods.yaml"));
        Files.writeString(manifests.resolve("20-tls.yaml"), new LetterFiles(folder).certificate());
        up = UpRun.start(
                Files.createDirectories(folder.resolve("up")),
                "flletter",
                List.of(
                        "--nodes",
                        "2",
                        "--zones",
                        "2",
                        "--dual-stack",
                        "--no-sample",
                        "--image-table",
                        table.toString(),
                        "--manifest",
                        manifests.toString()));
        kubectl = Kubectl.at(up.kubeconfig());
        raw = RawClient.at(up.kubeconfig());
        soon(() -> assertThat(ready("web")).isEqualTo("True"));
    }

    @AfterAll
    static void stop() throws Exception {
        if (raw != null) {
            raw.close();
        }
        if (up != null) {
            up.close();
        }
    }

    private static String field(String kind, String name, String path) throws Exception {
        return kubectl.run("get", kind, name, "-o", "jsonpath={" + path + "}").ok();
    }

    private static String ready(String pod) throws Exception {
        return field("pod", pod, ".status.conditions[?(@.type=='Ready')].status");
    }

    /// Our own verbs, as a user types them.
    private static Kubectl.Result fairlead(String input, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(ROOT.resolve("fairlead").toString()));
        command.addAll(List.of(arguments));
        return run(input, command);
    }

    private static Kubectl.Result run(String input, List<String> command) throws Exception {
        Path typed = Files.writeString(Files.createTempFile("typed", ""), input);
        Path printed = Files.createTempFile("printed", "");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(typed.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile());
        environment(builder);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(90, TimeUnit.SECONDS))
                    .as("%s ends", command)
                    .isTrue();
            return new Kubectl.Result(process.exitValue(), Files.readString(printed));
        } finally {
            process.destroyForcibly();
            Files.delete(typed);
            Files.delete(printed);
        }
    }

    private static void environment(ProcessBuilder builder) {
        builder.environment()
                .putAll(Map.of(
                        "KUBECONFIG", up.kubeconfig().toString(),
                        "FAIRLEAD_BUILT", "assembled",
                        "JAVA_HOME", System.getProperty("java.home")));
    }

    @Test
    void up_makes_zones_leaves_out_the_sample_and_applies_manifests() throws Exception {
        assertThat(kubectl.run(
                                "get",
                                "nodes",
                                "-o",
                                "jsonpath={range .items[*]}{.metadata.labels.topology\\.kubernetes\\.io/zone} {end}")
                        .ok())
                .isEqualTo("zone-1 zone-2 ");
        assertThat(kubectl.run("get", "service", "hello").output()).contains("NotFound");
        assertThat(kubectl.run("get", "service", "web").exit()).isZero();
        assertThat(field("node", "node-1", ".spec.podCIDRs")).contains(".", ":");
    }

    @Test
    void a_grpc_probe_asks_the_health_service() throws Exception {
        soon(() -> assertThat(ready("grpc")).isEqualTo("True"));
        soon(() -> assertThat(field("pod", "grpc-unknown", ".status.phase")).isEqualTo("Running"));
        assertThat(ready("grpc-unknown")).as("no such service").isEqualTo("False");
    }

    @Test
    void a_stateful_pod_comes_back_to_its_node_and_its_data() throws Exception {
        soon(() -> assertThat(ready("db-0")).isEqualTo("True"));
        assertThat(field("pvc", "data-db-0", ".status.phase")).isEqualTo("Bound");
        assertThat(field("pvc", "data-db-0", ".spec.storageClassName")).isEqualTo("local");
        String volume = field("pvc", "data-db-0", ".spec.volumeName");
        assertThat(kubectl.run("get", "pv", volume).ok())
                .contains("RWO", "Delete", "Bound", "default/data-db-0", "local");
        String node = field("pod", "db-0", ".spec.nodeName");
        String uid = field("pod", "db-0", ".metadata.uid");
        kubectl.run("exec", "db-0", "--", "sh", "-c", "echo kept > /data/file").ok();
        kubectl.run("delete", "pod", "db-0", "--grace-period=1").ok();
        soon(() -> assertThat(kubectl.run("get", "pod", "db-0", "-o", "jsonpath={.metadata.uid}")
                        .output())
                .matches("[0-9a-f-]{36}")
                .isNotEqualTo(uid));
        soon(() -> assertThat(ready("db-0")).isEqualTo("True"));
        assertThat(field("pod", "db-0", ".spec.nodeName")).isEqualTo(node);
        assertThat(kubectl.run("exec", "db-0", "--", "cat", "/data/file").ok()).isEqualTo("kept\n");

        Path place = Path.of(field("pv", volume, ".spec.local.path"));
        assertThat(place.resolve("file")).hasContent("kept");
        kubectl.run("delete", "pvc", "data-db-0", "--wait=false").ok();
        assertThat(field("pvc", "data-db-0", ".status.phase"))
                .as("a pod uses it")
                .isEqualTo("Bound");
        kubectl.run("delete", "statefulset", "db", "--wait=false").ok();
        soon(() -> assertThat(kubectl.run("get", "pv", volume).output()).contains("NotFound"));
        assertThat(place).doesNotExist();
    }

    @Test
    void a_pod_that_initializes_says_so() throws Exception {
        soon(() -> assertThat(field("pod", "slow", ".status.containerStatuses[0].state.waiting.reason"))
                .isEqualTo("PodInitializing"));
        soon(() -> assertThat(kubectl.run("get", "pod", "slow", "--no-headers").ok())
                .containsPattern("slow +0/1 +Init:0/2 "));
        assertThat(field("pod", "slow", ".status.initContainerStatuses[1].state.waiting.reason"))
                .isEqualTo("PodInitializing");
        soon(() -> assertThat(kubectl.run("get", "pod", "stuck", "--no-headers").ok())
                .containsPattern("stuck +0/1 +Init:(Error|CrashLoopBackOff) "));
    }

    @Test
    void a_pod_has_a_hosts_file_of_its_own() throws Exception {
        assertThat(kubectl.run("exec", "web", "--", "cat", "/etc/hosts").ok())
                .startsWith("# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n");
    }

    @Test
    void a_container_has_the_variables_of_kubernetes_and_no_others() throws Exception {
        String all = kubectl.run("exec", "web", "--", "env").ok();
        assertThat(all.lines()
                        .map(line -> line.substring(0, line.indexOf('=')))
                        .filter(name -> !name.matches("[A-Z0-9_]+_(SERVICE_HOST|SERVICE_PORT.*|PORT|PORT_.*)")))
                .isSubsetOf("PATH", "HOME", "HOSTNAME", "TERM", "PWD", "SHLVL", "_");
        assertThat(all).contains("KUBERNETES_SERVICE_HOST=", "KUBERNETES_PORT_443_TCP_ADDR=");
    }

    @Test
    void logs_come_over_a_websocket() throws Exception {
        soon(() -> assertThat(field("pod", "talker", ".status.phase")).isEqualTo("Succeeded"));
        String path = "/api/v1/namespaces/default/pods/talker/log";
        for (String protocol : List.of("", "binary.k8s.io", "base64.binary.k8s.io")) {
            boolean base64 = protocol.startsWith("base64");
            List<RawClient.Message> messages = raw.messages(path, protocol);
            assertThat(messages).as(protocol).allMatch(message -> message.text() == base64);
            assertThat(messages.getFirst().bytes())
                    .as("the first one says nothing")
                    .isEmpty();
            assertThat(messages.stream()
                            .map(message -> base64 ? decoded(message) : message.string())
                            .collect(Collectors.joining()))
                    .as(protocol)
                    .isEqualTo("first\nsecond\n");
        }
    }

    private static String decoded(RawClient.Message message) {
        return new String(Base64.getDecoder().decode(message.bytes()), StandardCharsets.UTF_8);
    }

    @Test
    void a_pod_on_the_network_of_its_node_is_named_after_it() throws Exception {
        soon(() -> assertThat(kubectl.run("-n", "hosts", "exec", "guest", "--", "hostname")
                        .output())
                .isEqualTo(kubectl.run("-n", "hosts", "get", "pod", "guest", "-o", "jsonpath={.spec.nodeName}")
                                .ok() + "\n"));
        assertThat(kubectl.run("-n", "hosts", "exec", "guest", "--", "cat", "/etc/hosts")
                        .ok())
                .startsWith("# Kubernetes-managed hosts file (host network).\n");
    }

    @Test
    void pods_and_services_with_tls_are_reached_through_the_api_and_their_links_lead_there() throws Exception {
        String pod = "/api/v1/namespaces/default/pods/https:web:8443/proxy";
        assertThat(raw.get(pod + "/").body())
                .contains(
                        "<a href=\"%s/next?a=b\">".formatted(pod),
                        "<a href=\"near\">",
                        "<a href=\"https://example.com/\">");
        assertThat(raw.get("/api/v1/namespaces/default/services/https:web:tls/proxy/")
                        .body())
                .contains("page of web");
        assertThat(raw.get("/api/v1/namespaces/default/services/https:web:443/proxy/")
                        .body())
                .contains("page of web");
        RawClient.Reply redirect = raw.get(pod + "?a=b");
        assertThat(redirect.code()).isEqualTo(301);
        assertThat(redirect.header("Location")).endsWith(pod + "/?a=b");
        assertThat(raw.get(pod + "/old").header("Location")).endsWith(pod + "/new");
        assertThat(raw.get("/api/v1/namespaces/default/pods/ftp:web:8443/proxy/")
                        .code())
                .isEqualTo(400);
    }

    @Test
    void the_logs_of_a_node_are_read_through_the_api() throws Exception {
        assertThat(raw.get("/api/v1/nodes/node-1/proxy/logs/").body())
                .contains("<a href=\"node-1.log\">node-1.log</a>");
        assertThat(raw.get("/api/v1/nodes/node-1:10250/proxy/logs/").code()).isEqualTo(200);
        assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/node-1/proxy/logs/node-1.log")
                        .ok())
                .contains("event=");
        assertThat(raw.get("/api/v1/nodes/node-1/proxy").code()).isEqualTo(301);
        assertThat(raw.get("/api/v1/nodes/nowhere/proxy/logs/").code()).isEqualTo(404);
        assertThat(raw.get("/api/v1/nodes/node-1/proxy/healthz").body()).isEqualTo("ok");
    }

    @Test
    void exec_speaks_every_sub_protocol() throws Exception {
        String path = "/api/v1/namespaces/default/pods/web/exec?command=echo&command=hi&stdout=true&stderr=true";
        for (String protocol : List.of("v5.channel.k8s.io", "v4.channel.k8s.io", "channel.k8s.io", "")) {
            assertThat(raw.messages(path, protocol))
                    .as(protocol)
                    .anySatisfy(message ->
                            assertThat(message.bytes()).isEqualTo("\u0001hi\n".getBytes(StandardCharsets.UTF_8)));
        }
        String base64 = Base64.getEncoder().encodeToString("hi\n".getBytes(StandardCharsets.UTF_8));
        for (String protocol : List.of("v4.base64.channel.k8s.io", "base64.channel.k8s.io")) {
            assertThat(raw.messages(path, protocol))
                    .as(protocol)
                    .anySatisfy(message -> assertThat(message.string()).isEqualTo("1" + base64));
        }
    }

    @Test
    void the_token_of_a_pod_is_a_projected_volume_and_names_its_node() throws Exception {
        assertThat(field("pod", "web", ".spec.volumes[?(@.projected)].projected.sources[*].serviceAccountToken.path"))
                .isEqualTo("token");
        String token = kubectl.run("exec", "web", "--", "cat", "/var/run/secrets/kubernetes.io/serviceaccount/token")
                .ok();
        String claims = new String(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]), StandardCharsets.UTF_8);
        assertThat(claims)
                .contains("\"node\":{\"name\":\"%s\"".formatted(field("pod", "web", ".spec.nodeName")), "\"pod\":{");
    }

    @Test
    void exec_of_fairlead_is_that_of_kubectl() throws Exception {
        for (List<String> words : List.of(
                List.of("exec", "web", "--", "hostname"),
                List.of("exec", "-i", "web", "--", "sh", "-c", "read x; echo got $x; echo wrong >&2; exit 3"),
                List.of("exec", "pod/web", "-c", "web", "--", "seq", "1", "20000"),
                List.of("exec", "nothing", "--", "true"))) {
            List<String> theirs = new ArrayList<>(List.of("kubectl"));
            theirs.addAll(words);
            Kubectl.Result expected = run("typed\n", theirs);
            Kubectl.Result actual = fairlead("typed\n", words.toArray(String[]::new));
            assertThat(actual.output().lines().sorted())
                    .as("%s", words)
                    .containsExactlyElementsOf(
                            expected.output().lines().sorted().toList());
            assertThat(actual.exit()).as("%s", words).isEqualTo(expected.exit());
        }
    }

    @Test
    void run_of_fairlead_attaches_to_the_program_of_the_pod() throws Exception {
        Kubectl.Result result = fairlead(
                "echo in $(hostname)\nexit 4\n",
                "run",
                "shell",
                "-i",
                "--rm",
                "--image=busybox",
                "--restart=Never",
                "--",
                "sh");
        assertThat(result.output()).contains("in shell", "pod \"shell\" deleted");
        assertThat(result.exit()).isEqualTo(4);
    }

    @Test
    void port_forward_of_fairlead_carries_connections() throws Exception {
        for (String target : List.of("pod/web", "svc/web")) {
            Path printed = Files.createTempFile("forward", "");
            ProcessBuilder builder = new ProcessBuilder(
                            ROOT.resolve("fairlead").toString(),
                            "port-forward",
                            target,
                            target.startsWith("svc") ? ":80" : ":8080")
                    .redirectErrorStream(true)
                    .redirectOutput(printed.toFile());
            environment(builder);
            Process forward = builder.start();
            try {
                soon(() -> assertThat(Files.readString(printed))
                        .containsPattern("Forwarding from 127.0.0.1:\\d+ -> 8080\n"));
                int port = Integer.parseInt(
                        Files.readString(printed).replaceFirst("(?s).*?127\\.0\\.0\\.1:(\\d+) .*", "$1"));
                for (int i = 0; i < 3; i++) {
                    assertThat(ask(port)).contains("page of web");
                }
                assertThat(Files.readString(printed)).contains("Handling connection for " + port);
            } finally {
                forward.destroy();
                assertThat(forward.waitFor(20, TimeUnit.SECONDS)).isTrue();
                Files.delete(printed);
            }
        }
    }

    private static String ask(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
