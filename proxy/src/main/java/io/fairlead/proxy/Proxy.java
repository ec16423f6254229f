package io.fairlead.proxy;

import io.fairlead.api.IpPort;
import io.fairlead.api.Kind;
import io.fairlead.api.Snapshot;
import io.fairlead.client.Interest;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.ConnectionCounters;
import io.fairlead.forwarding.Entry;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// The proxy of one node: keeps the kernel at the newest Snapshot, and tells how it does.
///
/// ```java
/// try (Proxy proxy = Proxy.open(config); TaskGroup tasks = new TaskGroup("proxy")) {
///     Reflector reflector = new Reflector(client, Proxy.INTERESTS);
///     proxy.run(reflector.snapshots(), tasks);
///     reflector.run(tasks);
///     tasks.await();
/// }
/// ```
///
/// Closing it lets go of the kernel's door; what is programmed stays, and connections go on.
public final class Proxy implements AutoCloseable {
    /// What the Snapshots of a proxy must hold.
    public static final List<Interest> INTERESTS =
            List.of(Interest.all(Kind.SERVICE), Interest.all(Kind.ENDPOINT_SLICE));

    /// How long a change may wait before the proxy calls itself unhealthy: twice the sync period of kube-proxy.
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ProxyConfig config;
    private final Backend<?> backend;
    private final InstantSource clock;
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Health health;
    private final SyncJournal journal;

    Proxy(ProxyConfig config, Backend<?> backend, InstantSource clock) {
        this.config = config;
        this.backend = backend;
        this.clock = clock;
        this.health = new Health(PATIENCE, clock.instant());
        this.journal = new SyncJournal(clock, health, new SyncMetrics(registry, config.mode()));
        if (backend instanceof ConnectionCounters counters) {
            registry.register(new ConnectionMetrics(counters));
        }
    }

    /// Opens the backend; a [ProxyException] says why it cannot run here.
    public static Proxy open(ProxyConfig config) {
        return new Proxy(config, Backends.open(config.mode(), config.node()), InstantSource.system());
    }

    /// Where the two servers of a running proxy answer.
    public record Addresses(IpPort health, IpPort metrics) {}

    /// Starts the loop and both servers; they end with the group.
    public Addresses run(Latest<Snapshot> snapshots, TaskGroup tasks) {
        ProxyServer.Page healthz = new ProbePage(health, clock, ProbePage.answers("healthz", registry));
        ProxyServer.Page livez = new ProbePage(health, clock, ProbePage.answers("livez", registry));
        IpPort healthAddress = serve(config.healthAddress(), Map.of("/healthz", healthz, "/livez", livez), tasks);
        IpPort metricsAddress = serve(
                config.metricsAddress(),
                Map.of(
                        "/metrics",
                        new MetricsPage(registry),
                        "/healthz",
                        healthz,
                        "/proxyMode",
                        _ -> ProxyServer.Answer.text(200, config.mode()),
                        "/dump",
                        _ -> ProxyServer.Answer.text(200, dump())),
                tasks);
        // On a thread of its own: a large batch to the kernel blocks for a while, and would hold up virtual threads.
        tasks.runOnPlatformThread("sync", loop(snapshots, backend)::run);
        return new Addresses(healthAddress, metricsAddress);
    }

    private static IpPort serve(IpPort address, Map<String, ProxyServer.Page> pages, TaskGroup tasks) {
        ProxyServer server = ProxyServer.open(address, pages);
        server.run(tasks);
        return server.address();
    }

    /// The table and the program that stand in the kernel, as text.
    public String dump() {
        return journal.last()
                .map(synced -> DumpText.format(config.mode(), synced))
                .orElse("# nothing is programmed yet\n");
    }

    @Override
    public void close() {
        backend.close();
    }

    private <E extends Entry> SyncLoop<E> loop(Latest<Snapshot> snapshots, Backend<E> typed) {
        return new SyncLoop<>(snapshots, typed, config.node(), journal);
    }
}
