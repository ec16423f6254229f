package io.fairlead.bench;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Deletion;
import io.fairlead.client.Kubeconfig;
import io.fairlead.runtime.TaskGroup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.node.ObjectNode;

/// What memory `fairlead server` of the distribution takes while 32 clients create and delete Services without a pause,
/// so that nothing stays alive, and what of it goes back to the system afterwards.
///
/// Prints a line of `phase,seconds,writes,rss_mb` for every ten seconds, and fails if the memory does not stay level.
final class SoakBench implements AutoCloseable {
    private static final int CLIENTS = 32;
    private static final long LOOK_SECONDS = 10;
    private static final long IDLE_SECONDS = 90;
    // By how much the last third of the load may be above the middle one.
    private static final double LEVEL = 1.10;
    private static final double LEVEL_MEGABYTES = 24;

    private final BenchProcess server;
    private final ApiClient client;
    private final AtomicLong writes = new AtomicLong();
    private final AtomicInteger failures = new AtomicInteger();
    private final long begin = System.nanoTime();

    private SoakBench(Path launcher, Path folder) throws InterruptedException {
        server = BenchProcess.start(
                folder.resolve("server.log"),
                List.of(launcher, "server", "--dir", folder.resolve("state"), "--bind", "127.0.0.1:16472"));
        Path kubeconfig = folder.resolve("state/kubeconfig");
        server.await(() -> Files.exists(kubeconfig));
        client = new ApiClient(Kubeconfig.read(kubeconfig));
        while (!client.isReady()) {
            Thread.sleep(50);
        }
    }

    /// `java … SoakBench LAUNCHER FOLDER MINUTES`: the folder stays the caller's to remove.
    @SuppressWarnings("SystemOut") // the results are the output
    public static void main(String[] args) throws InterruptedException {
        System.out.println("phase,seconds,writes,rss_mb");
        try (SoakBench bench = new SoakBench(Path.of(args[0]), Path.of(args[1]))) {
            bench.run(Math.round(Double.parseDouble(args[2]) * 60));
        }
    }

    private void run(long seconds) throws InterruptedException {
        look("start");
        List<Double> load = new ArrayList<>();
        try (TaskGroup clients = new TaskGroup("clients")) {
            for (int i = 0; i < CLIENTS; i++) {
                String name = "soak" + i;
                clients.runOnPlatformThread(name, () -> createAndDelete(name));
            }
            for (long done = 0; done < seconds; done += LOOK_SECONDS) {
                Thread.sleep(LOOK_SECONDS * 1_000);
                load.add(look("load"));
            }
        }
        for (long done = 0; done < IDLE_SECONDS; done += LOOK_SECONDS) {
            Thread.sleep(LOOK_SECONDS * 1_000);
            look("idle");
        }
        judge(load);
    }

    private void createAndDelete(String client) throws InterruptedException {
        for (int i = 0; true; i++) {
            String name = client + "-" + i;
            try {
                this.client.create(Kind.SERVICE, service(name));
                this.client.delete(Kind.SERVICE, new NamespacedName("default", name), Deletion.DEFAULT);
                writes.addAndGet(2);
            } catch (RuntimeException e) {
                failures.incrementAndGet();
                Thread.sleep(100);
            }
        }
    }

    private static ObjectNode service(String name) {
        return (ObjectNode) Json.parse("""
            {"metadata":{"name":"%s","namespace":"default","labels":{"app":"%s"}},
             "spec":{"selector":{"app":"%s"},"ports":[{"name":"http","port":80,"targetPort":8080}]}}\
            """.formatted(name, name, name));
    }

    @SuppressWarnings("SystemOut") // the results are the output
    private double look(String phase) {
        double megabytes = server.megabytes("VmRSS");
        System.out.printf(
                Locale.ROOT,
                "%s,%d,%d,%.0f%n",
                phase,
                (System.nanoTime() - begin) / 1_000_000_000,
                writes.get(),
                megabytes);
        return megabytes;
    }

    private void judge(List<Double> load) {
        int third = load.size() / 3;
        double middle = most(load.subList(third, 2 * third));
        double last = most(load.subList(2 * third, load.size()));
        if (third > 0 && last > middle * LEVEL + LEVEL_MEGABYTES) {
            throw new IllegalStateException(
                    "memory still grows: %.0f MB at most in the middle, %.0f MB at the end".formatted(middle, last));
        }
        if (failures.get() > 0) {
            throw new IllegalStateException(failures + " requests failed");
        }
    }

    private static double most(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
