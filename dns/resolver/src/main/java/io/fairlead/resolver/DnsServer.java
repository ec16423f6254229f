package io.fairlead.resolver;

import io.fairlead.api.IpPort;
import io.fairlead.api.Kind;
import io.fairlead.api.Snapshot;
import io.fairlead.client.Interest;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.zone.Zone;
import io.fairlead.zone.ZoneSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A server of names: it is bound when it is made, and answers when it runs.
public final class DnsServer {
    private final Zones zones;
    private final Counters.All counters = new Counters.All();
    private final TaskGroup tasks;
    private final List<UdpWorker> workers = new ArrayList<>();
    private final List<TcpDoor> doors = new ArrayList<>();
    private final List<DnsPages> pages = new ArrayList<>();

    /// Binds its addresses; its threads are those of `tasks`.
    public DnsServer(DnsConfig config, TaskGroup tasks) {
        this.tasks = tasks;
        this.zones = new Zones(config.zone());
        Resolver resolver =
                new Resolver(zones, new Forwarder(config.forwards()), new AnswerCache(config.cache()), config.local());
        Slow slow = new Slow(tasks, config.maxConcurrent());
        Counters shared = counters.one();
        Supplier<Responder> later = () -> new Responder(zones, resolver, shared, slow.refreshing(resolver));
        for (IpPort address : config.addresses()) {
            for (int i = 0; i < config.workers(); i++) {
                workers.add(new UdpWorker(address, later, slow, config.log()));
            }
            doors.add(new TcpDoor(address, later));
        }
        config.pages().forEach(address -> pages.add(new DnsPages(address, zones, this::metrics)));
    }

    /// What it wants to know of the cluster.
    public static List<Interest> interests(ZoneSettings settings) {
        List<Interest> interests = new ArrayList<>(List.of(
                Interest.all(Kind.SERVICE),
                Interest.all(Kind.ENDPOINT_SLICE),
                Interest.all(Kind.NAMESPACE).ifThere()));
        if (settings.pods() == ZoneSettings.PodMode.VERIFIED) {
            interests.add(Interest.all(Kind.POD));
        }
        return interests;
    }

    /// Answers until the group ends.
    public void run(Latest<Snapshot> snapshots) {
        tasks.keepOnPlatformThread("zone", () -> {
            snapshots.again(); // after a failure, what was taken already
            zones.follow(snapshots);
        });
        for (UdpWorker worker : workers) {
            tasks.runOnPlatformThread("udp", () -> worker.run(tasks.faults()));
        }
        doors.forEach(door -> tasks.run("tcp", () -> door.run(tasks)));
        pages.forEach(page -> page.run(tasks));
    }

    private String metrics() {
        @Nullable Zone zone = zones.current();
        return counters.text()
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
        return text.toString();
    }
}
