package io.fairlead.dist;

import static org.awaitility.Awaitility.await;

import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Deletion;
import io.fairlead.client.Interest;
import io.fairlead.yaml.Yaml;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A Deployment and its Service, whose pods are replaced one after the other.
///
/// Its program is the rudest there can be: SIGTERM ends it at once, in the middle of an answer, with connections in its
/// queue. Nothing is lost all the same only if no client comes any more when the signal does.
final class Rollout {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String ROUND = "round";
    private static final String PROGRAM = """
        use IO::Socket::INET;
        $SIG{TERM} = sub { exit 143 };
        my $s = IO::Socket::INET->new(LocalPort => 8080, Listen => 1024, ReuseAddr => 1) or die $!;
        while (my $c = $s->accept) {
            sysread $c, my $request, 4096;
            print $c "HTTP/1.1 200 OK\\r\\nConnection: close\\r\\n\\r\\npod: $ENV{HOSTNAME}\\n";
            close $c;
        }
        """;

    private final ApiClient client;
    private final String name;
    private final int pods;
    private int round;

    private Rollout(ApiClient client, String name, int pods) {
        this.client = client;
        this.name = name;
        this.pods = pods;
    }

    /// Creates both, and waits until every pod is ready.
    static Rollout create(RunningCluster cluster, String name, int pods) throws InterruptedException {
        Rollout rollout = new Rollout(cluster.client(), name, pods);
        rollout.client.create(Kind.DEPLOYMENT, rollout.deployment());
        rollout.client.create(Kind.SERVICE, tree("""
            apiVersion: v1
            kind: Service
            metadata: {namespace: default, name: %1$s}
            spec: {type: NodePort, selector: {app: %1$s}, ports: [{port: 80, targetPort: 8080}]}
            """.formatted(name)));
        await().atMost(PATIENCE).until(rollout::isComplete);
        return rollout;
    }

    /// Replaces every pod, and waits until the last of the old ones is gone.
    void roll() throws InterruptedException {
        beginRoll();
        await().atMost(PATIENCE).until(this::isComplete);
    }

    /// Has every pod replaced.
    void beginRoll() throws InterruptedException {
        round++;
        JsonNode patch = Json.parse("{\"spec\": {\"template\": {\"metadata\": {\"annotations\": {\"%s\": \"%d\"}}}}}"
                .formatted(ROUND, round));
        client.mergePatch(Kind.DEPLOYMENT, key(), patch);
    }

    void scale(int replicas) throws InterruptedException {
        client.mergePatch(Kind.DEPLOYMENT, key(), Json.parse("{\"spec\": {\"replicas\": %d}}".formatted(replicas)));
    }

    /// Its pods that are not being deleted, by name.
    List<String> podNames() throws InterruptedException {
        return pods().stream()
                .filter(pod -> !pod.metadata().isTerminating())
                .map(pod -> pod.key().name())
                .sorted()
                .toList();
    }

    IpPort vip() throws InterruptedException {
        Service service = service();
        return new IpPort(
                service.clusterIps().getFirst(), service.ports().getFirst().port());
    }

    int nodePort() throws InterruptedException {
        return service().ports().getFirst().nodePort();
    }

    /// Asks for the deletion of both; the pods go with their owner.
    void delete() throws InterruptedException {
        client.delete(Kind.SERVICE, key(), Deletion.DEFAULT);
        client.delete(Kind.DEPLOYMENT, key(), Deletion.DEFAULT);
    }

    private boolean isComplete() throws InterruptedException {
        List<Pod> all = pods();
        return all.size() == pods
                && all.stream().allMatch(pod -> pod.status().ready() && isOfThisRound(pod))
                && slicesShow(all);
    }

    private List<Pod> pods() throws InterruptedException {
        return client.list(Interest.labelled(Kind.POD, "app=" + name), "default")
                .path("items")
                .valueStream()
                .map(Pod::of)
                .toList();
    }

    private boolean isOfThisRound(Pod pod) {
        return pod.metadata().annotations().getOrDefault(ROUND, "").equals(Integer.toString(round));
    }

    private boolean slicesShow(List<Pod> all) throws InterruptedException {
        return client.list(Interest.labelled(Kind.ENDPOINT_SLICE, "kubernetes.io/service-name=" + name), "default")
                        .path("items")
                        .valueStream()
                        .flatMap(slice -> slice.path("endpoints").valueStream())
                        .filter(endpoint -> Json.flag(endpoint, false, "conditions", "ready"))
                        .count()
                >= all.size();
    }

    Service service() throws InterruptedException {
        return Service.of(client.get(Kind.SERVICE, key()));
    }

    NamespacedName key() {
        return new NamespacedName("default", name);
    }

    private ObjectNode deployment() {
        ObjectNode deployment = tree("""
            apiVersion: apps/v1
            kind: Deployment
            metadata: {namespace: default, name: %1$s}
            spec:
              replicas: %2$d
              minReadySeconds: %4$d
              selector: {matchLabels: {app: %1$s}}
              template:
                metadata: {labels: {app: %1$s}, annotations: {%3$s: "0"}}
                spec:
                  containers:
                    - name: main
                      image: fairlead/echo
                      ports: [{containerPort: 8080}]
                      readinessProbe: {tcpSocket: {port: 8080}, periodSeconds: 1}
            """.formatted(name, pods, ROUND, Integer.getInteger("rolling.minReady", 0)));
        ObjectNode container = (ObjectNode) deployment.at("/spec/template/spec/containers/0");
        container.putArray("command").add("perl").add("-e").add(PROGRAM);
        return deployment;
    }

    private static ObjectNode tree(String yaml) {
        return (ObjectNode) Yaml.parseAll(yaml).getFirst();
    }
}
