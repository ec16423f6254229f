package io.fairlead.sync;

import io.fairlead.api.IpPort;
import io.fairlead.api.Kind;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.client.EventSender;
import io.fairlead.client.Excerpt;
import io.fairlead.client.Interest;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.iptables.IptablesBackend;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskFaults;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.runtime.TaskMetrics;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The proxy of one node: keeps the kernel at the newest Snapshot, and tells how it does.
///
/// ```java
/// try (Proxy proxy = Proxy.open(config); TaskGroup tasks = new TaskGroup("proxy")) {
///     Reflector reflector = new Reflector(client, Proxy.interests("node-a"));
///     proxy.run(reflector.snapshots(), tasks);
///     reflector.run(tasks);
///     tasks.await();
/// }
/// ```
///
/// Closing it lets go of the kernel's door; what is programmed stays, and connections go on.
public final class Proxy implements AutoCloseable {
    /// How long a change may wait before the proxy calls itself unhealthy: twice the sync period of kube-proxy.
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// How often an address that is taken is asked for again.
    private static final Duration AGAIN = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Proxy.class);

    private final ProxyConfig config;
    private final Modes modes;
    private final InstantSource clock;
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Health health;
    private final SyncJournal journal;
    private final EventSender events;
    private final Acknowledgements acknowledgements;
    private final Map<String, ProxyServer.Page> pages = new HashMap<>();
    private final TaskMetrics taskMetrics = new TaskMetrics(registry);

    Proxy(ProxyConfig config, Modes modes, InstantSource clock) {
        this.config = config;
        this.modes = modes;
        this.clock = clock;
        this.health = new Health(PATIENCE, clock.instant());
        this.acknowledgements = new Acknowledgements(config.node().name());
        this.events = new EventSender("fairlead-proxy", clock);
        this.journal = new SyncJournal(
                clock,
                new SyncJournal.Readers(
                        health,
                        new SyncMetrics(registry),
                        acknowledgements,
                        new NoteReport(events, registry),
                        new DriftReport(config.node().name(), events, registry)));
        registry.register(new ConnectionMetrics(this::connections, modes.totals()));
        RuleMetrics.register(registry, this::iptables);
        PolicyMetrics.register(registry, this::table);
        SyncMetrics.cleanups(registry, modes::cleanupFailures);
    }

    /// Opens the backend; a [ProxyException] says why it cannot run here.
    public static Proxy open(ProxyConfig config) {
        Modes modes = new Modes(
                ProxyModes.opener(config.options()), ProxyModes.ALL, config.node(), ProxyModes.named(config.mode()));
        return new Proxy(config, modes, InstantSource.system());
    }

    /// What the Snapshots of a proxy must hold. Other objects of the same kinds do no harm.
    public static List<Interest> interests(String node) {
        return List.of( // small ones first: all wait for the first answer, and then share its connection
                Interest.named(Kind.NODE, node),
                Interest.all(Kind.SERVICE_CIDR).ifThere(),
                Interest.all(Kind.ENDPOINT_SLICE),
                Interest.all(Kind.SERVICE));
    }

    /// Where others who share this program may count, to be read at `/metrics`.
    public PrometheusRegistry registry() {
        return registry;
    }

    /// One more page beside the metrics, for who shares this program; call it before [#run].
    public void show(String path, Supplier<String> text) {
        pages.put(path, _ -> ProxyServer.Answer.text(200, text.get()));
    }

    /// Tells of the tasks of another group of this program, too: in its probes and metrics.
    public void tellOf(TaskFaults faults) {
        taskMetrics.add(faults);
    }

    /// What of an object a proxy needs: for a [io.fairlead.client.Reflector] that serves no other program.
    public static Excerpt excerpt() {
        return Remembered.EXCERPT;
    }

    /// The kernel may go on counting for an endpoint that has left its Service; that is left out.
    private List<ConnectionCount> connections() {
        ForwardingTable table = table();
        return modes.current().connections().stream()
                .filter(count -> !(count instanceof ConnectionCount.ToTarget(var _, var service, var target, var _))
                        || table.leads(service, target))
                .toList();
    }

    /// What stands in the kernel since the last round that succeeded.
    private ForwardingTable table() {
        return journal.last().map(SyncJournal.Synced::table).orElse(ForwardingTable.empty());
    }

    private Optional<IptablesBackend> iptables() {
        return modes.current()
                .backends()
                .filter(IptablesBackend.class::isInstance)
                .map(IptablesBackend.class::cast)
                .findFirst();
    }

    /// Where the two servers of a running proxy answer, if they do.
    public record Addresses(Optional<IpPort> health, Optional<IpPort> metrics) {}

    /// Starts the loop and the servers; they end with the group.
    public Addresses run(Latest<Snapshot> snapshots, TaskGroup tasks) {
        Counter healthAnswers = ProbePage.answers("healthz", registry);
        Counter liveAnswers = ProbePage.answers("livez", registry);
        taskMetrics.add(tasks.faults());
        ProbePage.Source source = new ProbePage.Source(health, taskMetrics::failing, clock);
        ProxyServer.Page healthz = new ProbePage(Health.Report::healthy, source, healthAnswers);
        ProxyServer.Page livez = new ProbePage(Health.Report::alive, source, liveAnswers);
        ProxyServer.Page readyz = new ProbePage(Health.Report::ready, source, ProbePage.answers("readyz", registry));
        Map<String, ProxyServer.Page> probes = Map.of("/healthz", healthz, "/livez", livez, "/readyz", readyz);
        Optional<IpPort> healthAddress = config.healthAddress().map(address -> serve(address, probes, tasks));
        pages.put("/metrics", new MetricsPage(registry));
        pages.put("/metrics/slis", new MetricsPage(indicators(healthAnswers, liveAnswers)));
        pages.putAll(probes);
        pages.put(
                "/proxyMode",
                _ -> ProxyServer.Answer.text(200, modes.current().mode().name()));
        pages.put("/configz", _ -> ProxyServer.Answer.of(200, "application/json", configz()));
        pages.put("/dump", _ -> ProxyServer.Answer.text(200, dump()));
        pages.put("/compare", _ -> {
            modes.current().compareNow();
            return ProxyServer.Answer.text(200, "what is in the kernel is compared now; differences are put right\n");
        });
        Optional<IpPort> metricsAddress = config.metricsAddress().map(address -> serve(address, pages, tasks));
        FlowSweeper sweeper = new FlowSweeper(registry);
        // On threads of their own: a large batch to the kernel blocks for a while, and would hold up virtual threads.
        tasks.keepOnPlatformThread("sync", () -> sync(snapshots, sweeper));
        tasks.keepOnPlatformThread("unanswered", sweeper::sweepUnanswered);
        EffectLoop effects = new EffectLoop(config.node().name(), modes, health);
        tasks.keepOnPlatformThread("effects", () -> effects.run(journal));
        tasks.keep("memory", () -> MemoryRelease.run(journal));
        return new Addresses(healthAddress, metricsAddress);
    }

    private PrometheusRegistry indicators(Counter healthAnswers, Counter liveAnswers) {
        return SliMetrics.of(Map.of(
                "healthz",
                        new SliMetrics.Probe(
                                () -> health.report(clock.instant()).healthy(), healthAnswers),
                "livez",
                        new SliMetrics.Probe(
                                () -> health.report(clock.instant()).synced(), liveAnswers)));
    }

    private String configz() {
        return ConfigzText.format(config.withMode(modes.current().mode().name()));
    }

    /// Sends what the proxy has to tell as Events; without this it is in the log alone.
    public void tellTo(ApiClient client, TaskGroup tasks) {
        tasks.keep("events", () -> events.run(client));
    }

    /// Tells node agents what is programmed, so that they end no pod too early; needs the right to patch the
    /// own Node.
    public void acknowledgeTo(ApiClient client, TaskGroup tasks) {
        tasks.keep("acknowledgements", () -> acknowledgements.run(client));
    }

    private void sync(Latest<Snapshot> snapshots, FlowSweeper sweeper) throws InterruptedException {
        snapshots.again(); // after a failure, what was taken already
        BooleanSupplier healthy = () -> health.report(clock.instant()).synced();
        try (HealthCheckServers healthChecks = new HealthCheckServers(healthy, events)) {
            NodeView node = new NodeView(config.node());
            new SyncLoop(snapshots, node, modes, sweeper, healthChecks, journal).run();
        }
    }

    /// Where an address is taken and need not be had at once, it is tried again: who took it may be the proxy
    /// before us.
    private IpPort serve(IpPort address, Map<String, ProxyServer.Page> pages, TaskGroup tasks) {
        try {
            return start(address, pages, tasks);
        } catch (ProxyException e) {
            if (config.bindHardFail()) {
                throw e;
            }
            LOG.warn(
                    "event=address-refused address={} retry={}s reason=\"{}\"",
                    address,
                    AGAIN.toSeconds(),
                    e.getMessage());
            Map<String, ProxyServer.Page> same = Map.copyOf(pages);
            tasks.run("bind", () -> startLater(address, same, tasks));
            return address;
        }
    }

    private static void startLater(IpPort address, Map<String, ProxyServer.Page> pages, TaskGroup tasks)
            throws InterruptedException {
        while (true) {
            Thread.sleep(AGAIN);
            try {
                start(address, pages, tasks);
                LOG.info("event=address-taken address={}", address);
                return;
            } catch (ProxyException e) {
                LOG.debug("event=address-refused address={}", address, e);
            }
        }
    }

    private static IpPort start(IpPort address, Map<String, ProxyServer.Page> pages, TaskGroup tasks) {
        ProxyServer server = ProxyServer.open(address, pages);
        server.run(tasks);
        return server.address();
    }

    /// The mode that programs the node now.
    public String mode() {
        return modes.current().mode().name();
    }

    /// The table and the program that stand in the kernel, as text.
    public String dump() {
        return journal.last().map(DumpText::format).orElse("# nothing is programmed yet\n");
    }

    @Override
    public void close() {
        modes.close();
    }
}
