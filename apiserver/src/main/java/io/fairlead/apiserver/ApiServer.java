package io.fairlead.apiserver;

import io.fairlead.api.IpPort;
import io.fairlead.api.Kind;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.store.Store;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running API server: the Kubernetes API over a [Store], which stays its caller's to close.
public final class ApiServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);

    private final WatchCache cache;
    private final TaskGroup tasks;
    private final HttpFront front;
    private volatile boolean ready;

    private ApiServer(WatchCache cache, TaskGroup tasks, HttpFront front) {
        this.cache = cache;
        this.tasks = tasks;
        this.front = front;
    }

    /// Starts a server and returns when it answers; what every cluster has is there by then.
    public static ApiServer start(ApiServerConfig config, Store store) throws InterruptedException {
        List<Kind> kinds = new ArrayList<>(Kind.ALL);
        kinds.addAll(List.of(Claims.ADDRESSES, Claims.NODE_PORTS));
        Optional<ServerTls> tls = tls(config);
        ApiServer server = new ApiServer(
                new WatchCache(store, kinds), new TaskGroup("apiserver"), new HttpFront(config.bind(), tls));
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

    private void wire(ApiServerConfig config, Store store) throws InterruptedException {
        front.open();
        Stamp stamp = new Stamp(InstantSource.system(), new SecureRandom());
        Claims claims = new Claims(store, cache, stamp);
        KindTable table = KindTable.of(new ServiceAllocator(claims, stamp, config), config.strictNames());
        ObjectWrites writes = new ObjectWrites(store, cache, table, stamp);
        ObjectDeletes deletes = new ObjectDeletes(writes, table, stamp);
        ServerMetrics metrics = new ServerMetrics();
        Api api = new Api(new ObjectReads(cache, table, stamp), writes, deletes, table);
        Router router = new Router(api, new Discovery(table), metrics, () -> ready);

        cache.load();
        tasks.run("cache", this::followStore);
        bootstrap(new Bootstrap(writes, config));
        tasks.run("namespaces", new NamespaceReaper(cache, writes, deletes)::run);
        tasks.run("claims", new ClaimRepair(cache, claims, stamp)::run);
        tasks.run("compaction", new StoreCompaction(store, cache)::run);
        ready = true;
        front.start(new ApiHandler(router, new AnswerWriter(stamp, metrics), metrics, stamp));
        LOG.info("API server answers at {}", address());
    }

    private static void bootstrap(Bootstrap bootstrap) throws InterruptedException {
        try {
            bootstrap.run();
        } catch (ApiException e) {
            throw new ApiServerException("what every cluster has could not be written", e);
        }
    }

    private void followStore() throws InterruptedException {
        try {
            cache.follow();
        } finally {
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
        cache.end();
        front.close();
        tasks.close();
    }
}
