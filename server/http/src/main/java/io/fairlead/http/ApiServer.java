package io.fairlead.http;

import io.fairlead.access.Authenticator;
import io.fairlead.access.Pki;
import io.fairlead.access.StaticTokens;
import io.fairlead.api.IpPort;
import io.fairlead.api.Kind;
import io.fairlead.kinds.KindTable;
import io.fairlead.kinds.Stamp;
import io.fairlead.objects.ApiException;
import io.fairlead.objects.Claims;
import io.fairlead.objects.DisruptionBudgets;
import io.fairlead.objects.Evictions;
import io.fairlead.objects.ListPieces;
import io.fairlead.objects.ObjectDeletes;
import io.fairlead.objects.ObjectWrites;
import io.fairlead.objects.Rights;
import io.fairlead.objects.ServiceAllocator;
import io.fairlead.objects.ServiceCidrs;
import io.fairlead.objects.StoreTask;
import io.fairlead.objects.TimedStore;
import io.fairlead.objects.WatchCache;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import io.fairlead.upkeep.Bootstrap;
import io.fairlead.upkeep.ClaimRepair;
import io.fairlead.upkeep.EventExpiry;
import io.fairlead.upkeep.GarbageCollector;
import io.fairlead.upkeep.KubernetesService;
import io.fairlead.upkeep.NamespaceContents;
import io.fairlead.upkeep.NamespaceReaper;
import io.fairlead.upkeep.ServerLeases;
import io.fairlead.upkeep.ServiceCidrReaper;
import io.fairlead.upkeep.StoreCompaction;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running API server: the Kubernetes API over a [Store], which stays its caller's to close.
public final class ApiServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);

    private final WatchCache cache;
    private final TaskGroup tasks;
    private final HttpFront front;
    private final AuditLog audit;
    private volatile boolean ready;
    private volatile boolean following;
    private Optional<ServerLeases> servers = Optional.empty();

    private ApiServer(WatchCache cache, TaskGroup tasks, HttpFront front, AuditLog audit) {
        this.cache = cache;
        this.tasks = tasks;
        this.front = front;
        this.audit = audit;
    }

    /// Starts a server and returns when it answers; what every cluster has is there by then.
    public static ApiServer start(ApiServerConfig config, Store store) throws InterruptedException {
        List<Kind> kinds = new ArrayList<>(Kind.ALL);
        kinds.add(Claims.NODE_PORTS);
        Optional<ServerTls> tls = tls(config);
        ApiServer server = new ApiServer(
                new WatchCache(store, kinds),
                new TaskGroup("apiserver"),
                new HttpFront(config.bind(), tls, config.limits().connections()),
                AuditLog.open(config.auditLog()));
        boolean started = false;
        try {
            server.wire(config, store);
            tls.ifPresent(fresh -> server.tasks.run("certificate", fresh::keepFresh));
            started = true;
            return server;
        } finally {
            if (!started) {
                server.close();
            }
        }
    }

    private static Optional<ServerTls> tls(ApiServerConfig config) {
        return switch (config.entrance()) {
            case Entrance.Open _ -> Optional.empty();
            case Entrance.Guarded guarded -> Optional.of(new ServerTls(guarded.pki(), HostNames.of(config)));
        };
    }

    private void wire(ApiServerConfig config, Store untimed) throws InterruptedException {
        front.open();
        ServerMetrics metrics = new ServerMetrics();
        metrics.tellOf(cache);
        Store store = new TimedStore(untimed, metrics::stored);
        Stamp stamp = new Stamp(InstantSource.system(), new SecureRandom());
        Claims claims = new Claims(store, cache, stamp);
        ServiceCidrs cidrs = new ServiceCidrs(cache);
        ServiceAllocator allocator = new ServiceAllocator(claims, cidrs, stamp, config.nodePorts());
        KindTable table = KindTable.of(stamp, config.strictNames());
        ObjectWrites writes = new ObjectWrites(store, cache, table, Map.of(Kind.SERVICE, allocator), stamp);
        ObjectDeletes deletes = new ObjectDeletes(writes, table, stamp);
        DisruptionBudgets budgets = new DisruptionBudgets(cache, stamp);
        Evictions evictions = new Evictions(budgets, writes);
        Api api = new Api(new ObjectReads(cache, table, stamp), writes, deletes, table, evictions);
        Router router = new Router(api, new Discovery(table), metrics, health(store));

        cache.load();
        tasks.run("cache", this::followStore);
        tasks.run("patience", cache::endLongWaits);
        servers = Optional.of(new ServerLeases(store, cache, writes, config.advertised(), System::nanoTime));
        KubernetesService kubernetes = new KubernetesService(
                cache, writes, servers.get(), config.serviceCidrs().getFirst(), config.servingPort());
        bootstrap(new Bootstrap(writes, config.serviceCidrs(), kubernetes));
        runSteadily("kubernetes-service", kubernetes::run);
        runSteadily("garbage", new GarbageCollector(cache, writes, deletes)::run);
        runSteadily("namespace-contents", new NamespaceContents(cache, writes, authorityPem(config))::run);
        runSteadily("namespaces", new NamespaceReaper(cache, writes, deletes)::run);
        runSteadily("service-cidrs", new ServiceCidrReaper(cache, cidrs, writes)::run);
        runSteadily("claims", new ClaimRepair(cache, claims, stamp)::run);
        runSteadily("events", new EventExpiry(cache, writes, stamp)::run);
        runSteadily("disruption-budgets", evictions::run);
        runSteadily("compaction", new StoreCompaction(store, cache)::run);
        ready = true;
        front.start(handler(config, store, router, metrics, stamp));
        LOG.info("API server answers at {}", address());
    }

    private ApiHandler handler(ApiServerConfig config, Store store, Router router, ServerMetrics metrics, Stamp stamp) {
        Optional<Authenticator> authenticator = authenticator(config, stamp);
        Rights rights = new Rights(cache);
        return new ApiHandler(
                new ApiHandler.Desk(
                        new Gate(authenticator, rights, new NodeRestriction(cache)),
                        new AccessApi(authenticator, rights, new TokenRequests(authenticator, cache, stamp)),
                        router,
                        new SecondLook(store, cache),
                        new AnswerWriter(stamp, metrics, new ListPieces(mostPieces())),
                        new ApiHandler.Passages(
                                reach(config),
                                new WatchSockets(front.webSockets(), tasks, metrics),
                                new Tunnels(tasks, front.executor()))),
                new ApiHandler.Notes(metrics, audit, stamp),
                new Traffic(config.limits()));
    }

    /// Compressed, a list is a tenth of the objects in memory or less; so this is enough for all that fit there.
    private static long mostPieces() {
        return Runtime.getRuntime().maxMemory() / 16;
    }

    private ApiHandler.Reach reach(ApiServerConfig config) {
        AgentCalls agents = new AgentCalls(new NodeAgents(pki(config), cache));
        return new ApiHandler.Reach(new PodReach(agents, cache), new PodProxy(agents, cache));
    }

    private static Optional<Pki> pki(ApiServerConfig config) {
        return switch (config.entrance()) {
            case Entrance.Open _ -> Optional.empty();
            case Entrance.Guarded guarded -> Optional.of(guarded.pki());
        };
    }

    private static Optional<String> authorityPem(ApiServerConfig config) {
        return pki(config).map(Pki::authorityPem);
    }

    private Optional<Authenticator> authenticator(ApiServerConfig config, Stamp stamp) {
        return switch (config.entrance()) {
            case Entrance.Open _ -> Optional.empty();
            case Entrance.Guarded(Pki pki, StaticTokens tokens) ->
                Optional.of(
                        new Authenticator(pki, tokens, object -> TokenRequests.isThere(cache, object), stamp.clock()));
        };
    }

    private Health health(Store store) {
        return new Health(Map.of(
                "ping",
                () -> true,
                "bootstrap",
                () -> ready,
                "cache",
                () -> following,
                Health.STORE,
                () -> answers(store)));
    }

    private static boolean answers(Store store) {
        try {
            store.revision();
            return true;
        } catch (StoreException _) {
            return false;
        }
    }

    private static void bootstrap(Bootstrap bootstrap) throws InterruptedException {
        try {
            bootstrap.run();
        } catch (ApiException e) {
            throw new ApiServerException("what every cluster has could not be written", e);
        }
    }

    private void runSteadily(String task, TaskGroup.Task body) {
        tasks.run(task, new StoreTask(task, body));
    }

    private void followStore() throws InterruptedException {
        following = true;
        try {
            cache.follow();
        } finally {
            following = false;
            ready = false;
        }
    }

    /// Where it listens; the real port if any was asked for.
    public IpPort address() {
        return front.address();
    }

    /// Ends the watches, so that clients know to come back, and then stops.
    @Override
    public void close() {
        ready = false;
        servers.ifPresent(ServerLeases::leave);
        cache.end();
        front.close();
        tasks.close();
        audit.close();
    }
}
