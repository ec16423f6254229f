package io.fairlead.bench;

import io.fairlead.api.Json;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Makes faults at random moments while clients write, count and watch: the server dies or stands still, its disk is
/// full, etcd dies, is cut off or has no quorum. Then checks that nothing that was answered is lost, that nothing that
/// was refused is there, that no revision was used twice, that no watcher missed an event or saw one twice, and that
/// the counter stands where it must.
///
/// Arguments: `sqlite` or `etcd`, the number of faults of each kind, and the kinds (without any: all that the store
/// knows). Prints one line of CSV, or fails with what is wrong.
public final class KillBench {
    static final String HEADER =
            "store,kills,etcd_kills,pauses,full_disks,cuts,lost_quorums,answered,unanswered,events,"
                    + "watchers,raises,uncertain_raises,miscounted,lost,missed,doubled";

    private static final int WRITERS = 6;
    private static final int COUNTERS = 3;
    private static final int WATCHERS = 3;
    private static final String[] QUICK_START = {
        "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"
    };

    private final Random random = new Random();
    private final List<String> faults = Collections.synchronizedList(new ArrayList<>());
    private final List<KillWriter> writers = new ArrayList<>();
    private final List<KillWatcher> watchers = new ArrayList<>();
    private final AtomicBoolean done = new AtomicBoolean();
    private final AtomicInteger writing = new AtomicInteger();
    private final URI services;

    private KillBench(ServerProcess server) {
        this.services = URI.create(server.address() + "/api/v1/namespaces/default/services");
    }

    public static void main(String[] args) throws Exception {
        System.out.println(HEADER);
        List<FaultKind> kinds = Stream.of(args).skip(2).map(FaultKind::of).toList();
        System.out.println(run(args[0], Integer.parseInt(args[1]), kinds));
    }

    /// @param kinds those to make, where the store knows them; none: all that it knows
    static String run(String store, int count, List<FaultKind> kinds) throws IOException, InterruptedException {
        try (FaultSite site = site(store)) {
            Map<FaultKind, FaultSite.Strike> strikes = site.strikes();
            if (!kinds.isEmpty()) {
                strikes.keySet().retainAll(kinds);
            }
            List<FaultKind> turns = new ArrayList<>();
            strikes.keySet().forEach(kind -> turns.addAll(Collections.nCopies(count, kind)));
            Collections.shuffle(turns);
            String result = new KillBench(site.server()).run(turns, strikes);
            String counts = Stream.of(FaultKind.values())
                    .map(kind -> strikes.containsKey(kind) ? Integer.toString(count) : "0")
                    .collect(Collectors.joining(","));
            return store + "," + counts + "," + result;
        }
    }

    private static FaultSite site(String store) throws IOException, InterruptedException {
        return switch (store) {
            case "sqlite" -> SqliteSite.start(QUICK_START);
            case "etcd" -> EtcdSite.start(QUICK_START);
            default -> throw new IllegalArgumentException("neither sqlite nor etcd: " + store);
        };
    }

    private String run(List<FaultKind> turns, Map<FaultKind, FaultSite.Strike> strikes)
            throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build();
                TaskGroup clients = new TaskGroup("clients")) {
            KillCounter counter = start(http, clients);
            for (FaultKind turn : turns) {
                awaitAnswers(answers() + random.nextInt(1, 80));
                Thread.sleep(random.nextInt(50));
                Objects.requireNonNull(strikes.get(turn)).run(random);
            }
            awaitAnswers(answers() + 20);
            done.set(true);
            while (writing.get() > 0) {
                Thread.sleep(10);
            }
            JsonNode end = list(http);
            awaitAll(newest(end));
            http.shutdownNow();
            return new KillVerdict(writers, watchers, counter, end).line(faults);
        }
    }

    private KillCounter start(HttpClient http, TaskGroup clients) throws IOException, InterruptedException {
        long begin = revision(list(http));
        for (int i = 0; i < WATCHERS; i++) {
            KillWatcher watcher = new KillWatcher(http, services, begin, faults);
            watchers.add(watcher);
            clients.run("watcher" + i, watcher::run);
        }
        KillCounter counter = new KillCounter(http, services, faults);
        counter.create();
        for (int i = 0; i < COUNTERS; i++) {
            write(clients, "counter" + i, () -> counter.run(done));
        }
        for (int i = 0; i < WRITERS; i++) {
            KillWriter writer = new KillWriter(http, services, "w" + i, faults);
            writers.add(writer);
            write(clients, "writer" + i, () -> writer.run(done));
        }
        return counter;
    }

    private void write(TaskGroup clients, String name, TaskGroup.Task body) {
        writing.incrementAndGet();
        clients.run(name, () -> {
            try {
                body.run();
            } catch (RuntimeException e) {
                faults.add(name + " ended: " + e);
            } finally {
                writing.decrementAndGet();
            }
        });
    }

    private int answers() {
        return writers.stream().mapToInt(writer -> writer.answered.size()).sum();
    }

    private void awaitAnswers(int wanted) throws InterruptedException {
        for (int look = 0; answers() < wanted; look++) {
            if (look == 6_000) {
                throw new IllegalStateException("the server answers no writes; until now " + faults);
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

    private void awaitAll(long revision) throws InterruptedException {
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
