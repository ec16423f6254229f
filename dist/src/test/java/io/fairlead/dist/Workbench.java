package io.fairlead.dist;

import static org.awaitility.Awaitility.await;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.dist.Traffic.Answer;
import io.fairlead.kernel.NetworkNamespace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.core.ThrowingRunnable;

/// A cluster that runs, and the kubectl of this machine to work on it.
record Workbench(RunningCluster cluster, Kubectl kubectl) {
    private static final int REQUESTS = 12;

    /// A new cluster, with a client pod on each node.
    static Workbench up(String name) throws Exception {
        RunningCluster cluster = RunningCluster.up(name);
        cluster.createClientPods();
        return of(cluster);
    }

    /// On a cluster that runs already.
    static Workbench of(RunningCluster cluster) throws Exception {
        Kubectl kubectl = new Kubectl(cluster.dir().resolve("kubectl/config"));
        Files.createDirectories(kubectl.kubeconfig().getParent());
        Files.copy(cluster.dir().resolve("kubeconfig"), kubectl.kubeconfig());
        return new Workbench(cluster, kubectl);
    }

    static void soon(ThrowingRunnable condition) {
        await().atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(condition);
    }

    String run(String line) throws Exception {
        return kubectl.run(line);
    }

    /// Runs a pod with a shell script in it.
    void runScript(String pod, String script) throws Exception {
        kubectl.run(List.of("run", pod, "--image=busybox", "--restart=Never", "--", "sh", "-c", script));
    }

    /// Creates what a manifest says.
    void create(String manifest) throws Exception {
        Path file = Files.writeString(Files.createTempFile(cluster.dir(), "manifest", ".yaml"), manifest);
        kubectl.run("create -f " + file);
    }

    String field(String object, String path) throws Exception {
        return kubectl.run("get %s -o jsonpath={%s}".formatted(object, path));
    }

    Set<String> podNames(String app) throws Exception {
        return Set.of(field("pods -l app=" + app, ".items[*].metadata.name").split(" ", -1));
    }

    /// Who answers, of many requests.
    Set<String> podsBehind(NetworkNamespace from, IpPort address) {
        return Traffic.send(from, address, REQUESTS).stream()
                .map(answer -> answer instanceof Answer.From(String pod, var _) ? pod : answer.toString())
                .collect(Collectors.toSet());
    }

    Set<String> podsBehind(String service, int port) throws Exception {
        IpPort vip = new IpPort(Ip.parse(field("service " + service, ".spec.clusterIP")), port);
        return podsBehind(cluster.clientPod("node-1"), vip);
    }
}
