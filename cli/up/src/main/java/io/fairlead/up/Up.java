package io.fairlead.up;

import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.lab.HostView;
import io.fairlead.lab.LabException;
import io.fairlead.lab.Remains;
import io.fairlead.lab.Topology;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The command `fairlead up`: a whole cluster on this machine, until it is interrupted.
public final class Up {
    private static final Duration STEP = Duration.ofMillis(200);

    // CAP_NET_ADMIN and CAP_SYS_ADMIN, by their numbers in linux/capability.h.
    private static final long NEEDED = 1L << 12 | 1L << 21;

    private final UpConfig config;
    private final UpConsole console;

    public Up(UpConfig config, PrintWriter out) {
        this.config = config;
        this.console = new UpConsole(out, started());
    }

    /// The launcher says when it had done with building; else it is when this process began.
    private static Instant started() {
        String micros = System.getProperty("fairlead.started", "");
        return micros.isEmpty()
                ? ProcessHandle.current().info().startInstant().orElseGet(Instant::now)
                : Instant.EPOCH.plus(Long.parseLong(micros), ChronoUnit.MICROS);
    }

    /// Runs until the calling thread is interrupted; a [LabException] says what was in the way. Either way, nothing
    /// is left on this machine but the cluster's directory.
    public void run() throws InterruptedException {
        requireRights();
        makeFolders();
        try (ClusterLock _ = ClusterLock.take(config.topology().name(), config.dir())) {
            requireFreeMachine();
            runCluster();
        } catch (RuntimeException e) {
            if (Thread.interrupted()) { // not all that an interrupt breaks says so
                throw new InterruptedException(e.toString());
            }
            throw e;
        }
    }

    private void runCluster() throws InterruptedException {
        try (UpCluster cluster = new UpCluster(config, console)) {
            cluster.start();
            try (ApiClient client = new ApiClient(cluster.access());
                    TaskGroup tasks = new TaskGroup("up")) {
                follow(cluster, client, tasks);
            }
        }
    }

    private void follow(UpCluster cluster, ApiClient client, TaskGroup tasks) throws InterruptedException {
        Startup startup = new Startup(config, cluster, console);
        Latest<Snapshot> snapshots = startup.controlPlane(client, tasks);
        Snapshot snapshot = startup.ready(client, snapshots);
        if (config.sample()) {
            startup.answer(snapshot);
        }
        Duration firstAnswer = console.elapsed();
        startup.kubeconfig();
        console.print(Welcome.text(config, snapshot, firstAnswer));
        Optional<Service> service = Sample.service(snapshot);
        Map<String, Long> written = Map.of();
        while (true) {
            cluster.check();
            Map<String, Long> pids = cluster.pids();
            if (!pids.equals(written)) {
                UpFile.write(config.upFile(), UpFile.json(config, pids, service, firstAnswer));
                written = pids;
            }
            Optional<Snapshot> newer = snapshots.take(STEP);
            if (newer.isPresent()) {
                StateLines.between(snapshot, newer.get()).forEach(console::event);
                snapshot = newer.get();
            }
        }
    }

    private static void requireRights() {
        try {
            boolean permitted = Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("CapEff:"))
                    .map(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                    .anyMatch(rights -> (rights & NEEDED) == NEEDED);
            if (!permitted) {
                throw new LabException("a cluster of network namespaces needs root: try it with sudo");
            }
        } catch (IOException e) {
            throw new LabException("up needs Linux: " + e.getMessage(), e);
        }
    }

    private void makeFolders() {
        try {
            Files.createDirectories(config.logs());
        } catch (IOException e) {
            throw new LabException("the directory %s cannot be made: %s".formatted(config.dir(), e), e);
        }
    }

    private void requireFreeMachine() {
        Topology topology = config.topology();
        Remains remains = Remains.of(topology.name());
        List<NetworkNamespace> namespaces = remains.namespaces();
        if (!namespaces.isEmpty() || remains.hasHostLink()) {
            String there = namespaces.stream().map(NetworkNamespace::name).collect(Collectors.joining(", "));
            throw new LabException(
                    "a cluster named %s was killed and left things behind (%s): \"%s cleanup%s\" removes them"
                            .formatted(
                                    topology.name(),
                                    there.isEmpty() ? "link " + topology.hostLink() : "network namespaces " + there,
                                    config.launcher().typed(),
                                    topology.name().equals(Topology.DEFAULT_NAME) ? "" : " --name " + topology.name()));
        }
        List<String> clashes = Clashes.between(topology, HostView.read());
        if (!clashes.isEmpty()) {
            throw new LabException(String.join("\n", clashes));
        }
    }
}
