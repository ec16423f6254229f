package io.fairlead.bench;

import io.fairlead.api.Json;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.testkit.EtcdCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Kills an API server at random moments while clients write and watch, and then checks that nothing that was answered
/// is lost, that no revision was used twice, and that no watcher missed an event or saw one twice.
///
/// Arguments: `sqlite` or `etcd`, and the number of kills. Prints one line of CSV, or fails with what is wrong.
public final class KillBench {
    static final String HEADER = "store,kills,etcd_kills,answered,unanswered,events,watchers,lost,missed,doubled";

    private static final int WRITERS = 6;
    private static final int WATCHERS = 3;
    private static final String[] QUICK_START = {
        "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"
    };

    private final Random random = new Random();
    private final ServerProcess server;
    private final Runnable alsoKill;
    private final URI services;

    private KillBench(ServerProcess server, Runnable alsoKill) {
        this.server = server;
        this.alsoKill = alsoKill;
        this.services = URI.create(server.address() + "/api/v1/namespaces/default/services");
    }

    public static void main(String[] args) throws Exception {
        System.out.println(HEADER);
        System.out.println(run(args[0], Integer.parseInt(args[1])));
    }

    static String run(String store, int kills) throws IOException, InterruptedException {
        return switch (store) {
            case "sqlite" -> onSqlite(kills);
            case "etcd" -> onEtcd(kills);
            default -> throw new IllegalArgumentException("neither sqlite nor etcd: " + store);
        };
    }

    private static String onSqlite(int kills) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("fairlead-kills");
        try (ServerProcess server = ServerProcess.start("sqlite:" + directory.resolve("store.db"), QUICK_START)) {
            return "sqlite,%d,0,%s".formatted(kills, new KillBench(server, () -> {}).run(kills));
        } finally {
            delete(directory);
        }
    }

    /// Each third time the etcd under the server dies with it.
    private static String onEtcd(int kills) throws IOException, InterruptedException {
        AtomicInteger rounds = new AtomicInteger();
        AtomicInteger killed = new AtomicInteger();
        try (EtcdCluster cluster = EtcdCluster.start(1, Path.of(System.getProperty("java.io.tmpdir")));
                ServerProcess server = ServerProcess.start("etcd:" + cluster.addresses(), QUICK_START)) {
            Runnable sometimes = () -> {
                if (rounds.incrementAndGet() % 3 == 0) {
                    cluster.kill(0);
                    cluster.run(0);
                    killed.incrementAndGet();
                }
            };
            String result = new KillBench(server, sometimes).run(kills);
            return "etcd,%d,%d,%s".formatted(kills, killed.get(), result);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private String run(int kills) throws IOException, InterruptedException {
        List<KillWriter> writers = new ArrayList<>();
        List<KillWatcher> watchers = new ArrayList<>();
        AtomicBoolean done = new AtomicBoolean();
        try (HttpClient http = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build();
                TaskGroup watching = new TaskGroup("watchers")) {
            long begin = revision(list(http));
            for (int i = 0; i < WATCHERS; i++) {
                KillWatcher watcher = new KillWatcher(http, services, begin);
                watchers.add(watcher);
                watching.run("watcher" + i, watcher::run);
            }
            AtomicInteger writing = new AtomicInteger(WRITERS);
            for (int i = 0; i < WRITERS; i++) {
                KillWriter writer = new KillWriter(http, services, "w" + i);
                writers.add(writer);
                watching.run("writer" + i, () -> {
                    writer.run(done);
                    writing.decrementAndGet();
                });
            }
            killAgainAndAgain(kills, writers);
            done.set(true);
            while (writing.get() > 0) {
                Thread.sleep(10);
            }
            JsonNode end = list(http);
            awaitAll(watchers, newest(end));
            http.shutdownNow();
            return new KillVerdict(writers, watchers, end).line();
        }
    }

    /// Each life lasts for some answered writes and a moment more.
    private void killAgainAndAgain(int kills, List<KillWriter> writers) throws InterruptedException {
        for (int i = 0; i < kills; i++) {
            awaitAnswers(writers, answers(writers) + random.nextInt(1, 80));
            Thread.sleep(random.nextInt(50));
            server.kill();
            alsoKill.run();
            server.restart();
        }
        awaitAnswers(writers, answers(writers) + 20);
    }

    private static int answers(List<KillWriter> writers) {
        return writers.stream().mapToInt(writer -> writer.answered.size()).sum();
    }

    private static void awaitAnswers(List<KillWriter> writers, int wanted) throws InterruptedException {
        for (int look = 0; answers(writers) < wanted; look++) {
            if (look == 6_000) {
                throw new IllegalStateException("the server answers no writes");
            }
            Thread.sleep(5);
        }
    }

    private JsonNode list(HttpClient http) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(services).build();
        return Json.parse(
                http.send(request, HttpResponse.BodyHandlers.ofByteArray()).body());
    }

    private static long revision(JsonNode object) {
        return Long.parseLong(Json.text(object, "metadata", "resourceVersion"));
    }

    private static long newest(JsonNode list) {
        return Json.list(list, KillBench::revision, "items").stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    private static void awaitAll(List<KillWatcher> watchers, long revision) throws InterruptedException {
        for (KillWatcher watcher : watchers) {
            for (int look = 0; watcher.after() < revision; look++) {
                if (look == 1_000) {
                    throw new IllegalStateException(
                            "a watcher stays at %d, the newest is %d".formatted(watcher.after(), revision));
                }
                Thread.sleep(10);
            }
        }
        Thread.sleep(200); // deletes may be newer than the newest object that is left
    }
}
