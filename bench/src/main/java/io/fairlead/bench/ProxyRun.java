package io.fairlead.bench;

import io.fairlead.api.Ip;
import io.fairlead.api.Kind;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Kubeconfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A cluster that is served: its API server, and the proxy of its one node as soon as it is started.
final class ProxyRun implements AutoCloseable {
    private static final String NODE = "bench-node";
    private static final int KNOCKERS = 2;

    private final Path launcher;
    private final Path dir;
    private final ServedCluster cluster;
    private final ProxySite site;
    private final BenchProcess server;
    private final ApiClient client;
    private @Nullable BenchProcess proxy;
    private int generation;

    private ProxyRun(Path launcher, Path dir, ServedCluster cluster) throws Exception {
        this.launcher = launcher;
        this.dir = dir;
        this.cluster = cluster;
        Files.createDirectories(dir);
        site = ProxySite.build(
                "flb" + cluster.services() + "-" + ProcessHandle.current().pid());
        server = start("server", Map.of(), "--dir", dir, "--bind", ProxySite.CLIENT + ":6443");
        server.await(() -> Files.exists(kubeconfig()));
        grant();
        client = site.client().call(() -> new ApiClient(Kubeconfig.read(kubeconfig())));
        site.client().call(() -> {
            cluster.create(client);
            return client;
        });
    }

    /// Starts an API server with all of the cluster's objects.
    static ProxyRun open(Path launcher, Path dir, ServedCluster cluster) throws Exception {
        return new ProxyRun(launcher, dir, cluster);
    }

    /// Starts a proxy, stops it and takes away what it made. After the first time the API server has answered such
    /// lists before, as that of a cluster has, and a start of the proxy alone can be measured.
    Start startAndRemove() throws InterruptedException {
        Start start = startProxy("nftables", Map.of());
        proxy().close();
        try (BenchProcess cleanup = start("proxy", Map.of(), "--cleanup")) {
            cleanup.awaitEnd();
        }
        return start;
    }

    /// When VIPs answered, in milliseconds since the proxy was executed, and what was spent on processors until then.
    record Start(double firstAnswer, double everyAnswer, double proxyCpu, double serverCpu) {}

    /// Starts the proxy and waits until every VIP answers. Before, every pod is called directly: the one who measures
    /// must not be slow because it is its first time.
    Start startProxy(String mode, Map<String, String> environment) {
        site.client()
                .call(() -> Knocker.awaitAll(cluster.pods(), Answerer.PORT))
                .close();
        double serverBefore = server.cpuMillis();
        BenchProcess started = start(
                "proxy",
                environment,
                "--kubeconfig",
                nodeKubeconfig(),
                "--hostname-override",
                NODE,
                "--proxy-mode",
                mode,
                "--cluster-cidr",
                ProxySite.CLIENTS);
        proxy = started;
        double first = site.client().call(() -> {
            started.awaitBusily(() -> Knocker.isAnswered(cluster.vip(0)));
            return millisSince(started.started());
        });
        return site.answerer().rest(() -> {
            List<Knocker.Calls> calls = awaitEveryVip();
            double every = millisSince(started.started());
            Start measured = new Start(first, every, started.cpuMillis(), server.cpuMillis() - serverBefore);
            calls.forEach(Knocker.Calls::close);
            return measured;
        });
    }

    /// On both processors, each every other one in the order of their names, which is the one they are programmed in:
    /// who waits for one who knocks measures the one who knocks.
    private List<Knocker.Calls> awaitEveryVip() {
        List<Ip> vips = cluster.vips();
        return IntStream.range(0, KNOCKERS)
                .parallel()
                .mapToObj(knocker -> site.client().call(() -> Knocker.awaitAll(every(knocker, vips), Knocker.PORT)))
                .toList();
    }

    private static List<Ip> every(int knocker, List<Ip> vips) {
        return IntStream.range(0, vips.size())
                .filter(i -> i % KNOCKERS == knocker)
                .mapToObj(vips::get)
                .toList();
    }

    /// Replaces the endpoints of one Service after the other; gives the sorted times, in milliseconds, from the API
    /// server's answer until a new connection reaches an endpoint that was not there before.
    double[] change(int changes) {
        return site.client().call(() -> {
            double[] millis = new double[changes];
            for (int i = 0; i < changes; i++) {
                millis[i] = change();
            }
            Arrays.sort(millis);
            return millis;
        });
    }

    private double change() throws IOException, InterruptedException {
        generation++;
        int service = Math.floorMod(generation * 7919, cluster.services());
        client.update(Kind.ENDPOINT_SLICE, cluster.slice(service, generation));
        long answered = System.nanoTime();
        Ip vip = cluster.vip(service);
        while (!cluster.isOf(generation, Knocker.endpointOf(vip))) {
            proxy(); // its end would be the end of the wait
        }
        return millisSince(answered);
    }

    /// How many connections to one VIP are made in this time, one after the other.
    int connections(long nanos) {
        return site.client().call(() -> {
            long end = System.nanoTime() + nanos;
            int count = 0;
            while (System.nanoTime() < end) {
                if (!Knocker.isAnswered(cluster.vip(0))) {
                    throw new IllegalStateException("a VIP does not answer");
                }
                count++;
            }
            return count;
        });
    }

    /// The running proxy.
    BenchProcess proxy() {
        if (proxy == null || !proxy.isAlive()) {
            throw new IllegalStateException("the proxy does not run; its log is in " + dir);
        }
        return proxy;
    }

    private BenchProcess start(String program, Map<String, String> environment, Object... arguments) {
        List<Object> command = new java.util.ArrayList<>(List.of(launcher, program));
        command.addAll(List.of(arguments));
        var place = program.equals("proxy") ? site.node() : site.client();
        return BenchProcess.start(place, dir.resolve(program + ".log"), environment, command);
    }

    /// With the rights of a node, as a proxy has them.
    private void grant() throws InterruptedException {
        try (BenchProcess grant =
                start("kubeconfig", Map.of(), "--dir", dir, "--node", NODE, "--output", nodeKubeconfig())) {
            grant.awaitEnd();
        }
    }

    private Path nodeKubeconfig() {
        return dir.resolve("node.kubeconfig");
    }

    private Path kubeconfig() {
        return dir.resolve("kubeconfig");
    }

    private static double millisSince(long start) {
        return (System.nanoTime() - start) / 1e6;
    }

    @Override
    public void close() {
        if (proxy != null) {
            proxy.close();
        }
        client.close();
        server.close();
        site.close();
    }
}
