package io.fairlead.http;

import io.fairlead.access.Authenticator;
import io.fairlead.access.Pki;
import io.fairlead.access.StaticTokens;
import io.fairlead.admission.Admissions;
import io.fairlead.admission.Quotas;
import io.fairlead.api.IpPort;
import io.fairlead.kinds.KindTable;
import io.fairlead.kinds.Stamp;
import io.fairlead.objects.ListPieces;
import io.fairlead.objects.ObjectParts;
import io.fairlead.objects.Rights;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.StoreTask;
import io.fairlead.objects.TimedStore;
import io.fairlead.objects.WatchCache;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import io.fairlead.upkeep.Bootstrap;
import io.fairlead.upkeep.KubernetesService;
import io.fairlead.upkeep.ServerLeases;
import io.fairlead.upkeep.Upkeep;
import java.security.SecureRandom;
import java.time.InstantSource;
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
    private final ServerMetrics metrics;
    private volatile boolean ready;
    private volatile boolean following;
    private boolean followed; // of the task that follows the store alone
    private Optional<ServerLeases> servers = Optional.empty();

    private ApiServer(WatchCache cache, TaskGroup tasks, HttpFront front, AuditLog audit, ServerMetrics metrics) {
        this.metrics = metrics;
        this.cache = cache;
        this.tasks = tasks;
        this.front = front;
        this.audit = audit;
    }

    /// Starts a server and returns when it answers; what every cluster has is there by then.
    public static ApiServer start(ApiServerConfig config, Store store) throws InterruptedException {
        Optional<ServerTls> tls = tls(config);
        ServerMetrics metrics = new ServerMetrics();
        ConnectionWatch watch = new ConnectionWatch(ConnectionWatch.Patience.USUAL, metrics::cut);
        ApiServer server = new ApiServer(
                new WatchCache(store, ObjectParts.cached()),
                new TaskGroup("apiserver"),
                new HttpFront(config.bind(), tls, config.limits().connections(), watch),
                AuditLog.open(config.auditLog()),
                metrics);
        boolean started = false;
        try {
            server.wire(config, store);
            server.tasks.keep("connections", watch::run);
            tls.ifPresent(fresh -> server.tasks.keep("certificate", fresh::keepFresh));
            started = true;
            return server;
        } finally {
            if (!started) {
                server.close();
            }
        }
    }

    private static Optional<ServerTls> tls(ApiServerConfig config) {
        return switch (config.clientAccess()) {
            case ClientAccess.Open _ -> Optional.empty();
            case ClientAccess.Guarded guarded -> Optional.of(new ServerTls(guarded.pki(), HostNames.of(config)));
        };
    }

    private void wire(ApiServerConfig config, Store untimed) throws InterruptedException {
        front.open();
        metrics.tasks().add(tasks.faults());
        metrics.tellOf(cache);
        Store store = new TimedStore(untimed, metrics::stored);
        Stamp stamp = new Stamp(InstantSource.system(), new SecureRandom());
        Quotas quotas = new Quotas(cache);
        ObjectParts objects = ObjectParts.of(
                new ObjectParts.Source(store, cache, stamp),
                KindTable.of(stamp, config.policy().strictNames())
                        .withPodSecurity(config.policy().podSecurity()),
                new ObjectParts.Admitting(
                        config.addresses().nodePorts(),
                        config.addresses().blocks().externalIps(),
                        Admissions.of(cache, stamp, pki(config).isPresent(), quotas)));
        quotas.writeBy(objects.writes());

        cache.load();
        tasks.keep("cache", this::followStore);
        tasks.keep("patience", cache::endLongWaits);
        ServerLeases leases =
                new ServerLeases(store, cache, objects.writes(), config.advertised(), stamp, System::nanoTime);
        servers = Optional.of(leases);
        KubernetesService kubernetes = new KubernetesService(
                cache, objects.writes(), leases, config.serviceCidrs().getFirst(), config.servingPort());
        bootstrap(new Bootstrap(objects.writes(), config.serviceCidrs(), kubernetes));
        tasks.keep("quotas", new StoreTask("quotas", quotas::run));
        Upkeep.loops(objects, kubernetes, authorityPem(config))
                .forEach(loop -> tasks.keep(loop.name(), new StoreTask(loop.name(), loop.body())));
        ready = true;
        front.start(handler(config, objects));
        LOG.info("event=started address={}", address());
    }

    private ApiHandler handler(ApiServerConfig config, ObjectParts objects) {
        Stamp stamp = objects.stamp();
        Rights rights = new Rights(cache);
        Optional<Authenticator> authenticator = authenticator(config, stamp);
        Router router = new Router(
                new Router.Stored(
                        new Api(objects),
                        rights,
                        cache,
                        config.addresses().blocks().pods()),
                new AccessApi(authenticator, rights, new TokenRequests(authenticator, cache, stamp)),
                pods(config),
                new Router.Documents(new Discovery(objects.kinds()), metrics, health(objects.store())));
        Filter.Next filters = Filter.chain(
                List.of(
                        new SecondLook(objects.store(), cache),
                        new Authentication(authenticator, rights),
                        new RequestLimits(config.limits(), metrics),
                        new Authorization(rights, new NodeRestriction(cache))),
                router::answer);
        return new ApiHandler(
                filters,
                new AnswerWriter(stamp, metrics, new ListPieces(mostPieces())),
                new ApiHandler.Upgrades(
                        new WatchSockets(front.webSockets(), tasks, metrics), new Tunnels(tasks, front.executor())),
                new ApiHandler.RequestLog(metrics, audit),
                stamp.clock());
    }

    /// Compressed, a list is a tenth of the objects in memory or less; so this is enough for all that fit there.
    private static long mostPieces() {
        return Runtime.getRuntime().maxMemory() / 16;
    }

    private Router.Pods pods(ApiServerConfig config) {
        AgentCalls agents = new AgentCalls(new NodeAgents(pki(config), cache));
        return new Router.Pods(new PodSessions(agents, cache), new ClusterProxy(agents, cache));
    }

    private static Optional<Pki> pki(ApiServerConfig config) {
        return switch (config.clientAccess()) {
            case ClientAccess.Open _ -> Optional.empty();
            case ClientAccess.Guarded guarded -> Optional.of(guarded.pki());
        };
    }

    private static Optional<String> authorityPem(ApiServerConfig config) {
        return pki(config).map(Pki::authorityPem);
    }

    private Optional<Authenticator> authenticator(ApiServerConfig config, Stamp stamp) {
        return switch (config.clientAccess()) {
            case ClientAccess.Open _ -> Optional.empty();
            case ClientAccess.Guarded(Pki pki, StaticTokens tokens) ->
                Optional.of(
                        new Authenticator(pki, tokens, object -> TokenRequests.isThere(cache, object), stamp.clock()));
        };
    }

    private HealthChecks health(Store store) {
        return new HealthChecks(
                Map.of(
                        "ping",
                        () -> true,
                        "bootstrap",
                        () -> ready,
                        "cache",
                        () -> following,
                        HealthChecks.STORE,
                        () -> answers(store)),
                metrics.tasks()::failing);
    }

    /// Tells of the tasks of the program around this server, too: in its health and its metrics.
    public void tellOf(TaskGroup program) {
        metrics.tasks().add(program.faults());
    }

    private static boolean answers(Store store) {
        try {
            store.revision();
            return store.trouble().isEmpty();
        } catch (StoreException _) {
            return false;
        }
    }

    private static void bootstrap(Bootstrap bootstrap) throws InterruptedException {
        try {
            bootstrap.run();
        } catch (StatusException e) {
            throw new ApiServerException("what every cluster has could not be written", e);
        }
    }

    /// After a failure of ours, what is in memory may be half of a change: it is read anew.
    private void followStore() throws InterruptedException {
        if (followed) {
            cache.load();
        }
        followed = true;
        following = true;
        try {
            cache.follow();
        } finally {
            following = false;
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
