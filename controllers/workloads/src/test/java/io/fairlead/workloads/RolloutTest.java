package io.fairlead.workloads;

import static io.fairlead.fakes.Manifests.deployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Deployment;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.ReplicaSet;
import io.fairlead.fakes.Manifests;
import io.fairlead.fakes.MemoryCluster;
import io.fairlead.placement.PodScheduler;
import io.fairlead.runner.Controller;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A Deployment as its users see it: how it gets from one template to the next, and what it says meanwhile.
class RolloutTest {
    private final List<Controller> workload =
            List.of(new DeploymentController(), new ReplicaSetController(), new PodScheduler());
    private final MemoryCluster cluster = new MemoryCluster();
    private NamespacedName web = new NamespacedName("default", "web");

    private void start(int replicas, String more) {
        cluster.put(Manifests.node("n1", "a"));
        cluster.put(deployment("web", replicas, "one").replace("\"selector\"", more + "\"selector\""));
        finish();
    }

    private void finish() {
        for (int i = 0; i < 40; i++) {
            cluster.settle(workload);
            cluster.runPods();
        }
    }

    private void patch(String patch) {
        cluster.patch(Kind.DEPLOYMENT, web, patch);
    }

    private List<Pod> alive() {
        return cluster.snapshot()
                .pods()
                .values()
                .filter(pod -> !pod.metadata().isTerminating())
                .toList();
    }

    private Map<String, Integer> sizes() {
        Map<String, Integer> sizes = new TreeMap<>();
        for (ReplicaSet set : sets()) {
            sizes.put(Pod.of(set.template()).spec().containers().getFirst().image(), set.replicas());
        }
        return sizes;
    }

    private List<ReplicaSet> sets() {
        return cluster.snapshot()
                .replicaSets()
                .values()
                .sorted(Comparator.comparing(set -> set.metadata().creationTimestamp()))
                .toList();
    }

    private String condition(String field) {
        JsonNode status = cluster.find(Kind.DEPLOYMENT, web).path("status");
        return Json.text(WorkloadCondition.find(status, "Progressing").orElseThrow(), field);
    }

