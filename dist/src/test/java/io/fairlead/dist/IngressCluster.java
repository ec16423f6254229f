package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Kubeconfig;
import io.fairlead.kernel.Command;
import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An API server with a Service `web`, and controllers as `docs/examples/fairlead-ingress.yaml` has them: its account,
/// its
/// rights, its command. All of it is gone at its end.
final class IngressCluster {
    static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Path EXAMPLE =
            Path.of(System.getProperty("fairlead.root"), "docs", "examples", "fairlead-ingress.yaml");
    private static final String WEB = """
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

    private final Path folder;
    private final HttpServer web;
    private final Launched server;
    private final ApiClient administrator;
    private final List<Launched> launched = new ArrayList<>();
    private final List<Path> folders = new ArrayList<>();

    IngressCluster(Path folder) throws Exception {
        this.folder = folder;
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
        objects.addAll(Yaml.parseAll(WEB));
        for (JsonNode object : objects) {
            create(object);
        }
    }

    ApiClient administrator() {
        return administrator;
    }

    void create(JsonNode object) throws InterruptedException {
        Kind kind = Kind.find(Json.text(object, "apiVersion"), Json.text(object, "kind"))
                .orElseThrow();
        administrator.create(kind, (ObjectNode) object);
    }

    /// The command of the example's container, in a folder and on ports of its own: HTTP is at `port`, its metrics two
    /// above.
    Launched launch(int port, String name, String... more) throws Exception {
        JsonNode container = Yaml.parseAll(Files.readString(EXAMPLE)).stream()
                .filter(document -> Json.text(document, "kind").equals("DaemonSet"))
                .map(document -> document.at("/spec/template/spec/containers/0"))
                .findFirst()
                .orElseThrow();
        List<String> words = new ArrayList<>(Json.texts(container, "command"));
        assertThat(words.removeFirst()).isEqualTo("fairlead");
        if (List.of(more).contains("--publish-address")) {
            words.removeIf(word -> word.startsWith("--publish-address"));
        }
        Path place = folder.resolve(name);
        folders.add(place);
        words.addAll(List.of("--kubeconfig", account().toString()));
        words.addAll(List.of("--nginx-dir", place.toString()));
        words.addAll(List.of("--http-port", Integer.toString(port)));
        words.addAll(List.of("--https-port", Integer.toString(port + 401)));
        words.addAll(List.of("--metrics-port", Integer.toString(port + 2)));
        words.addAll(List.of("--nginx-user", "root", "--drain-timeout", "5"));
        words.addAll(List.of(more));
        Launched one = Launched.start(folder, words.toArray(String[]::new));
        launched.add(one);
        return one;
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

    /// The master of the nginx of a controller; -1 where there is none.
    long nginx(String name) {
        return nginx(folder.resolve(name));
    }

    private static long nginx(Path place) {
        try {
            return Long.parseLong(Files.readString(place.resolve("nginx.pid")).strip());
        } catch (IOException | NumberFormatException _) {
            return -1;
        }
    }

    /// What `status.loadBalancer.ingress` of an Ingress says.
    List<String> addresses(String name) throws InterruptedException {
        return Json.list(
                administrator.get(Kind.INGRESS, new NamespacedName("default", name)),
                one -> Json.text(one, "ip"),
                "status",
                "loadBalancer",
                "ingress");
    }

    /// An Ingress of `web`.
    static JsonNode ingress(String name, String host, String annotations) {
        return Yaml.parseAll("""
            apiVersion: networking.k8s.io/v1
            kind: Ingress
            metadata: {namespace: default, name: %s, annotations: {%s}}
            spec:
              ingressClassName: fairlead
              rules: [{host: %s, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]
            """.formatted(name, annotations, host)).getFirst();
    }

    /// What curl says, and the code.
    static String curl(String... words) {
        List<String> all = new ArrayList<>(List.of("curl", "-s", "--max-time", "10", "-w", "%{http_code}"));
        all.addAll(List.of(words));
        return Command.run(all, "").output();
    }

    void end() throws Exception {
        for (Launched one : launched) {
            one.end();
        }
        for (Path place : folders) {
            long pid = nginx(place);
            if (pid > 0) {
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
            }
        }
        administrator.close();
        server.end();
        web.stop(0);
        Command.run(List.of("ip", "address", "del", "10.244.1.7/32", "dev", "lo"), "");
    }
}
