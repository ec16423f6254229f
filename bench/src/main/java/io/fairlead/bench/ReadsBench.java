package io.fairlead.bench;

import io.fairlead.access.Pki;
import io.fairlead.api.IpPort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.SocketFactory;

/// What reading costs: a cluster of 10,000 Services and as many EndpointSlices of ten, listed, watched and started
/// from.
///
/// Prints lines of `what,value,unit,bar`. The server is a process of its own, with the heap that it is to stay within.
/// It starts with a cache of classes, and is fresh and starts again with TLS and RBAC, as shipped; the many watches are
/// plain HTTP, because one process has
/// to read them all.
final class ReadsBench {
    private static final int SERVICES = 10_000;
    private static final int WATCHERS = 1_000;
    private static final int CHANGES = 1_000;
    private static final int WRITERS = 32;
    private static final String[] FLAGS = System.getProperty(
                    "server.flags", "-XX:+UseSerialGC -Xms16m -Xmx512m -XX:+UseTransparentHugePages")
            .split(" ");
    private static final String PATCH = "application/merge-patch+json";

    private final Path folder;

    private ReadsBench(Path folder) {
        this.folder = folder;
    }

    /// `java … ReadsBench FOLDER`, which stays the caller's to remove; the cluster that an earlier run left there is
    /// taken as it is.
    public static void main(String[] args) throws Exception {
        new ReadsBench(Path.of(args[0])).run();
    }

    @SuppressWarnings("SystemOut") // the results are the output
    private void run() throws Exception {
        System.out.println("what,value,unit,bar");
        rehearse();
        try (Running fresh = startGuarded("fresh")) {
            Thread.sleep(5_000); // what it does on its own after a start is part of being idle
            print("idle RSS", fresh.rss() / 1024.0, "MB", 150);
        }
        boolean filled = Files.exists(folder.resolve("full.db"));
        try (Running full = start("full")) {
            if (!filled) {
                fill(full.address);
            }
            list(full.address, SocketFactory.getDefault(), "");
            watch(full.address);
            print("heap after a collection", full.heapMegabytes(), "MB", 512);
            print("RSS with all data", full.rss() / 1024.0, "MB", 0);
        }
        long begin = System.nanoTime();
        try (Running again = startGuarded("full")) {
            print("cold start to ready", millis(System.nanoTime() - begin), "ms", 3_000);
            list(again.address, AdministratorTls.sockets(Pki.open(pki())), " with TLS after the start");
        }
    }

