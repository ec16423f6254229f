package io.fairlead.dist;

import static io.fairlead.dist.Workbench.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.testkit.RequiresRoot;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/// Workloads behind Services on one real cluster, driven by kubectl: what is tested beside rollouts, drains and a node
/// that is cut off is in the interfaces.
@RequiresRoot
final class WorkloadsIT implements DocumentManifests, OrderedPods, PodsOfEachNode, PodsInHand {
    private static Workbench bench;

    @BeforeAll
    static void up() throws Exception {
        bench = Workbench.up("flwork");
    }

    @AfterAll
    static void down() throws Exception {
        if (bench != null) {
            bench.cluster().end();
        }
    }

    @Override
    public Workbench bench() {
        return bench;
    }

    @Test
    @ResourceLock(BesideOthers.NODES)
    void kubectl_rolls_out_undoes_scales_and_drains() throws Exception {
        bench.run("create deployment web --image=fairlead/echo --port=8080 --replicas=3");
        bench.run("rollout status deployment web --timeout=90s");
        bench.run("expose deployment web --port=80 --target-port=8080");
        bench.run("set env deployment web COLOUR=blue");
        assertThat(bench.run("rollout status deployment web --timeout=90s")).contains("successfully rolled out");
        bench.run("rollout undo deployment web");
        bench.run("rollout status deployment web --timeout=90s");
        assertThat(bench.field("deployment web", ".spec.template.spec.containers[0].env"))
                .isEmpty();
        assertThat(bench.run("rollout history deployment web"))
                .contains("2")
                .contains("3")
                .doesNotContain("\n1 ");
        bench.run("rollout pause deployment web");
        bench.run("scale deployment web --replicas=4");
        bench.run("rollout resume deployment web");
        bench.run("rollout restart deployment web");
        bench.run("rollout status deployment web --timeout=90s");
        soon(() ->
                assertThat(bench.podsBehind("web", 80)).hasSizeGreaterThan(1).allMatch(pod -> pod.startsWith("web-")));
        bench.run("drain node-3 --ignore-daemonsets --force --delete-emptydir-data --grace-period=1 --timeout=90s");
        assertThat(bench.run("get nodes")).contains("Ready,SchedulingDisabled");
        assertThat(bench.run("describe node node-3")).contains("node.kubernetes.io/unschedulable:NoSchedule");
        bench.run("rollout status deployment web --timeout=90s");
        assertThat(bench.field("pods -l app=web", ".items[*].spec.nodeName")).doesNotContain("node-3");
        bench.run("uncordon node-3");
        bench.run("delete deployment,service web --grace-period=1");
    }

    @Test
    void events_say_what_became_of_the_pods_of_a_deployment() throws Exception {
        bench.run("create namespace told");
        bench.run("create quota few --hard=pods=1 -n told");
        soon(() -> assertThat(bench.run("get quota few -n told -o jsonpath={.status.hard.pods}"))
                .isEqualTo("1"));
        bench.run("create deployment web -n told --image=fairlead/echo --port=8080 --replicas=2");
        soon(() -> assertThat(reasons("replicaset")).contains("SuccessfulCreate", "FailedCreate"));
        soon(() -> assertThat(reasons("pod")).contains("Scheduled", "Created", "Started"));
        bench.run("scale deployment web -n told --replicas=0");
        soon(() -> assertThat(reasons("pod")).contains("Killing"));
        bench.run("delete namespace told");
    }

    private static String reasons(String kind) throws Exception {
        return bench.run("get events -n told -o custom-columns=KIND:.involvedObject.kind,REASON:.reason")
                .lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(kind + " "))
                .collect(Collectors.joining("\n"));
    }

    @Test
    @ResourceLock(BesideOthers.NODES)
    void the_pods_of_a_node_that_is_cut_off_leave_and_come_back_and_nothing_starts_twice() throws Exception {
        bench.run("create deployment steady --image=fairlead/echo --port=8080 --replicas=3");
        bench.run("rollout status deployment steady --timeout=90s");
        bench.run("expose deployment steady --port=80 --target-port=8080");
        Set<String> pods = bench.podNames("steady");
        bench.cluster().cable("node-2", false);
        soon(() -> assertThat(bench.field("node node-2", ".status.conditions[?(@.type==\"Ready\")].status"))
                .isEqualTo("Unknown"));
        soon(() -> assertThat(bench.field("endpoints steady", ".subsets[0].addresses[*].nodeName"))
                .doesNotContain("node-2")
                .isNotEmpty());
        assertThat(bench.podNames("steady")).as("no pod is moved so soon").isEqualTo(pods);
        bench.cluster().cable("node-2", true);
        soon(() -> assertThat(bench.field("endpoints steady", ".subsets[0].addresses[*].nodeName")
                        .split(" "))
                .hasSize(3));
        assertThat(bench.podNames("steady")).isEqualTo(pods);
        assertThat(bench.field("pods -l app=steady", ".items[*].status.containerStatuses[0].restartCount"))
                .isEqualTo("0 0 0");
        assertThat(bench.field("node node-2", ".spec.taints")).isEmpty();
    }
}
