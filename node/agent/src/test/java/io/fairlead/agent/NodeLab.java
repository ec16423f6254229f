package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.containers.PodNames;
import io.fairlead.kernel.Cgroups;
import io.fairlead.kernel.Mounts;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.Route;
import io.fairlead.kernel.RouteSocket;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// A machine for a node agent: a namespace for the node with an API server on its loopback, and a neighbour.
///
/// ```
///  neighbour 172.31.0.2 ── 172.31.0.1 node (agent, API server) ── fl-pods ── pods 10.244.1.0/24, fd00:244:1::/64
///  (as node-2: 10.244.2.9)
/// ```
final class NodeLab {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String PREFIX = "flnit" + ProcessHandle.current().pid();
    static final String POD_PREFIX = PREFIX + "-n1";

    private final Path state;
    private final List<Process> programs = new ArrayList<>();
    private final NetworkNamespace node;
    private final NetworkNamespace neighbour;

    NodeLab(Path folder) throws InterruptedException {
        state = folder.resolve("state");
        node = NetworkNamespace.create(PREFIX + "-node");
        neighbour = NetworkNamespace.create(PREFIX + "-neighbour");
        try {
            Files.writeString(imageTable(), "images: []");
            connect();
            startProgram("api");
            await().atMost(PATIENCE).until(this::answers);
        } catch (IOException e) {
            close();
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    Path state() {
        return state;
    }

    /// A table of images that the agent reads.
    Path imageTable() {
        return state.resolveSibling("images.yaml");
    }

    NetworkNamespace node() {
        return node;
    }

    NetworkNamespace neighbour() {
        return neighbour;
    }

    Process startAgent() {
        return startProgram(
                "agent",
                state.toString(),
                POD_PREFIX,
                "172.31.0.1,fd00:31::1",
                "10.244.1.0/24,fd00:244:1::/64",
                imageTable().toString());
    }

    Process startProgram(String... words) {
        List<String> command = new ArrayList<>(List.of(
                "/usr/bin/nsenter",
                "--net=/run/netns/" + node.name(),
                "--",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                NodeProgram.class.getName()));
        command.addAll(List.of(words));
        try {
            // What they say is kept beside the reports of the tests.
            Path log = Files.createDirectories(Path.of("target", "node-lab"))
                    .resolve("%s-%d.log".formatted(words[0], programs.size()));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            programs.add(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Creates a pod on the node, out of JSON with single quotes: its container and more fields of its spec.
    Pod createPod(String name, String container, String more) {
        String json = """
            {'metadata': {'name': '%s', 'namespace': 'default'},
             'spec': {'nodeName': 'node-1', 'containers': [%s]%s}}\
            """.formatted(name, container, more).replace('\'', '"');
        return Pod.of(send("POST", Kind.POD.path("default"), json).orElseThrow());
    }

    /// A pod that answers HTTP on 8080, and is ready when it does.
    Pod createEcho(String name) {
        return createPod(name, """
            {'name': 'echo', 'image': 'fairlead/echo', 'ports': [{'containerPort': 8080}],
             'readinessProbe': {'tcpSocket': {'port': 8080}}}\
            """, "");
    }

    Pod awaitReady(String name) {
        await().atMost(PATIENCE)
                .until(() -> find(name).filter(pod -> pod.status().ready()).isPresent());
        return find(name).orElseThrow();
    }

    void awaitGone(String name) {
        await().atMost(PATIENCE).until(() -> find(name).isEmpty());
    }

    Optional<Pod> find(String name) {
        return json(name).map(Pod::of);
    }

    Optional<JsonNode> json(String pod) {
        return send("GET", Kind.POD.path(new NamespacedName("default", pod)), "");
    }

    /// Asks for the deletion; a grace below 0 is the pod's own.
    void delete(String pod, int grace) {
        String query = grace < 0 ? "" : "?gracePeriodSeconds=" + grace;
        assertThat(send("DELETE", Kind.POD.path(new NamespacedName("default", pod)) + query, ""))
                .isPresent();
    }

    /// One request to the API; nothing where there is no such object.
    Optional<JsonNode> send(String method, String path, String body) {
        return node.call(() -> {
            HttpURLConnection connection = (HttpURLConnection)
                    URI.create("http://" + NodeProgram.API + path).toURL().openConnection();
            connection.setRequestMethod(method);
            connection.setRequestProperty("Connection", "close");
            connection.setConnectTimeout(5_000);
            connection.setReadTimeout(10_000);
            if (!body.isEmpty()) {
                connection.setDoOutput(true);
                connection.setRequestProperty("Content-Type", "application/json");
                connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
            }
            if (connection.getResponseCode() == 404) {
                return Optional.empty();
            }
            return Optional.of(Json.parse(connection.getInputStream().readAllBytes()));
        });
    }

    /// What the pod at `ip` answers to an HTTP request out of a namespace.
    static String get(NetworkNamespace from, Ip ip) {
        return from.call(() -> {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(ip.toString(), 8080), 3_000);
                socket.setSoTimeout(5_000);
                OutputStream out = socket.getOutputStream();
                out.write("GET / HTTP/1.1\r\nHost: test\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            }
        });
    }

    static boolean answers(NetworkNamespace from, Ip ip) {
        try {
            return get(from, ip).contains("200 OK");
        } catch (UncheckedIOException e) {
            return false; // not yet
        }
    }

    NetworkNamespace namespaceOf(Pod pod) {
        return NetworkNamespace.find(PodNames.of(POD_PREFIX, pod).namespace()).orElseThrow();
    }

    /// The one process of a pod.
    long processOf(Pod pod) {
        List<Long> processes = namespaceOf(pod).processes();
        assertThat(processes).hasSize(1);
        return processes.getFirst();
    }

    List<String> linksOfNode() {
        return in(node, RouteSocket::links);
    }

    static <T> T in(NetworkNamespace namespace, java.util.function.Function<RouteSocket, T> body) {
        return namespace.call(() -> {
            try (RouteSocket route = RouteSocket.open()) {
                return body.apply(route);
            }
        });
    }

    private void connect() {
        configure(node, route -> {
            route.addVeth("uplink", "eth0", neighbour);
            route.setUp("uplink");
            route.addAddress("uplink", Ip.parse("172.31.0.1"), 24);
            route.addAddress("uplink", Ip.parse("fd00:31::1"), 64);
        });
        configure(neighbour, route -> {
            route.setUp("eth0");
            route.addAddress("eth0", Ip.parse("172.31.0.2"), 24);
            route.addAddress("eth0", Ip.parse("fd00:31::2"), 64);
            route.addAddress("lo", Ip.parse("10.244.2.9"), 32);
            route.replaceRoute(new Route(Cidr.parse("10.244.1.0/24"), List.of(Ip.parse("172.31.0.1")), "eth0"));
            route.replaceRoute(new Route(Cidr.parse("fd00:244:1::/64"), List.of(Ip.parse("fd00:31::1")), "eth0"));
        });
    }

    private static void configure(NetworkNamespace namespace, Consumer<RouteSocket> body) {
        namespace.run(() -> {
            try (RouteSocket route = RouteSocket.open()) {
                body.accept(route);
            }
        });
    }

    private boolean answers() {
        try {
            return send("GET", "/api/v1/nodes", "").isPresent();
        } catch (UncheckedIOException e) {
            return false; // not yet
        }
    }

    /// What a container of a pod has printed so far, without times.
    String log(Pod pod, String container, int restarts) {
        Path file = state.resolve("pods")
                .resolve(PodNames.of(POD_PREFIX, pod).folder())
                .resolve("logs")
                .resolve("%s.%d.log".formatted(container, restarts));
        try {
            return Files.exists(file)
                    ? Files.readAllLines(file).stream()
                            .map(line -> line.split(" ", 4)[3] + "\n")
                            .collect(Collectors.joining())
                    : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Removes everything; a step that fails keeps none of the others.
    void close() throws InterruptedException {
        List<RuntimeException> failures = new ArrayList<>();
        for (Process program : programs) {
            program.destroyForcibly().waitFor();
        }
        try {
            NodeCleanup.removeAll(state, POD_PREFIX);
        } catch (RuntimeException e) {
            failures.add(e);
        }
        attempt(failures, () -> Mounts.below(state).forEach(Mounts::detach));
        attempt(failures, () -> Cgroups.remove(Cgroups.ofNode(POD_PREFIX)));
        NetworkNamespace.startingWith(PREFIX).forEach(namespace -> attempt(failures, namespace::delete));
        if (!failures.isEmpty()) {
            AssertionError all = new AssertionError("the lab left something behind: " + failures);
            failures.forEach(all::addSuppressed);
            throw all;
        }
    }

    private static void attempt(List<RuntimeException> failures, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            failures.add(e);
        }
    }
}
