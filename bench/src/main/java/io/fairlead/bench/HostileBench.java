package io.fairlead.bench;

import io.fairlead.api.AgentDoor;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Interest;
import io.fairlead.client.Kubeconfig;
import io.fairlead.kernel.Command;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Hostile connections against the API server and a node's agent of `fairlead up`, while an administrator works and the
/// node renews its lease.
///
/// Arguments: the launcher, a folder, for how many seconds each lasts, and the numbers of connections. Prints a line
/// for
/// each target, kind and number, and fails if the administrator's p99 or a lease was ever late.
final class HostileBench implements AutoCloseable {
    static final String HEADER =
            "target,kind,connections,opened,ended,requests,failed,p50_ms,p99_ms,max_ms,lease_age_s,"
                    + "server_rss_mb,agent_rss_mb";

    private static final double MOST_MILLIS = 1_000;
    private static final double MOST_LEASE_SECONDS = 40;
    private static final String TENANT = """
        {"apiVersion":"v1","kind":"List","items":[
         {"apiVersion":"v1","kind":"ServiceAccount","metadata":{"namespace":"default","name":"tenant"}},
         {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding",
          "metadata":{"namespace":"default","name":"tenant"},
          "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"edit"},
          "subjects":[{"kind":"ServiceAccount","namespace":"default","name":"tenant"}]}]}
        """;

    private final Path folder;
    private final BenchProcess up;
    private final Path kubeconfig;
    private final ApiClient client;
    private final List<Target> targets;
    private final List<String> missed = new ArrayList<>();
    private String token = "";

