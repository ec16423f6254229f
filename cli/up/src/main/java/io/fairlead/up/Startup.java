package io.fairlead.up;

import io.fairlead.api.IpPort;
import io.fairlead.api.Kind;
import io.fairlead.api.Node;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Interest;
import io.fairlead.client.Kubeconfig;
import io.fairlead.client.Reflector;
import io.fairlead.lab.LabException;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// The way from started processes to the first answered connection, told step by step.
final class Startup {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(50);
    private static final List<Kind> KINDS =
            List.of(Kind.NODE, Kind.POD, Kind.SERVICE, Kind.ENDPOINT_SLICE, Kind.DEPLOYMENT);

    private final UpConfig config;
    private final UpCluster cluster;
    private final UpConsole console;
    private final long deadline = System.nanoTime() + LIMIT.toNanos();

    Startup(UpConfig config, UpCluster cluster, UpConsole console) {
        this.config = config;
        this.cluster = cluster;
        this.console = console;
    }

    /// Waits for the control plane, and begins to watch.
    Latest<Snapshot> controlPlane(ApiClient client, TaskGroup tasks) throws InterruptedException {
        while (!client.isReady()) {
            pause("the control plane does not answer at " + cluster.access());
        }
        console.step("control plane: answers at " + cluster.access());
        FormerNodes.remove(client, config.topology());
        Reflector reflector =
                new Reflector(client, KINDS.stream().map(Interest::all).toList());
        reflector.run(tasks);
        return reflector.snapshots();
    }

    /// Waits for the nodes, then puts in what the user and we have for the cluster, and waits for the pods of the
    /// sample: they spread over the nodes that are there.
    Snapshot ready(ApiClient client, Latest<Snapshot> snapshots) throws InterruptedException {
        Snapshot nodes = await(snapshots, this::nodes, this::hasNodes);
        UpConfig.Content content = config.wishes().content();
        content.manifests().put(client, console::step);
        if (!content.sample()) {
            return nodes;
        }
        Sample.apply(client, content.bothFamilies());
        if (config.ingress()) {
            Sample.applyIngress(client);
        }
        return await(snapshots, Startup::pods, Startup::hasPods);
    }

    /// Hands the administrator the kubeconfig that the control plane wrote; a key that every client can read
    /// takes a moment to make, and nothing before this waits for it.
    void kubeconfig() throws InterruptedException {
        while (!Files.exists(config.serverKubeconfig())) {
            pause("the control plane has not written " + config.serverKubeconfig());
        }
        Kubeconfig.write(config.kubeconfig(), Kubeconfig.read(config.serverKubeconfig()));
    }

    /// Tells the progress until it is enough.
    private Snapshot await(Latest<Snapshot> snapshots, Function<Snapshot, String> progress, Predicate<Snapshot> enough)
            throws InterruptedException {
        String told = "";
        while (true) {
            Snapshot snapshot = snapshots.peek().orElse(Snapshot.EMPTY);
            String now = progress.apply(snapshot);
            if (!now.equals(told)) {
                console.step(now);
                told = now;
            }
            if (enough.test(snapshot)) {
                return snapshot;
            }
            pause(now);
        }
    }

    /// Waits for the first answer through the Service; it takes no pods to wait in vain.
    void answer(Snapshot snapshot) throws InterruptedException {
        if (Sample.wanted(snapshot) == 0) {
            console.step("hello wants no pods, so there is no answer to wait for");
            return;
        }
        Service service = Sample.service(snapshot).orElseThrow();
        IpPort vip = new IpPort(
                service.clusterIps().getFirst(), service.ports().getFirst().port());
        Optional<String> answer = Greeting.from(vip);
        while (answer.isEmpty()) {
            pause("no pod answers at " + vip);
            answer = Greeting.from(vip);
        }
        String firstLine = answer.get().lines().findFirst().orElse("");
        console.step("first answer from %s: %s".formatted(vip, firstLine));
    }

    private String nodes(Snapshot snapshot) {
        return "nodes: %d of %d ready"
                .formatted(readyNodes(snapshot), config.topology().nodeCount());
    }

    private boolean hasNodes(Snapshot snapshot) {
        return readyNodes(snapshot) >= config.topology().nodeCount();
    }

    private static String pods(Snapshot snapshot) {
        return snapshot.deployments().contains(Sample.NAME)
                ? "pods: %d of %d ready".formatted(readyPods(snapshot), Sample.wanted(snapshot))
                : "sample: Deployment and Service hello";
    }

    private static boolean hasPods(Snapshot snapshot) {
        return Sample.service(snapshot).isPresent()
                && snapshot.deployments().contains(Sample.NAME)
                && readyPods(snapshot) >= Sample.wanted(snapshot);
    }

    private static long readyNodes(Snapshot snapshot) {
        return snapshot.nodes().values().filter(Node::ready).count();
    }

    private static long readyPods(Snapshot snapshot) {
        return Sample.pods(snapshot).stream()
                .map(Pod::status)
                .filter(Pod.Status::ready)
                .count();
    }

    private void pause(String where) throws InterruptedException {
        cluster.check();
        if (System.nanoTime() > deadline) {
            throw new LabException("the cluster does not start: after %d s %s; the logs are in %s"
                    .formatted(LIMIT.toSeconds(), where, config.logs()));
        }
        Thread.sleep(STEP);
    }
}
