package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Deletion;
import io.fairlead.client.Interest;
import io.fairlead.client.Kubeconfig;
import io.fairlead.kernel.Command;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.yaml.Yaml;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead ingress` alone, beside an API server, with the rights that `docs/examples/fairlead-ingress.yaml` gives it.
@RequiresRoot
final class IngressProgramIT {
    private static final Path EXAMPLE =
            Path.of(System.getProperty("fairlead.root"), "docs", "examples", "fairlead-ingress.yaml");
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final NamespacedName DOOR = new NamespacedName("default", "door");
    private static final String CLUSTER = """
        apiVersion: v1
        kind: Service
        metadata: {namespace: default, name: web}
        spec: {ports: [{port: 80}]}
        ---
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {namespace: default, name: web-1, labels: {kubernetes.io/service-name: web}}
        addressType: IPv4
        ports: [{port: 18089}]
        endpoints: [{addresses: [10.244.1.7]}]
        """;

    @TempDir
    Path folder;

    private HttpServer web;
    private Launched server;
    private ApiClient administrator;
    private Optional<Launched> ingress = Optional.empty();

    @BeforeEach
    void start() throws Exception {
        Command.run(List.of("ip", "address", "add", "10.244.1.7/32", "dev", "lo"), "");
        web = HttpServer.create(new InetSocketAddress(18089), 64);
        web.createContext("/", exchange -> {
            byte[] body = "web\n".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        web.start();
        server = Launched.start(folder, "server", "--dir", folder.toString(), "--bind", "127.0.0.1:16444");
        Path kubeconfig = folder.resolve("kubeconfig");
        await().atMost(LIMIT).until(() -> {
            server.requireAlive();
            return Files.exists(kubeconfig);
        });
        administrator = new ApiClient(Kubeconfig.read(kubeconfig));
        await().atMost(LIMIT).until(administrator::isReady);
        List<JsonNode> objects = new ArrayList<>(Yaml.parseAll(Files.readString(EXAMPLE)));
        objects.removeIf(document -> Json.text(document, "kind").equals("DaemonSet"));
        objects.addAll(Yaml.parseAll(CLUSTER));
        for (JsonNode object : objects) {
            create(object);
        }
    }

    private void create(JsonNode object) throws InterruptedException {
        Kind kind = Kind.find(Json.text(object, "apiVersion"), Json.text(object, "kind"))
                .orElseThrow();
        administrator.create(kind, (ObjectNode) object);
    }

    @AfterEach
    void stop() throws Exception {
        if (ingress.isPresent()) {
            ingress.get().end();
        }
        long nginx = nginx();
        if (nginx > 0) {
            ProcessHandle.of(nginx).ifPresent(ProcessHandle::destroy);
        }
        if (administrator != null) {
            administrator.close();
        }
        if (server != null) {
            server.end();
        }
        web.stop(0);
        Command.run(List.of("ip", "address", "del", "10.244.1.7/32", "dev", "lo"), "");
    }

    private long nginx() {
        try {
            return Long.parseLong(
                    Files.readString(folder.resolve("nginx/nginx.pid")).strip());
        } catch (java.io.IOException | NumberFormatException _) {
            return -1;
        }
    }

    /// The command of the example's container, on ports of the test.
    private Launched launch() throws Exception {
        JsonNode container = Yaml.parseAll(Files.readString(EXAMPLE)).stream()
                .filter(document -> Json.text(document, "kind").equals("DaemonSet"))
                .map(document -> document.at("/spec/template/spec/containers/0"))
                .findFirst()
                .orElseThrow();
        List<String> words = new ArrayList<>(Json.texts(container, "command"));
        assertThat(words.removeFirst()).isEqualTo("fairlead");
        words.addAll(List.of("--kubeconfig", account().toString()));
        words.addAll(List.of("--nginx-dir", folder.resolve("nginx").toString()));
        words.addAll(List.of("--http-port", "18090", "--https-port", "18491", "--metrics-port", "18092"));
        words.addAll(List.of("--nginx-user", "root", "--drain-timeout", "5"));
        Launched launched = Launched.start(folder, words.toArray(String[]::new));
        ingress = Optional.of(launched);
        return launched;
    }

    /// A kubeconfig with the token of the example's account.
    private Path account() throws Exception {
        Kind request = new Kind("", "v1", "TokenRequest", "serviceaccounts/fairlead-ingress/token", true, List.of());
        ObjectNode answer = administrator.create(request, (ObjectNode) Json.parse("""
            {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
             "metadata": {"namespace": "kube-system"}, "spec": {}}\
            """));
        JsonNode config =
                Yaml.parseAll(Files.readString(folder.resolve("kubeconfig"))).getFirst();
        ((ObjectNode) config.at("/users/0")).putObject("user").put("token", Json.text(answer, "status", "token"));
        return Files.writeString(folder.resolve("account"), Json.pretty(config));
    }

    private static JsonNode ingress(String name, String host, String annotations) {
        return Yaml.parseAll("""
            apiVersion: networking.k8s.io/v1
            kind: Ingress
            metadata: {namespace: default, name: %s, annotations: {%s}}
            spec:
              ingressClassName: fairlead
              rules: [{host: %s, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]
            """.formatted(name, annotations, host)).getFirst();
    }

    private static String curl(String... words) {
        List<String> all = new ArrayList<>(List.of("curl", "-s", "--max-time", "10", "-w", "%{http_code}"));
        all.addAll(List.of(words));
        return Command.run(all, "").output();
    }

    private static String door() {
        return curl("-H", "Host: door.example.com", "http://127.0.0.1:18090/");
    }

    private List<String> addresses() throws InterruptedException {
        return Json.list(
                administrator.get(Kind.INGRESS, DOOR),
                one -> Json.text(one, "ip"),
                "status",
                "loadBalancer",
                "ingress");
    }

    @Test
    void it_serves_tells_its_address_and_leaves_in_good_order() throws Exception {
        create(ingress("door", "door.example.com", ""));
        create(ingress("bad", "bad.example.com", "fairlead.io/proxy-body-size: large"));
        Launched launched = launch();
        await().atMost(LIMIT).until(() -> {
            launched.requireAlive();
            return door().equals("web\n200");
        });
        await().atMost(LIMIT).until(() -> addresses().equals(List.of("192.0.2.10")));
        assertThat(curl("http://127.0.0.1:18092/healthz")).isEqualTo("ok\n200");
        assertThat(curl("http://127.0.0.1:18092/readyz")).isEqualTo("ok\n200");
        await().atMost(LIMIT)
                .until(() -> curl("http://127.0.0.1:18092/metrics")
                        .contains(
                                "requests_total{ingress=\"default/door\",service=\"default/web:80\",status=\"200\"}"));
        await().atMost(LIMIT).until(() -> events().stream().anyMatch(text -> text.contains("must be a size")));
        assertThat(curl("-H", "Host: bad.example.com", "http://127.0.0.1:18090/"))
                .endsWith("404");
        assertThat(Files.readString(folder.resolve("nginx/access.log")))
                .contains("\"ingress\":\"default/door\",\"service\":\"default/web:80\"");
        long nginx = nginx();

        Launched.Result result = launched.end();

        ingress = Optional.empty();
        assertThat(result.output()).doesNotContain("forbidden").doesNotContain("Exception");
        assertThat(addresses()).as("taken out of the status").isEmpty();
        assertThat(ProcessHandle.of(nginx).filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(Json.text(
                        administrator.get(Kind.LEASE, new NamespacedName("kube-system", "fairlead-ingress")),
                        "spec",
                        "holderIdentity"))
                .as("given up for the next")
                .isEmpty();
    }

    private List<String> events() throws InterruptedException {
        return administrator
                .list(Interest.all(Kind.EVENT), "default")
                .path("items")
                .valueStream()
                .map(event -> Json.text(event, "message"))
                .toList();
    }

    @Test
    void killed_it_leaves_nginx_serving_and_the_next_goes_on_with_it() throws Exception {
        create(ingress("door", "door.example.com", ""));
        Launched first = launch();
        await().atMost(LIMIT).until(() -> {
            first.requireAlive();
            return door().equals("web\n200");
        });
        long nginx = nginx();
        first.kill();
        for (int i = 0; i < 20; i++) {
            assertThat(door()).isEqualTo("web\n200");
        }
        assertThat(nginx()).isEqualTo(nginx);
        create(ingress("more", "more.example.com", ""));
        Launched second = launch();
        await().atMost(LIMIT).until(() -> {
            second.requireAlive();
            assertThat(door()).as("no client notices").isEqualTo("web\n200");
            return curl("-H", "Host: more.example.com", "http://127.0.0.1:18090/")
                    .equals("web\n200");
        });
        assertThat(nginx()).isEqualTo(nginx);
        administrator.delete(Kind.INGRESS, DOOR, Deletion.DEFAULT);
        await().atMost(LIMIT).until(() -> door().endsWith("404"));
    }

    @Test
    void check_says_of_a_cluster_and_of_files_what_works_here() throws Exception {
        create(ingress("door", "door.example.com", "nginx.ingress.kubernetes.io/rewrite-target: /x"));
        Launched.Result cluster = Launched.run(
                folder, "--kubeconfig", folder.resolve("kubeconfig").toString(), "ingress", "check");
        assertThat(cluster.exit()).as(cluster.output()).isZero();
        assertThat(cluster.output())
                .contains("default/door  served")
                .contains("taken    nginx.ingress.kubernetes.io/rewrite-target");

        Path file = Files.writeString(
                folder.resolve("mine.yaml"),
                Json.pretty(ingress(
                        "snippet",
                        "a.example.com",
                        "nginx.ingress.kubernetes.io/configuration-snippet: \"return 200;\"")));
        Launched.Result files = Launched.run(folder, "ingress", "check", "-f", file.toString());
        assertThat(files.exit()).isEqualTo(1);
        assertThat(files.output())
                .contains("default/snippet  not served")
                .contains("use custom-headers, rewrite-target, enable-cors or the redirects")
                .doesNotContain("Exception");
    }

    @Test
    void an_annotation_that_it_does_not_know_is_told_when_the_ingress_is_created() throws Exception {
        Path file = Files.writeString(
                folder.resolve("unknown.yaml"),
                Json.pretty(ingress("unknown", "u.example.com", "nginx.ingress.kubernetes.io/no-such-thing: x")));
        Command.Result result = Command.run(
                List.of(
                        "kubectl",
                        "--kubeconfig",
                        folder.resolve("kubeconfig").toString(),
                        "create",
                        "-f",
                        file.toString()),
                "");
        assertThat(result.succeeded()).as(result.errors()).isTrue();
        assertThat(result.errors())
                .contains("Warning: metadata.annotations: nginx.ingress.kubernetes.io/no-such-thing: no such option"
                        + " here");
    }
}
