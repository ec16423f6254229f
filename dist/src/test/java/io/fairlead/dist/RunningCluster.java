package io.fairlead.dist;

import static org.awaitility.Awaitility.await;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Deletion;
import io.fairlead.client.Interest;
import io.fairlead.client.Kubeconfig;
import io.fairlead.endpoints.ClusterDns;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.NodePortAddresses;
import io.fairlead.forwarding.Program;
import io.fairlead.kernel.ControlGroup;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.nftables.NftablesBackend;
import io.fairlead.nftables.NftablesEntry;
import io.fairlead.sync.NodeView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A cluster that `./fairlead up` runs, and what a test asks of it.
final class RunningCluster {
    private final Launched up;
    private final Path dir;
    private final String name;
    private final ApiClient client;

    private RunningCluster(Launched up, Path dir, String name) {
        this.up = up;
        this.dir = dir;
        this.name = name;
        this.client = new ApiClient(Kubeconfig.read(dir.resolve("kubeconfig")));
    }

    /// Starts a cluster and waits until it answers.
    static RunningCluster up(String name, String... more) throws Exception {
        Path dir = Files.createTempDirectory(name);
        List<String> words = new ArrayList<>(List.of("up", "--nodes", "3", "--dir", dir.toString(), "--name", name));
        words.addAll(List.of(more));
        Launched up = Launched.start(dir, words.toArray(String[]::new));
        try {
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                up.requireAlive();
                return Files.exists(dir.resolve("up.json"));
            });
            return new RunningCluster(up, dir, name);
        } catch (Throwable e) {
            up.end();
            Leavings.deleteFolder(dir);
            throw e;
        }
    }

    Path dir() {
        return dir;
    }

    String name() {
        return name;
    }

    Launched process() {
        return up;
    }

    ApiClient client() {
        return client;
    }

    ClusterAccess access() {
        return Kubeconfig.read(dir.resolve("kubeconfig"));
    }

    JsonNode facts() throws Exception {
        return Json.parse(Files.readString(dir.resolve("up.json")));
    }

    List<String> nodes() throws Exception {
        return Json.list(facts(), node -> Json.text(node, "name"), "nodes");
    }

    List<Ip> nodeIps() throws Exception {
        return Json.list(facts(), node -> Ip.parse(Json.texts(node, "ips").getFirst()), "nodes");
    }

    IpPort vip() throws Exception {
        JsonNode service = facts().path("service");
        return new IpPort(Json.ips(service, "clusterIPs").getFirst(), Json.number(service, 0, "port"));
    }

    int nodePort() throws Exception {
        return Json.number(facts(), 0, "service", "nodePort");
    }

    NetworkNamespace outside() throws Exception {
        return NetworkNamespace.find(Json.text(facts(), "client", "namespace")).orElseThrow();
    }

    /// One pod on each node that does nothing, to send from.
    void createClientPods() throws Exception {
        for (String node : nodes()) {
            client.create(Kind.POD, (ObjectNode) Json.parse("""
                {"apiVersion": "v1", "kind": "Pod",
                 "metadata": {"namespace": "default", "name": "client-%1$s"},
                 "spec": {"nodeName": "%1$s", "containers": [{"name": "main", "image": "fairlead/pause"}]}}\
                """.formatted(node)));
        }
        await().atMost(Duration.ofSeconds(30))
                .until(() -> pods().filter(pod -> pod.key().name().startsWith("client-")
                                        && pod.status().ready())
                                .count()
                        == nodes().size());
    }

    NetworkNamespace clientPod(String node) {
        return namespaceOf("client-" + node);
    }

    private NetworkNamespace namespaceOf(String pod) {
        return NetworkNamespace.startingWith(name).stream()
                .filter(namespace -> namespace.name().contains(pod))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no network namespace of pod " + pod));
    }

    List<String> readyHelloPods() throws InterruptedException {
        return helloPods().stream().filter(this::isReady).toList();
    }

    /// The pods of the sample that are not being deleted, sorted by name.
    List<String> helloPods() throws InterruptedException {
        return pods().filter(
                        pod -> pod.metadata().labels().getOrDefault("app", "").equals("hello"))
                .filter(pod -> !pod.metadata().isTerminating())
                .map(pod -> pod.key().name())
                .sorted()
                .toList();
    }

    private boolean isReady(String pod) {
        try {
            return client.find(Kind.POD, new NamespacedName("default", pod))
                    .map(Pod::of)
                    .filter(found -> found.status().ready())
                    .isPresent();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    Stream<Pod> pods() throws InterruptedException {
        return client.list(Interest.all(Kind.POD), "default")
                .path("items")
                .valueStream()
                .map(Pod::of);
    }

    void deletePod(String pod) throws InterruptedException {
        client.delete(Kind.POD, new NamespacedName("default", pod), Deletion.DEFAULT);
    }

    /// True when `pod` is gone altogether and three others are ready.
    boolean isReplaced(String pod) throws InterruptedException {
        return client.find(Kind.POD, new NamespacedName("default", pod)).isEmpty()
                && readyHelloPods().size() == 3;
    }

    void scaleHello(int replicas) throws InterruptedException {
        client.mergePatch(
                Kind.DEPLOYMENT,
                new NamespacedName("default", "hello"),
                Json.parse("{\"spec\": {\"replicas\": %d}}".formatted(replicas)));
    }

    SliceHistory followSlices() throws InterruptedException {
        return new SliceHistory(access(), "hello");
    }

    /// The process of a node, or of the control plane (`server`).
    long pid(String program) throws Exception {
        if (program.equals("server")) {
            return facts().path("server").path("pid").longValue();
        }
        return facts().path("nodes")
                .valueStream()
                .filter(node -> Json.text(node, "name").equals(program))
                .mapToLong(node -> node.path("pid").longValue())
                .findFirst()
                .orElseThrow();
    }

    /// `kill -9`.
    void kill(String program) throws Exception {
        ProcessHandle.of(pid(program)).orElseThrow().destroyForcibly();
    }

    /// Ends a program as its operator does, by SIGTERM; the supervisor starts the next.
    void end(String program) throws Exception {
        ProcessHandle.of(pid(program)).orElseThrow().destroy();
    }

    boolean isServing() {
        try {
            return client.isReady();
        } catch (ApiException | InterruptedException e) {
            return false;
        }
    }

    List<String> serviceNames() throws InterruptedException {
        return client.list(Interest.all(Kind.SERVICE), "default")
                .path("items")
                .valueStream()
                .map(service -> Json.text(service, "metadata", "name"))
                .toList();
    }

    void deleteServicesStartingWith(String prefix) throws InterruptedException {
        for (String service : serviceNames()) {
            if (service.startsWith(prefix)) {
                client.delete(Kind.SERVICE, new NamespacedName("default", service), Deletion.DEFAULT);
            }
        }
    }

    /// What the kernel of a node holds of ours.
    Program<NftablesEntry> programmed(String node) throws Exception {
        NodeFacts facts = nodeFacts(node);
        return nodeNamespace(node).call(() -> {
            try (NftablesBackend backend = NftablesBackend.open(facts)) {
                return backend.observe();
            }
        });
    }

    /// What the kernel of a node should hold, by the objects that the API server has now.
    Program<NftablesEntry> wanted(String node) throws Exception {
        Snapshot snapshot = Snapshot.EMPTY;
        for (Kind kind : List.of(Kind.SERVICE, Kind.ENDPOINT_SLICE, Kind.NODE, Kind.SERVICE_CIDR)) {
            for (JsonNode json : client.list(Interest.all(kind), "").path("items")) {
                snapshot = snapshot.with(KubernetesObject.of(kind, json).orElseThrow());
            }
        }
        NodeFacts facts = new NodeView(nodeFacts(node)).facts(snapshot);
        ForwardingTable table = ForwardingTable.of(snapshot, facts);
        return nodeNamespace(node).call(() -> {
            try (NftablesBackend backend = NftablesBackend.open(facts)) {
                return Program.of(backend.compiler(), table);
            }
        });
    }

    private NodeFacts nodeFacts(String node) {
        return NodeFacts.of(node, List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00:244::/32")))
                .withNodePortAddresses(new NodePortAddresses.Primary())
                .withAnswered(Set.of(ClusterDns.NAME));
    }

    /// Has the proxy of a node change to another mode, as an operator does.
    void changeMode(String node, String mode) throws InterruptedException {
        client.mergePatch(Kind.NODE, new NamespacedName("", node), (ObjectNode)
                Json.parse("{\"metadata\":{\"annotations\":{\"fairlead.io/proxy-mode\":\"%s\"}}}".formatted(mode)));
    }

    /// What a tool prints in the namespace of a node.
    String printed(String node, String... command) throws Exception {
        Path output = Files.createTempFile(dir, "printed", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        nodeNamespace(node).start(builder).waitFor();
        return Files.readString(output);
    }

    /// What a command prints in the network and the control group of the pod `client`.
    String insideClient(String node, String command) throws Exception {
        long pid = namespaceOf("_client-").processes().getFirst();
        String group = ControlGroup.findRoot().orElseThrow().path()
                + ControlGroup.pathOf(pid).orElseThrow();
        return printed(
                node,
                "sh",
                "-c",
                "echo $$ > %s/cgroup.procs && exec nsenter -t %d -n %s".formatted(group, pid, command));
    }

    /// Pulls the cable of a node out of the switch, or plugs it in again.
    void cable(String node, boolean in) throws Exception {
        NetworkNamespace outer = NetworkNamespace.find(name).orElseThrow();
        ProcessBuilder command = new ProcessBuilder("ip", "link", "set", node, in ? "up" : "down").inheritIO();
        if (outer.start(command).waitFor() != 0) {
            throw new AssertionError("the cable of %s cannot be moved".formatted(node));
        }
    }

    /// The revision that the proxy of a node has programmed, by its own word; -1 while it says nothing.
    long programmedRevision(String node) throws Exception {
        Matcher synced = Pattern.compile("at revision (\\d+)")
                .matcher(nodeNamespace(node).call(RunningCluster::dump));
        return synced.find() ? Long.parseLong(synced.group(1)) : -1;
    }

    /// The beginning of what the proxy in this namespace says of itself.
    static String dump() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), 10249)) {
            socket.setSoTimeout(2_000);
            socket.getOutputStream().write("GET /dump HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(4096), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    NetworkNamespace nodeNamespace(String node) throws Exception {
        String namespace = facts().path("nodes")
                .valueStream()
                .filter(candidate -> Json.text(candidate, "name").equals(node))
                .map(candidate -> Json.text(candidate, "namespace"))
                .findFirst()
                .orElseThrow();
        return NetworkNamespace.find(namespace).orElseThrow();
    }

    /// Ends the cluster as Ctrl-C does; then nothing of it is left.
    void end() throws Exception {
        client.close();
        List<Long> processes = new ArrayList<>();
        NetworkNamespace.startingWith(name).forEach(namespace -> processes.addAll(namespace.processes()));
        try {
            up.end();
            Leavings.assertNone(name, processes);
        } finally {
            Files.deleteIfExists(Path.of("/run", name + ".lock")); // the lock itself went with the process
            Leavings.deleteFolder(dir);
        }
    }
}
