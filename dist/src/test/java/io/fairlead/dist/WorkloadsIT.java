package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.dist.Traffic.Answer;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.testkit.RequiresRoot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Workloads behind Services on a real cluster, driven by kubectl: the manifests of the documents as printed, rollouts,
/// drains, and a node that is cut off.
@RequiresRoot
final class WorkloadsIT {
    private static final Path DOCUMENTS = Repository.here().root().resolve("docs/examples/documents");
    private static RunningCluster cluster;
    private static Kubectl kubectl;

    @BeforeAll
    static void up() throws Exception {
        cluster = RunningCluster.up("flwork");
        cluster.createClientPods();
        kubectl = new Kubectl(cluster.dir().resolve("kubectl/config"));
        Files.createDirectories(kubectl.kubeconfig().getParent());
        Files.copy(cluster.dir().resolve("kubeconfig"), kubectl.kubeconfig());
    }

    @AfterAll
    static void down() throws Exception {
        if (cluster != null) {
            cluster.end();
        }
    }

    private static void create(String document) throws Exception {
        kubectl.run("create -f " + DOCUMENTS.resolve(document));
    }

    private static void soon(ThrowingRunnable condition) {
        await().atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(condition);
    }

    private static String field(String object, String path) throws Exception {
        return kubectl.run("get %s -o jsonpath={%s}".formatted(object, path));
    }

    private static Set<String> podsBehind(NetworkNamespace from, IpPort address) {
        return Traffic.send(from, address, 12).stream()
                .map(answer -> answer instanceof Answer.From(String pod, var _) ? pod : answer.toString())
                .collect(Collectors.toSet());
    }

    private static Set<String> podsBehind(String service, int port) throws Exception {
        IpPort vip = new IpPort(Ip.parse(field("service " + service, ".spec.clusterIP")), port);
        return podsBehind(cluster.clientPod("node-1"), vip);
    }

    @Test
    void the_echoserver_of_the_documents_runs_as_printed_and_keeps_its_address_as_a_node_port() throws Exception {
        create("deploy-echoserver.yml");
        create("service-echoserver.yml");
        kubectl.run("rollout status deployment echoserver --timeout=90s");
        soon(() -> assertThat(podsBehind("svc-echoserver", 8080)).hasSize(2).allMatch(p -> p.contains("echoserver")));
        assertThat(field("endpoints svc-echoserver", ".subsets[0].addresses[*].ip")
                        .split(" "))
                .hasSize(2);
        String vip = field("service svc-echoserver", ".spec.clusterIP");
        kubectl.run("replace -f " + DOCUMENTS.resolve("service-echoserver-nodeport.yml"));
        assertThat(field("service svc-echoserver", ".spec.clusterIP")).isEqualTo(vip);
        int port = Integer.parseInt(field("service svc-echoserver", ".spec.ports[0].nodePort"));
        soon(() -> assertThat(podsBehind(
                        cluster.outside(), new IpPort(cluster.nodeIps().getLast(), port)))
                .hasSize(2)
                .allMatch(pod -> pod.contains("echoserver")));
        // The session of the documents, in one line: the variables lead to the Service.
        String session = "[ $SVC_ECHOSERVER_SERVICE_HOST:$SVC_ECHOSERVER_SERVICE_PORT = %s:8080 ]".formatted(vip);
        kubectl.run(List.of("run", "busybox", "--image=busybox", "--restart=Never", "--", "sh", "-c", session));
        soon(() -> assertThat(field("pod busybox", ".status.phase")).isEqualTo("Succeeded"));
    }

    @Test
    void hello_service_and_the_nginx_services_run_as_printed() throws Exception {
        create("hello-pods.yaml");
        create("hello-service.yaml");
        create("hello-service2.yaml");
        kubectl.run("create namespace dev");
        kubectl.run("create deployment nginx-pod --image=nginx -n dev");
        List.of("service-headliness.yaml", "service-nodeport.yaml", "service-externalname.yaml")
                .forEach(name -> {
                    try {
                        create(name);
                    } catch (Exception e) {
                        throw new AssertionError(name, e);
                    }
                });
        soon(() -> assertThat(podsBehind("HelloService", 12345)).hasSize(2).allMatch(p -> p.contains("hello-pods")));
        soon(() -> assertThat(podsBehind("HelloService2", 23456)).hasSize(2).allMatch(p -> p.contains("hello-pods")));
        soon(() -> assertThat(podsBehind(
                        cluster.outside(), new IpPort(cluster.nodeIps().getFirst(), 30002)))
                .allMatch(pod -> pod.contains("nginx-pod")));
        assertThat(kubectl.run("describe service service-nodeport -n dev")).contains("NodePort:", "30002/TCP");
        assertThat(field("service service-headliness -n dev", ".spec.clusterIP"))
                .isEqualTo("None");
    }