    private List<String> revisions() {
        return sets().stream()
                .map(set -> set.metadata().annotations().get(ReplicaSetTree.REVISION))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "10, '\"30%\"', '\"20%\"'",
        "10, 3, 0",
        "10, 0, 3",
        "1, '\"25%\"', '\"25%\"'",
        "3, 0, '\"10%\"'",
        "7, '\"100%\"', '\"100%\"'"
    })
    void a_rolling_update_stays_between_its_bounds_all_the_time(int replicas, String surge, String unavailable) {
        start(
                replicas,
                "\"strategy\":{\"rollingUpdate\":{\"maxSurge\":%s,\"maxUnavailable\":%s}},"
                        .formatted(surge, unavailable));
        Deployment.Strategy strategy =
                cluster.snapshot().deployments().find(web).orElseThrow().strategy();
        patch(Manifests.image("two"));
        Random random = new Random(replicas);
        for (int step = 0; step < 400; step++) {
            cluster.settle(workload);
            List<NamespacedName> pods = cluster.names(Kind.POD);
            cluster.runPod(pods.get(random.nextInt(pods.size())));
            assertThat(alive().size()).isLessThanOrEqualTo(replicas + strategy.surge(replicas));
            assertThat(Statuses.ready(alive())).isGreaterThanOrEqualTo(replicas - strategy.unavailable(replicas));
        }
        assertThat(sizes()).isEqualTo(Map.of("one", 0, "two", replicas));
        assertThat(condition("reason")).isEqualTo("NewReplicaSetAvailable");
    }

    @Test
    void a_recreate_starts_nothing_new_before_the_last_old_pod_is_gone() {
        start(3, "\"strategy\":{\"type\":\"Recreate\"},");
        patch(Manifests.image("two"));
        cluster.settle(workload);
        assertThat(sizes()).isEqualTo(Map.of("one", 0));
        List<NamespacedName> pods = cluster.names(Kind.POD);
        cluster.runPod(pods.get(0));
        cluster.runPod(pods.get(1));
        cluster.settle(workload);
        assertThat(sizes()).isEqualTo(Map.of("one", 0));
        var before = cluster.snapshot();
        cluster.runPod(pods.get(2));
        assertThat(new DeploymentController().changed(before, cluster.snapshot()))
                .contains(web);
        finish();
        assertThat(sizes()).isEqualTo(Map.of("one", 0, "two", 3));
        assertThat(Statuses.ready(alive())).isEqualTo(3);
    }

    @Test
    void a_pod_counts_as_available_only_after_min_ready_seconds() {
        start(2, "\"minReadySeconds\":30,\"strategy\":{\"rollingUpdate\":{\"maxSurge\":1,\"maxUnavailable\":0}},");
        cluster.pass(Duration.ofSeconds(29));
        cluster.settle(workload);
        assertThat(condition("reason")).isNotEqualTo("NewReplicaSetAvailable");
        assertThat(new ReplicaSetController().nextLook(sets().getFirst().key(), cluster.snapshot(), cluster.moment()))
                .contains(Duration.ofSeconds(1));
        cluster.pass(Duration.ofSeconds(1));
        cluster.settle(workload);
        assertThat(condition("reason")).isEqualTo("NewReplicaSetAvailable");
        patch(Manifests.image("two"));
        finish();
        assertThat(sizes()).isEqualTo(Map.of("one", 2, "two", 1));
        cluster.pass(Duration.ofSeconds(30));
        finish();
        assertThat(sizes()).isEqualTo(Map.of("one", 1, "two", 2));
        cluster.pass(Duration.ofSeconds(30));
        finish();
        assertThat(sizes()).isEqualTo(Map.of("one", 0, "two", 2));
    }

    @Test
    void each_rollout_has_a_number_and_going_back_gives_the_old_set_a_new_one() {
        start(1, "");
        assertThat(revisions()).containsExactly("1");
        patch("{\"metadata\":{\"annotations\":{\"kubernetes.io/change-cause\":\"better\"}}}");
        patch(Manifests.image("two"));
        finish();
        assertThat(revisions()).containsExactly("1", "2");
        assertThat(sets().getLast().metadata().annotations()).containsEntry("kubernetes.io/change-cause", "better");
        // As kubectl rollout undo does it: the template of the old set, parsed and printed again.
        JsonNode template = sets().getFirst().template().deepCopy();
        ((ObjectNode) template.path("metadata")).putNull("creationTimestamp");
        ((ObjectNode) template.path("metadata").path("labels")).remove("pod-template-hash");
        ((ObjectNode) template.path("spec").path("containers").get(0)).putObject("resources");
        var undone = Json.object();
        undone.putObject("spec").set("template", template);
        cluster.patch(Kind.DEPLOYMENT, web, undone);
        finish();
        assertThat(revisions()).containsExactly("3", "2");
        assertThat(sizes()).isEqualTo(Map.of("one", 1, "two", 0));
        assertThat(sets().getFirst().metadata().annotations())
                .containsEntry("deployment.kubernetes.io/revision-history", "1");
        assertThat(Json.map(cluster.find(Kind.DEPLOYMENT, web), "metadata", "annotations"))
                .containsEntry(ReplicaSetTree.REVISION, "3");
    }

    @Test
    void the_history_is_as_long_as_its_limit() {
        start(1, "\"revisionHistoryLimit\":2,");
        for (int i = 0; i < 5; i++) {
            patch(Manifests.image("v" + i));
            finish();
        }
        assertThat(sizes()).containsOnlyKeys("v2", "v3", "v4");
    }

    @Test
    void a_paused_deployment_rolls_out_nothing_but_can_be_scaled() {
        start(2, "");
        patch("{\"spec\":{\"paused\":true}}");
        patch(Manifests.image("two"));
        finish();
        assertThat(sizes()).isEqualTo(Map.of("one", 2));
        assertThat(condition("reason")).isEqualTo("DeploymentPaused");
        patch("{\"spec\":{\"replicas\":5}}");
        finish();
        assertThat(sizes()).isEqualTo(Map.of("one", 5));
        patch("{\"spec\":{\"paused\":false}}");
        finish();
        assertThat(sizes()).isEqualTo(Map.of("one", 0, "two", 5));
        assertThat(condition("reason")).isEqualTo("NewReplicaSetAvailable");
    }

    @Test
    void a_rollout_that_gets_nowhere_is_said_to_be_late_and_no_longer_when_it_gets_on() {
        start(4, "\"progressDeadlineSeconds\":60,");
        patch("{\"spec\":{\"template\":{\"spec\":{\"nodeSelector\":{\"disk\":\"ssd\"}}}}}");
        finish();
        assertThat(condition("status")).isEqualTo("True");
        assertThat(new DeploymentController().nextLook(web, cluster.snapshot(), cluster.moment()))
                .contains(Duration.ofSeconds(60));
        cluster.pass(Duration.ofSeconds(60));
        cluster.settle(workload);
        assertThat(condition("status")).isEqualTo("False");
        assertThat(condition("reason")).isEqualTo("ProgressDeadlineExceeded");
        assertThat(new DeploymentController().nextLook(web, cluster.snapshot(), cluster.moment()))
                .isEmpty();
        cluster.patch(Kind.NODE, new NamespacedName("", "n1"), "{\"metadata\":{\"labels\":{\"disk\":\"ssd\"}}}");
        finish();
        assertThat(condition("reason")).isEqualTo("NewReplicaSetAvailable");
    }

    @Test
    void scaling_in_the_middle_of_a_rollout_shares_the_change_among_the_sets() {
        assertThat(ProportionalScale.of(List.of(8, 5), 26, 13)).containsExactly(16, 10);
        assertThat(ProportionalScale.of(List.of(8, 5), 7, 13)).containsExactly(4, 3);
        assertThat(ProportionalScale.of(List.of(5, 8), 0, 13)).containsExactly(0, 0);
        assertThat(ProportionalScale.of(List.of(0, 3), 9, 3)).containsExactly(0, 9);
        Random random = new Random(3);
        for (int i = 0; i < 1000; i++) {
            List<Integer> sizes = List.of(random.nextInt(20), 1 + random.nextInt(20), random.nextInt(20));
            int most = random.nextInt(60);
            List<Integer> scaled = ProportionalScale.of(
                    sizes, most, sizes.stream().mapToInt(n -> n).sum());
            assertThat(scaled.stream().mapToInt(n -> n).sum()).isEqualTo(most);
            assertThat(scaled).allMatch(n -> n >= 0);
        }
    }

    @Test
    void a_rollout_that_waits_is_as_far_on_after_it_was_scaled() {
        start(10, "\"strategy\":{\"rollingUpdate\":{\"maxSurge\":3,\"maxUnavailable\":2}},");
        patch(
                "{\"spec\":{\"template\":{\"spec\":{\"nodeSelector\":{\"disk\":\"ssd\"},\"containers\":[{\"name\":\"c\",\"image\":\"two\"}]}}}}");
        finish();
        assertThat(sizes()).isEqualTo(Map.of("one", 8, "two", 5));
        patch("{\"spec\":{\"replicas\":15}}");
        cluster.settle(workload);
        assertThat(sizes()).isEqualTo(Map.of("one", 11, "two", 7));
    }
}
