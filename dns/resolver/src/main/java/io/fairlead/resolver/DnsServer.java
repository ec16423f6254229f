package io.fairlead.resolver;

import io.fairlead.api.IpPort;
import io.fairlead.api.Kind;
import io.fairlead.api.Snapshot;
import io.fairlead.client.Excerpt;
import io.fairlead.client.Interest;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.zone.Zone;
import io.fairlead.zone.ZoneSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A server of names: it is bound when it is made, and answers when it runs.
public final class DnsServer {
    /// How long the last questions may wait for upstream when the server ends.
    private static final Duration LAST = Duration.ofSeconds(4);

    /// When the start is over, so that nothing of it is still held.
    private static final Duration SETTLED = Duration.ofSeconds(3);

    private static final Duration LOOK = Duration.ofMillis(20);

    private final Setup.Current current;
    private final Counters.All counters = new Counters.All();
    private final ProgrammingTimes programming = new ProgrammingTimes(Instant.now());
    private final Latest<Snapshot> shown = new Latest<>();
    private final TaskGroup tasks;
    private final QueryLog log;
    private final List<UdpWorker> workers = new ArrayList<>();
    private final List<TcpDoor> doors = new ArrayList<>();
    private final List<DnsPages> pages = new ArrayList<>();
    private volatile boolean leaving;

    /// Binds its addresses; its threads are those of `tasks`.
    public DnsServer(DnsConfig config, TaskGroup tasks) {
        this.tasks = tasks;
        this.log = new QueryLog(config.log());
        this.current = new Setup.Current(Setup.of(config, new Zones(config.zone()), tasks));
        Counters shared = counters.one();
        Supplier<Responder> later = () -> new Responder(current, shared, null);
        for (IpPort address : config.addresses()) {
            for (int i = 0; i < config.workers(); i++) {
                workers.add(new UdpWorker(address, current, counters.one(), later, log));
            }
            doors.add(new TcpDoor(address, current, later, log));
        }
        config.pages().forEach(address -> pages.add(new DnsPages(address, this, log)));
    }

    /// What it wants to know of the cluster.
    public static List<Interest> interests(DnsConfig config) {
        List<Interest> interests = new ArrayList<>(List.of(
                Interest.all(Kind.SERVICE),
                Interest.all(Kind.ENDPOINT_SLICE),
                Interest.all(Kind.NAMESPACE).ifThere()));
        if (config.zone().pods() == ZoneSettings.PodMode.VERIFIED
                || config.search().walked()) {
            interests.add(Interest.all(Kind.POD));
        }
        return interests;
    }

    /// What it keeps of that: for a [io.fairlead.client.Reflector] that serves no other program.
    public static Excerpt excerpt() {
        return DnsExcerpt.EXCERPT;
    }

    /// Answers until the group ends.
    public void run(Latest<Snapshot> snapshots) {
        tasks.keepOnPlatformThread("zone", () -> {
            snapshots.again(); // after a failure, what was taken already
            new ZoneLoop(this::show, programming).run(snapshots);
        });
        for (UdpWorker worker : workers) {
            tasks.keepOnPlatformThread("udp", () -> worker.run(tasks.faults()));
        }
        doors.forEach(door -> tasks.keep("tcp", () -> door.run(tasks)));
        pages.forEach(page -> page.run(tasks));
        tasks.keep("memory", this::release);
        current.now().look();
    }

    /// Gives back what the first list took, once: while it is read, several times of what stays is in memory.
    private void release() throws InterruptedException {
        while (current.now().zones().current() == null) {
            Thread.sleep(SETTLED);
        }
        Thread.sleep(SETTLED);
        System.gc();
    }

    private synchronized void show(Snapshot snapshot) {
        current.now().zones().show(snapshot);
        shown.offer(snapshot);
    }

    /// Answers as another configuration says from the next question on; the addresses stay as they are.
    public synchronized void change(DnsConfig config) {
        Zones zones = current.now().zones();
        if (!zones.settings().equals(config.zone())) {
            zones = new Zones(config.zone());
            shown.peek().ifPresent(zones::show);
        }
        log.always(config.log());
        current.set(Setup.of(config, zones, tasks));
        current.now().look();
    }

    /// Answers what the node's pods ask as soon as the cluster is known; `plan` says where they ask.
    public void openTo(PodDoor door, Function<Snapshot, PodDoorPlan> plan) {
        tasks.keep("door", () -> {
            shown.again(); // after a failure, what was taken already
            new PodDoorLoop(door, plan).run(shown);
        });
    }

    /// Goes on answering for a while, but is not ready any more; then waits for what is still asked upstream.
    public void leave(Duration lameDuck) throws InterruptedException {
        leaving = true;
        Thread.sleep(lameDuck);
        long end = System.nanoTime() + LAST.toNanos();
        while (!current.now().slow().isIdle() && System.nanoTime() < end) {
            Thread.sleep(LOOK);
        }
    }

    /// Whether it answers for the cluster, and will go on to.
    boolean isReady() {
        return !leaving && current.now().zones().current() != null && failing().isEmpty();
    }

    /// The tasks that failed and begin again.
    SortedSet<String> failing() {
        return tasks.faults().failing();
    }

    /// Every record as a line of a zone file; nothing before the cluster is known.
    public Optional<String> zoneText() {
        return Optional.ofNullable(current.now().zones().current()).map(Zone::text);
    }

    /// As Prometheus reads it.
    public String metrics() {
        @Nullable Zone zone = current.now().zones().current();
        return counters.text(current.now().zones().settings())
                + programming.text()
                + current.now().forwarder().metrics()
                + "# HELP fairlead_dns_names Names of the cluster.\n"
                + "# TYPE fairlead_dns_names gauge\n"
                + "fairlead_dns_names "
                + (zone == null ? 0 : zone.size())
                + "\n"
                + faults();
    }

    private String faults() {
        StringBuilder text = new StringBuilder("# HELP fairlead_task_failures_total How often a task failed, by task.\n"
                + "# TYPE fairlead_task_failures_total counter\n");
        tasks.faults()
                .counts()
                .forEach((task, count) ->
                        text.append("fairlead_task_failures_total{task=\"%s\"} %d\n".formatted(task, count)));
        text.append("# HELP fairlead_task_failing The tasks that do not work now: each 1.\n"
                + "# TYPE fairlead_task_failing gauge\n");
        failing().forEach(task -> text.append("fairlead_task_failing{task=\"%s\"} 1\n".formatted(task)));
        return text.toString();
    }
}
