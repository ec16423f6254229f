package io.fairlead.workloads;

import static io.fairlead.fakes.Manifests.deployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.ReplicaSet;
import io.fairlead.fakes.Manifests;
import io.fairlead.fakes.MemoryCluster;
import io.fairlead.placement.PodScheduler;
import io.fairlead.runner.Controller;
import io.fairlead.workloads.RollingUpdate.Size;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class DeploymentControllerTest {
    private final Controller controller = new DeploymentController();
    private final List<Controller> workload = List.of(controller, new ReplicaSetController(), new PodScheduler());
    private final MemoryCluster cluster = new MemoryCluster();
    private final NamespacedName web = cluster.put(deployment("web", 4, "one"));

    private List<ReplicaSet> sets() {
        return cluster.snapshot().replicaSets().values().toList();
    }

    private void template(String image) {
        cluster.patch(
                Kind.DEPLOYMENT,
                web,
                "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"%s\"}]}}}}"
                        .formatted(image));
    }

    private long readyPods() {
        return cluster.snapshot()
                .pods()
                .values()
                .filter(pod -> pod.status().ready() && !pod.metadata().isTerminating())
                .count();
    }

    @Test
    void a_deployment_has_a_replica_set_named_by_its_template() {
        cluster.settle(controller);
        assertThat(sets()).hasSize(1);
        ReplicaSet set = sets().getFirst();
        var selector = Json.map(set.selector().tree(), "matchLabels");
        String hash = selector.get("pod-template-hash");
        assertThat(hash).hasSize(10);
        assertThat(set.key().name()).isEqualTo("web-" + hash);
        assertThat(selector).containsEntry("app", "web");
        assertThat(Json.map(set.template(), "metadata", "labels"))
                .containsEntry("app", "web")
                .containsEntry("pod-template-hash", hash);
        assertThat(set.replicas()).isEqualTo(4);
        assertThat(set.metadata().owners().getFirst().uid())
                .isEqualTo(Json.text(cluster.find(Kind.DEPLOYMENT, web), "metadata", "uid"));
    }

    @Test
    void the_order_of_fields_does_not_change_the_hash_but_any_value_does() {
        JsonNode one = Json.parse("{\"a\":1,\"b\":[{\"x\":1,\"y\":2}]}");
        assertThat(TemplateHash.of(Json.parse("{\"b\":[{\"y\":2,\"x\":1}],\"a\":1}")))
                .isEqualTo(TemplateHash.of(one));
        assertThat(TemplateHash.of(Json.parse("{\"b\":[{\"y\":2,\"x\":2}],\"a\":1}")))
                .isNotEqualTo(TemplateHash.of(one));
        assertThat(TemplateHash.of(Json.parse("{\"b\":[{\"x\":1},{\"y\":2}],\"a\":1}")))
                .isNotEqualTo(TemplateHash.of(Json.parse("{\"b\":[{\"y\":2},{\"x\":1}],\"a\":1}")));
    }

    @Test
    void scaling_goes_to_the_replica_set() {
        cluster.settle(controller);
        cluster.patch(Kind.DEPLOYMENT, web, "{\"spec\":{\"replicas\":7}}");
        cluster.settle(controller);
        assertThat(sets()).extracting(ReplicaSet::replicas).containsExactly(7);
    }

    @Test
    void a_new_template_replaces_the_pods_and_enough_stay_ready_all_the_time() {
        rollOut();
        assertThat(readyPods()).isEqualTo(4);
        template("two");
        Random random = new Random(5);
        for (int step = 0; step < 200; step++) {
            cluster.settle(workload);
            List<NamespacedName> pods = cluster.names(Kind.POD);
            if (!pods.isEmpty()) {
                cluster.runPod(pods.get(random.nextInt(pods.size())));
            }
            assertThat(readyPods()).isGreaterThanOrEqualTo(3);
            long alive = cluster.snapshot()
                    .pods()
                    .values()
                    .filter(pod -> !pod.metadata().isTerminating())
                    .count();
            assertThat(alive).isLessThanOrEqualTo(5);
        }
        assertThat(cluster.snapshot().pods().values())
                .hasSize(4)
                .allMatch(pod -> image(pod).equals("two") && pod.status().ready());
        assertThat(sets()).extracting(ReplicaSet::replicas).containsExactlyInAnyOrder(0, 4);
        JsonNode status = cluster.find(Kind.DEPLOYMENT, web).path("status");
        assertThat(Json.number(status, -1, "updatedReplicas")).isEqualTo(4);
        assertThat(Json.number(status, -1, "unavailableReplicas")).isZero();
        assertThat(Json.text(status.path("conditions").get(0), "status")).isEqualTo("True");
    }

    private static String image(Pod pod) {
        return pod.spec().containers().getFirst().image();
    }

    @Test
    void going_back_to_an_old_template_uses_its_replica_set_again() {
        rollOut();
        NamespacedName first = sets().getFirst().key();
        template("two");
        rollOut();
        template("one");
        rollOut();
        assertThat(sets()).hasSize(2);
        assertThat(cluster.snapshot().replicaSets().find(first).orElseThrow().replicas())
                .isEqualTo(4);
    }

    @Test
    void ten_empty_replica_sets_stay_as_history() {
        for (int i = 0; i < 15; i++) {
            template("v" + i);
            rollOut();
        }
        assertThat(sets()).hasSize(11);
        assertThat(sets()).extracting(ReplicaSet::replicas).containsOnlyOnce(4);
    }

    private void rollOut() {
        if (cluster.names(Kind.NODE).isEmpty()) {
            cluster.put(Manifests.node("n1", "a"));
        }
        for (int i = 0; i < 20; i++) {
            cluster.settle(workload);
            cluster.runPods();
        }
    }

    @Test
    void pods_that_never_get_ready_do_not_cost_the_old_ones() {
        RollingUpdate stuck = new RollingUpdate(quarter(4), new Size(2, 0), List.of(new Size(3, 3)));
        assertThat(stuck.freshReplicas()).isEqualTo(2);
        assertThat(stuck.oldReplicas()).containsExactly(3);
    }

    @Test
    void old_pods_that_are_of_no_use_go_first_and_at_once() {
        RollingUpdate update = new RollingUpdate(quarter(4), new Size(1, 0), List.of(new Size(2, 2), new Size(2, 0)));
        assertThat(update.oldReplicas()).containsExactly(2, 1);
    }

    @Test
    void a_rollout_of_any_size_comes_to_its_end() {
        Random random = new Random(9);
        for (int round = 0; round < 500; round++) {
            int replicas = random.nextInt(12);
            Size fresh = new Size(0, 0);
            List<Size> old = List.of(size(random), size(random));
            for (int step = 0; step < 60; step++) {
                RollingUpdate update = new RollingUpdate(quarter(replicas), fresh, old);
                int wanted = update.freshReplicas();
                fresh = new Size(wanted, wanted); // in the end every pod gets ready
                old = update.oldReplicas().stream().map(n -> new Size(n, n)).toList();
            }
            assertThat(fresh.wanted()).isEqualTo(replicas);
            assertThat(old).containsOnly(new Size(0, 0));
        }
    }

    /// A quarter more at most, rounded up, and a quarter fewer, rounded down.
    private static RollingUpdate.Bounds quarter(int replicas) {
        return new RollingUpdate.Bounds(replicas, replicas - replicas / 4, replicas + (replicas + 3) / 4);
    }

    private static Size size(Random random) {
        int wanted = random.nextInt(10);
        return new Size(wanted, random.nextInt(wanted + 1));
    }
}