    /// @param enter the words that run a command where the address can be reached from
    private record Target(String name, String address, List<String> enter, long pid) {
        double megabytes() {
            try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
                return lines.filter(line -> line.startsWith("VmRSS:"))
                                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                                .findFirst()
                                .orElse(0)
                        / 1024.0;
            } catch (IOException e) {
                throw new IllegalStateException("the %s has ended".formatted(name), e);
            }
        }
    }

    private HostileBench(Path launcher, Path folder) throws InterruptedException, IOException {
        this.folder = folder;
        Path state = folder.resolve("up");
        up = BenchProcess.start(
                folder.resolve("up.log"),
                List.of(launcher, "up", "--dir", state, "--name", "flhostile", "--nodes", "1"));
        up.await(() -> Files.exists(state.resolve("up.json")));
        JsonNode json = Json.parse(Files.readAllBytes(state.resolve("up.json")));
        kubeconfig = Path.of(Json.text(json, "kubeconfig"));
        client = new ApiClient(Kubeconfig.read(kubeconfig));
        URI server = URI.create(Json.text(json, "server", "url"));
        JsonNode node = json.path("nodes").get(0);
        String namespace = Json.text(json, "client", "namespace");
        targets = List.of(
                new Target(
                        "server",
                        server.getHost() + ":" + server.getPort(),
                        List.of("ip", "netns", "exec", namespace),
                        json.path("server").path("pid").asLong()),
                new Target(
                        "agent",
                        node.path("ips").get(0).asString() + ":" + AgentDoor.PORT,
                        List.of("ip", "netns", "exec", namespace),
                        node.path("pid").asLong()));
    }

    @SuppressWarnings("SystemOut") // the results are the output
    public static void main(String[] args) throws Exception {
        System.out.println(HEADER);
        try (HostileBench bench = new HostileBench(Path.of(args[0]), Path.of(args[1]))) {
            bench.run(
                    Integer.parseInt(args[2]),
                    Stream.of(args).skip(3).map(Integer::valueOf).toList());
        }
    }

    private void run(int seconds, List<Integer> counts) throws InterruptedException, IOException {
        token = tenant();
        NamespacedName pod = pod();
        Administrator administrator = new Administrator(client, pod);
        try (TaskGroup tasks = new TaskGroup("bench")) {
            tasks.runOnPlatformThread("administrator", administrator::run);
            Thread.sleep(5_000); // what is slow only at first
            administrator.look();
            for (int count : counts) {
                for (Target target : targets) {
                    for (HostileKind kind : HostileKind.values()) {
                        attack(target, kind, count, seconds, administrator);
                    }
                }
            }
        }
        if (!missed.isEmpty()) {
            throw new IllegalStateException(String.join("\n", missed));
        }
    }

    @SuppressWarnings("SystemOut") // the results are the output
    private void attack(Target target, HostileKind kind, int count, int seconds, Administrator administrator)
            throws InterruptedException, IOException {
        Path output = folder.resolve("hostile.log");
        Process attackers = attackers(target, kind, count, seconds, output);
        double lease = 0;
        double server = 0;
        double agent = 0;
        try {
            while (attackers.isAlive()) {
                Thread.sleep(500);
                lease = Math.max(lease, leaseAge());
                server = Math.max(server, targets.getFirst().megabytes());
                agent = Math.max(agent, targets.getLast().megabytes());
            }
        } finally {
            attackers.destroyForcibly();
        }
        String opened = Files.readString(output, StandardCharsets.UTF_8).strip();
        Administrator.Work work = administrator.look();
        String row = String.format(
                Locale.ROOT,
                "%s,%s,%d,%s,%d,%d,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f",
                target.name(),
                kind.word(),
                count,
                opened,
                work.millis().size(),
                work.failed(),
                work.quantile(0.5),
                work.quantile(0.99),
                work.quantile(1),
                lease,
                server,
                agent);
        System.out.println(row);
        System.out.flush();
        if (work.quantile(0.99) >= MOST_MILLIS || lease >= MOST_LEASE_SECONDS || work.failed() > 0) {
            missed.add("missed: " + row);
        }
        rest();
        administrator.look();
    }

    /// Until the last attackers are forgotten on both sides.
    private static void rest() throws InterruptedException {
        Thread.sleep(1_000);
    }

    private Process attackers(Target target, HostileKind kind, int count, int seconds, Path output) throws IOException {
        List<String> command = new ArrayList<>(target.enter());
        command.addAll(List.of("nice", "-n", "10"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), HostileMain.class.getName()));
        command.addAll(
                List.of(kind.word(), Integer.toString(count), target.address(), Integer.toString(seconds), token));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("errors.log").toFile()))
                .redirectOutput(output.toFile())
                .start();
    }

    /// The age of the oldest lease of a node, in seconds; as much as an hour where the server does not answer.
    private double leaseAge() throws InterruptedException {
        try {
            return Json.list(client.list(Interest.all(Kind.LEASE), "kube-node-lease"), item -> item, "items").stream()
                    .map(lease -> Instant.parse(Json.text(lease, "spec", "renewTime")))
                    .mapToDouble(
                            renewed -> Duration.between(renewed, Instant.now()).toMillis() / 1e3)
                    .max()
                    .orElse(3_600);
        } catch (RuntimeException e) {
            return 3_600;
        }
    }

    /// The first pod that can be asked for its log.
    private NamespacedName pod() throws InterruptedException {
        return Json.list(client.list(Interest.all(Kind.POD), "default"), item -> item, "items").stream()
                .map(pod -> new NamespacedName("default", Json.text(pod, "metadata", "name")))
                .min(Comparator.comparing(NamespacedName::name))
                .orElseThrow();
    }

    /// The token of a user that may write in the namespace `default`, and nothing else.
    private String tenant() {
        kubectl(TENANT, "apply", "-f", "-");
        String path = "/api/v1/namespaces/default/serviceaccounts/tenant/token";
        JsonNode answer = Json.parse(kubectl(
                        "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{}}",
                        "create",
                        "--raw",
                        path,
                        "-f",
                        "-")
                .getBytes(StandardCharsets.UTF_8));
        return Json.text(answer, "status", "token");
    }

    private String kubectl(String input, String... words) {
        List<String> command = new ArrayList<>(List.of("kubectl", "--kubeconfig", kubeconfig.toString()));
        command.addAll(List.of(words));
        Command.Result result = Command.run(command, input);
        if (!result.succeeded()) {
            throw new IllegalStateException("kubectl: " + result.errors());
        }
        return result.output();
    }

    @Override
    public void close() {
        client.close();
        up.close();
    }
}