    /// The launcher starts programs with a cache of what the JVM learned in a rehearsal; so is the server here.
    private void rehearse() throws IOException {
        String notes = "-XX:AOTCacheOutput=" + cache();
        try (ServerProcess server = ServerProcess.startGuarded(
                store("rehearsal"), pki(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", notes)) {
            try (RawHttp http = new RawHttp(server.at(), AdministratorTls.sockets(Pki.open(pki())))) {
                http.send("GET", "/api/v1/services", "application/json", "");
            }
            server.stop();
        }
        if (!Files.exists(cache())) {
            throw new IOException("the rehearsal left no cache: is there a folder on the class path?");
        }
    }

    private Path cache() {
        return folder.resolve("server.aot");
    }

    private String[] flags() {
        return Stream.concat(Stream.of("-XX:AOTCache=" + cache()), Stream.of(FLAGS))
                .toArray(String[]::new);
    }

    private void fill(IpPort server) throws Exception {
        long begin = System.nanoTime();
        AtomicInteger next = new AtomicInteger();
        inParallel(WRITERS, () -> {
            try (RawHttp http = new RawHttp(server)) {
                for (int i = next.getAndIncrement(); i < SERVICES; i = next.getAndIncrement()) {
                    create(http, "/api/v1/namespaces/default/services", service(i));
                    create(http, "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", slice(i));
                }
            }
            return null;
        });
        print("creates", 2.0 * SERVICES / ((System.nanoTime() - begin) / 1e9), "1/s", 0);
    }

    private static void create(RawHttp http, String path, String object) throws IOException {
        RawHttp.Reply reply = http.send("POST", path, "application/json", object);
        if (reply.code() != 201) {
            throw new IOException("create answered " + reply.code() + ": " + object);
        }
    }

    private static String service(int i) {
        return """
            {"metadata":{"name":"svc-%d","labels":{"app":"app-%d","tier":"web"}},
             "spec":{"selector":{"app":"app-%d"},"ports":[{"name":"http","port":80,"targetPort":8080},
             {"name":"https","port":443,"targetPort":8443}]}}\
            """.formatted(i, i, i);
    }

    private static String slice(int i) {
        List<String> endpoints = new ArrayList<>();
        for (int e = 0; e < 10; e++) {
            endpoints.add("""
                {"addresses":["10.%d.%d.%d"],"conditions":{"ready":true,"serving":true,"terminating":false},
                 "nodeName":"node-%d","zone":"zone-%d","targetRef":{"kind":"Pod","namespace":"default",
                 "name":"app-%d-%d","uid":"00000000-0000-4000-8000-%012d"}}\
                """.formatted(128 + i / 2500, i / 10 % 250, i % 10 * 10 + e, e, e % 3, i, e, i * 10L + e));
        }
        return """
            {"metadata":{"name":"svc-%d-abcde","labels":{"kubernetes.io/service-name":"svc-%d",
             "endpointslice.kubernetes.io/managed-by":"bench"}},"addressType":"IPv4",
             "ports":[{"name":"http","port":8080,"protocol":"TCP"},{"name":"https","port":8443,"protocol":"TCP"}],
             "endpoints":[%s]}\
            """.formatted(i, i, String.join(",", endpoints));
    }

    private static void list(IpPort server, SocketFactory sockets, String how) throws IOException {
        try (RawHttp http = new RawHttp(server, sockets)) {
            list(http, "services" + how, "/api/v1/services");
            list(http, "endpointslices" + how, "/apis/discovery.k8s.io/v1/endpointslices");
        }
    }

    private static void list(RawHttp http, String what, String path) throws IOException {
        double[] times = new double[20];
        long length = 0;
        for (int i = 0; i < times.length; i++) {
            long begin = System.nanoTime();
            length = http.send("GET", path, "application/json", "").length();
            times[i] = millis(System.nanoTime() - begin);
        }
        print("list of " + what + " first", times[0], "ms", 150);
        Arrays.sort(times);
        print("list of " + what + " median", times[times.length / 2], "ms", 150);
        print("list of " + what + " length", length / 1e6, "MB", 0);
    }

    /// One change after the other, each when every watcher has the one before.
    private void watch(IpPort server) throws Exception {
        String path = "/api/v1/services?watch=true&resourceVersion=" + version(server);
        double[] times = new double[CHANGES];
        long run = System.currentTimeMillis(); // a change that an earlier run made is none
        ExecutorService reader = Executors.newSingleThreadExecutor();
        try (Watchers watchers = new Watchers(server, path, WATCHERS, CHANGES);
                RawHttp http = new RawHttp(server)) {
            Future<?> reading = reader.submit(() -> {
                watchers.read();
                return null;
            });
            for (int i = 0; i < CHANGES; i++) {
                String change = "{\"metadata\":{\"annotations\":{\"change\":\"" + run + "-" + i + "\"}}}";
                http.send("PATCH", "/api/v1/namespaces/default/services/svc-" + i, PATCH, change);
                long answered = System.nanoTime();
                while (watchers.arrived(i) == 0 && !reading.isDone()) {
                    Thread.onSpinWait();
                    Thread.sleep(0, 100_000);
                }
                times[i] = Math.max(0, millis(watchers.arrived(i) - answered));
            }
        } finally {
            reader.shutdown();
        }
        Arrays.sort(times);
        print("change to the last of " + WATCHERS + " watchers median", times[CHANGES / 2], "ms", 0);
        print("change to the last of " + WATCHERS + " watchers p99", times[CHANGES * 99 / 100], "ms", 100);
        print("change to the last of " + WATCHERS + " watchers max", times[CHANGES - 1], "ms", 0);
    }

    private static String version(IpPort server) throws IOException, InterruptedException {
        try (java.net.http.HttpClient client = java.net.http.HttpClient.newHttpClient()) {
            var uri = java.net.URI.create("http://" + server + "/api/v1/nodes");
            String list = client.send(
                            java.net.http.HttpRequest.newBuilder(uri).build(),
                            java.net.http.HttpResponse.BodyHandlers.ofString())
                    .body();
            return list.replaceAll("(?s).*\"resourceVersion\":\"(\\d+)\".*", "$1");
        }
    }

    private static void inParallel(int count, Callable<?> work) throws InterruptedException, ExecutionException {
        try (ExecutorService workers = Executors.newFixedThreadPool(count)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(workers.submit(work));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }

    @SuppressWarnings("SystemOut") // the results are the output
    private static void print(String what, double value, String unit, int bar) {
        System.out.printf("%s,%.1f,%s,%s%n", what, value, unit, bar == 0 ? "" : Integer.toString(bar));
    }

    private Running start(String name) throws IOException {
        ServerProcess server = ServerProcess.start(store(name), flags());
        return new Running(server, server.at());
    }

    private Running startGuarded(String name) throws IOException {
        ServerProcess server = ServerProcess.startGuarded(store(name), pki(), flags());
        return new Running(server, server.at());
    }

    private String store(String name) {
        return "sqlite:" + folder.resolve(name + ".db");
    }

    private Path pki() {
        return folder.resolve("pki");
    }

    /// A server in its own process.
    private record Running(ServerProcess process, IpPort address) implements AutoCloseable {
        double rss() throws IOException {
            return Files.readAllLines(Path.of("/proc", "" + process.pid(), "status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow();
        }

        /// What is alive in the heap, as `jcmd` tells it after a full collection.
        double heapMegabytes() throws IOException, InterruptedException {
            jcmd("GC.run");
            String told = jcmd("GC.heap_info");
            return java.util.regex.Pattern.compile("used (\\d+)K")
                            .matcher(told)
                            .results()
                            .mapToLong(match -> Long.parseLong(match.group(1)))
                            .sum()
                    / 1024.0;
        }

        private String jcmd(String order) throws IOException, InterruptedException {
            Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
            Process asked = new ProcessBuilder(jcmd.toString(), "" + process.pid(), order).start();
            String told = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            asked.waitFor();
            return told;
        }

        @Override
        public void close() {
            process.close();
        }
    }
}
