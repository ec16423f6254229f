package io.fairlead.resolver;

import io.fairlead.api.IpPort;
import io.fairlead.api.Snapshot;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/// A server of names at 127.0.0.1, port 53, of the test's own network namespace.
final class RunningServer implements AutoCloseable {
    static final IpPort ADDRESS = IpPort.parse("127.0.0.1:53");
    static final IpPort PAGES = IpPort.parse("127.0.0.1:9153");

    private final TaskGroup tasks = new TaskGroup("dns");
    private final Latest<Snapshot> snapshots = new Latest<>();

    private final DnsConfig config;
    private final DnsServer server;

    RunningServer(UnaryOperator<DnsConfig> setUp) {
        config = setUp.apply(DnsConfig.at(List.of(ADDRESS), 2).withPages(List.of(PAGES)));
        server = new DnsServer(config, tasks);
        server.run(snapshots);
    }

    void change(UnaryOperator<DnsConfig> other) {
        server.change(other.apply(config));
    }

    /// Answers what comes through a door.
    void openTo(PodDoor door, PodDoorPlan plan) {
        server.openTo(door, _ -> plan);
    }

    /// Begins to end it, as SIGTERM does.
    void leave() {
        tasks.run("leave", () -> server.leave(Duration.ofMinutes(1)));
    }

    /// A server that answers for this cluster already.
    static RunningServer of(Snapshot snapshot) throws InterruptedException {
        RunningServer server = new RunningServer(config -> config);
        server.show(snapshot);
        return server;
    }

    void show(Snapshot snapshot) throws InterruptedException {
        snapshots.offer(snapshot);
        while (Shell.run("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "http://127.0.0.1:9153/ready")
                .equals("503")) {
            Thread.onSpinWait();
        }
    }

    /// Shows it without waiting.
    void offer(Snapshot snapshot) {
        snapshots.offer(snapshot);
    }

    @Override
    public void close() {
        tasks.close();
    }
}
