package io.fairlead.bench;

import io.fairlead.runtime.TaskGroup;
import io.fairlead.testkit.EtcdCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/// Service creates a second with 32 clients over HTTP: on SQLite with synchronous=FULL, and on etcd beside what the
/// same
/// etcd gives a client that only writes the same two keys for each create.
public final class WriteBench {
    private static final int CLIENTS = 32;
    private static final int WARM_UP_SECONDS = 10;
    private static final int SECONDS = 15;

    /// One client's next write.
    interface Write {
        void run(int number) throws IOException, InterruptedException;
    }

    private WriteBench() {}

    public static void main(String[] args) throws Exception {
        Path place = Path.of(args.length > 0 ? args[0] : System.getProperty("java.io.tmpdir"));
        System.out.println("store,clients,creates_per_s,bare_creates_per_s,ratio");
        double sqlite = onSqlite(place);
        System.out.printf("sqlite,%d,%.0f,,%n", CLIENTS, sqlite);
        try (EtcdCluster cluster = EtcdCluster.start(1, place)) {
            double bare = bare(cluster);
            double served = served("etcd:" + cluster.addresses());
            System.out.printf("etcd,%d,%.0f,%.0f,%.2f%n", CLIENTS, served, bare, served / bare);
        }
    }

    private static double onSqlite(Path place) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(place, "fairlead-writes");
        try {
            return served("sqlite:" + directory.resolve("store.db"));
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static double served(String store) throws IOException, InterruptedException {
        try (ServerProcess server = ServerProcess.start(store, "-Xmx512m");
                HttpClient http = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            URI services = URI.create(server.address() + "/api/v1/namespaces/default/services");
            double rate = rate(number -> create(http, services, number));
            http.shutdownNow();
            return rate;
        }
    }

    private static void create(HttpClient http, URI services, int number) throws IOException, InterruptedException {
        String body = """
                {"metadata":{"name":"web-%d"},"spec":{"selector":{"app":"web"},"ports":[{"port":80}]}}""".formatted(number);
        HttpRequest request = HttpRequest.newBuilder(services)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> reply = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (reply.statusCode() != 201) {
            throw new IllegalStateException("refused: " + reply.body());
        }
    }

    private static double bare(EtcdCluster cluster) throws InterruptedException {
        try (BareEtcd etcd = BareEtcd.connect(cluster.addresses())) {
            return rate(etcd::create);
        }
    }

    /// Writes a second, of all clients together, once they are warm.
    private static double rate(Write write) throws InterruptedException {
        AtomicInteger numbers = new AtomicInteger();
        AtomicLong done = new AtomicLong();
        try (TaskGroup clients = new TaskGroup("clients")) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.run("client" + i, () -> {
                    while (true) {
                        write.run(numbers.incrementAndGet());
                        done.incrementAndGet();
                    }
                });
            }
            Thread.sleep(WARM_UP_SECONDS * 1_000L);
            long before = done.get();
            long begin = System.nanoTime();
            Thread.sleep(SECONDS * 1_000L);
            return (done.get() - before) / ((System.nanoTime() - begin) / 1e9);
        }
    }
}