    @Test
    void kubectl_rolls_out_undoes_scales_and_drains() throws Exception {
        kubectl.run("create deployment web --image=fairlead/echo --port=8080 --replicas=3");
        kubectl.run("rollout status deployment web --timeout=90s");
        kubectl.run("expose deployment web --port=80 --target-port=8080");
        kubectl.run("set env deployment web COLOUR=blue");
        assertThat(kubectl.run("rollout status deployment web --timeout=90s")).contains("successfully rolled out");
        kubectl.run("rollout undo deployment web");
        kubectl.run("rollout status deployment web --timeout=90s");
        assertThat(field("deployment web", ".spec.template.spec.containers[0].env"))
                .isEmpty();
        assertThat(kubectl.run("rollout history deployment web"))
                .contains("2")
                .contains("3")
                .doesNotContain("\n1 ");
        kubectl.run("rollout pause deployment web");
        kubectl.run("scale deployment web --replicas=4");
        kubectl.run("rollout resume deployment web");
        kubectl.run("rollout restart deployment web");
        kubectl.run("rollout status deployment web --timeout=90s");
        soon(() -> assertThat(podsBehind("web", 80)).hasSizeGreaterThan(1).allMatch(pod -> pod.startsWith("web-")));
        kubectl.run("drain node-3 --ignore-daemonsets --force --delete-emptydir-data --grace-period=1 --timeout=90s");
        assertThat(kubectl.run("get nodes")).contains("Ready,SchedulingDisabled");
        assertThat(kubectl.run("describe node node-3")).contains("node.kubernetes.io/unschedulable:NoSchedule");
        kubectl.run("rollout status deployment web --timeout=90s");
        assertThat(field("pods -l app=web", ".items[*].spec.nodeName")).doesNotContain("node-3");
        kubectl.run("uncordon node-3");
        kubectl.run("delete deployment,service web --grace-period=1");
    }

    @Test
    void the_pods_of_a_node_that_is_cut_off_leave_and_come_back_and_nothing_starts_twice() throws Exception {
        kubectl.run("create deployment steady --image=fairlead/echo --port=8080 --replicas=3");
        kubectl.run("rollout status deployment steady --timeout=90s");
        kubectl.run("expose deployment steady --port=80 --target-port=8080");
        Set<String> pods = podNames("steady");
        cable("node-2", "down");
        soon(() -> assertThat(field("node node-2", ".status.conditions[?(@.type==\"Ready\")].status"))
                .isEqualTo("Unknown"));
        soon(() -> assertThat(field("endpoints steady", ".subsets[0].addresses[*].nodeName"))
                .doesNotContain("node-2")
                .isNotEmpty());
        assertThat(podNames("steady")).as("nobody is moved so soon").isEqualTo(pods);
        cable("node-2", "up");
        soon(() -> assertThat(field("endpoints steady", ".subsets[0].addresses[*].nodeName")
                        .split(" "))
                .hasSize(3));
        assertThat(podNames("steady")).isEqualTo(pods);
        assertThat(field("pods -l app=steady", ".items[*].status.containerStatuses[0].restartCount"))
                .isEqualTo("0 0 0");
        assertThat(field("node node-2", ".spec.taints")).isEmpty();
    }

    /// Takes the cable of a node out of the switch, or puts it back: its own end of it keeps addresses and routes.
    private static void cable(String node, String state) throws Exception {
        ProcessBuilder command = new ProcessBuilder("ip", "link", "set", node, state);
        assertThat(NetworkNamespace.find("flwork").orElseThrow().start(command).waitFor())
                .isZero();
    }

    private static Set<String> podNames(String app) throws Exception {
        return Set.of(field("pods -l app=" + app, ".items[*].metadata.name").split(" "));
    }
}
