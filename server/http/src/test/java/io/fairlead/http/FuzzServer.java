package io.fairlead.http;

import com.sun.management.ThreadMXBean;
import io.fairlead.access.User;
import io.fairlead.api.Json;
import io.fairlead.kinds.KindTable;
import io.fairlead.kinds.Stamp;
import io.fairlead.objects.ObjectParts;
import io.fairlead.objects.Rights;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.TableFormat;
import io.fairlead.objects.WatchCache;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.store.MemoryStore;
import io.fairlead.upkeep.Bootstrap;
import io.fairlead.upkeep.KubernetesService;
import io.fairlead.upkeep.ServerLeases;
import io.fairlead.yaml.Yaml;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// All of a server but its sockets, with an object of each kind that is worth patching. Whatever it is asked, it must
/// answer or refuse, and take memory in proportion to what it was sent.
final class FuzzServer implements AutoCloseable {
    // What a request may take whatever its size, and for each byte of it.
    private static final long LEAST_ALLOCATION = 64L << 20;
    private static final long ALLOCATION_A_BYTE = 10_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final User MASTER = User.authenticated("fuzz", "", Set.of(User.MASTERS));

    private final TaskGroup tasks = new TaskGroup("fuzz");
    private final Stamp stamp = new Stamp(InstantSource.system(), new SecureRandom());
    private final WatchCache cache;
    private final Router router;

    FuzzServer() throws InterruptedException {
        MemoryStore store = new MemoryStore();
        cache = new WatchCache(store, ObjectParts.cached());
        ObjectParts objects = ObjectParts.of(
                new ObjectParts.Source(store, cache, stamp),
                KindTable.of(stamp, false),
                new ObjectParts.Admitting(ApiServerConfig.DEFAULT_NODE_PORTS, Optional.empty(), List.of()));
        Rights rights = new Rights(cache);
        AgentCalls agents = new AgentCalls(new NodeAgents(Optional.empty(), cache));
        router = new Router(
                new Router.Stored(new Api(objects), rights, cache, List.of()),
                new AccessApi(Optional.empty(), rights, new TokenRequests(Optional.empty(), cache, stamp)),
                new Router.Pods(new PodSessions(agents, cache), new ClusterProxy(agents, cache)),
                new Router.Documents(
                        new Discovery(objects.kinds()), new ServerMetrics(), new HealthChecks(Map.of(), Set::of)));
        cache.load();
        tasks.run("cache", cache::follow);
        tasks.run("patience", cache::endLongWaits);
        bootstrap(objects);
        for (FuzzSample sample : FuzzSample.values()) {
            router.answer(asked(request("POST", sample.collection(), "application/json", sample.json())));
        }
    }

    private static Exchange asked(ApiRequest request) {
        Exchange exchange = new Exchange(request, Credentials.NONE, Instant.EPOCH);
        exchange.sentBy(MASTER);
        return exchange;
    }

    private void bootstrap(ObjectParts objects) throws InterruptedException {
        ApiServerConfig config = ApiServerConfig.at(TestServer.ANY_PORT);
        ServerLeases servers = new ServerLeases(
                objects.store(), cache, objects.writes(), config.advertised(), stamp, System::nanoTime);
        KubernetesService kubernetes =
                new KubernetesService(cache, objects.writes(), servers, ApiServerConfig.DEFAULT_SERVICE_CIDR, 0);
        new Bootstrap(objects.writes(), config.serviceCidrs(), kubernetes).run();
    }

    static ApiRequest request(String method, String path, String contentType, byte[] body) {
        return new ApiRequest(method, path, Map.of(), Map.of("content-type", contentType), () -> body);
    }

    /// Has the request answered; throws if the answer is a fault of ours, or took far more memory than the request.
    void ask(ApiRequest request, int size) throws InterruptedException {
        long most = LEAST_ALLOCATION + ALLOCATION_A_BYTE * size;
        long taken = answered(request);
        if (taken > most) {
            taken = answered(request); // the first time it may have been classes that were loaded
        }
        if (taken > most) {
            throw new AssertionError("%d bytes of a request make the server take %d".formatted(size, taken));
        }
    }

    /// How many bytes of memory the answer took.
    private long answered(ApiRequest request) throws InterruptedException {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            render(router.answer(asked(request)));
        } catch (StatusException refused) {
            if (refused.code() >= 500) {
                throw new AssertionError(
                        "%s %s is answered with %d".formatted(request.method(), request.path(), refused.code()),
                        refused);
            }
            Json.bytes(refused.status());
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /// In every form that a client can ask for.
    private void render(Answer answer) {
        switch (answer) {
            case Answer.One one -> {
                one.object().json();
                Yaml.format(one.object().tree());
                Json.bytes(TableFormat.table(one.rules(), List.of(one.object()), "", stamp.now()));
            }
            case Answer.Many many ->
                Json.bytes(TableFormat.table(many.rules(), many.listing().items(), "", stamp.now()));
            case Answer.Faced(Answer faced, var _) -> render(faced);
            case Answer.Document _, Answer.Page _, Answer.Text _ -> {}
            case Answer.Stream _, Answer.Piped _, Answer.Tunnel _ -> {}
        }
    }

    @Override
    public void close() {
        cache.end();
        tasks.close();
    }
}
