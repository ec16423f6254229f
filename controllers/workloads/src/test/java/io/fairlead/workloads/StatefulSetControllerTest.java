package io.fairlead.workloads;

import static io.fairlead.fakes.Manifests.statefulSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.StatefulSet;
import io.fairlead.fakes.Manifests;
import io.fairlead.fakes.MemoryCluster;
import io.fairlead.placement.PodScheduler;
import io.fairlead.runner.Controller;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class StatefulSetControllerTest {
    private final List<Controller> workload = List.of(new StatefulSetController(), new PodScheduler());
    private final MemoryCluster cluster = new MemoryCluster();
    private final NamespacedName db = new NamespacedName("default", "db");

    private void start(int replicas, String more) {
        cluster.put(Manifests.node("n1", "a"));
        cluster.put(statefulSet("db", replicas, "one").replace("\"selector\"", more + "\"selector\""));
        cluster.settle(workload);
    }

    private void finish() {
        for (int i = 0; i < 30; i++) {
            step();
        }
    }

    private void step() {
        cluster.runPods();
        cluster.settle(workload);
    }

    private void patch(String patch) {
        cluster.patch(Kind.STATEFUL_SET, db, patch);
    }

    /// Each pod with its image; `-` marks one that is to end.
    private Map<String, String> pods() {
        Map<String, String> pods = new TreeMap<>();
        cluster.snapshot()
                .pods()
                .forEach((name, pod) -> pods.put(
                        name.name(),
                        (pod.metadata().isTerminating() ? "-" : "")
                                + pod.spec().containers().getFirst().image()));
        return pods;
    }

    private JsonNode status() {
        return cluster.find(Kind.STATEFUL_SET, db).path("status");
    }

    @Test
    void pods_come_one_after_the_other_each_when_the_one_before_it_is_ready() {
        start(3, "");
        assertThat(pods()).containsOnlyKeys("db-0");
        cluster.settle(workload);
        assertThat(pods()).containsOnlyKeys("db-0");
        step();
        assertThat(pods()).containsOnlyKeys("db-0", "db-1");
        step();
        assertThat(pods()).containsOnlyKeys("db-0", "db-1", "db-2");
        step();
        assertThat(Json.number(status(), 0, "readyReplicas")).isEqualTo(3);
        assertThat(Json.number(status(), 0, "currentReplicas")).isEqualTo(3);
    }

    @Test
    void in_parallel_they_come_and_go_together() {
        start(3, "\"podManagementPolicy\":\"Parallel\",");
        assertThat(pods()).hasSize(3);
        finish();
        patch("{\"spec\":{\"replicas\":0}}");
        cluster.settle(workload);
        assertThat(pods().values()).containsOnly("-one").hasSize(3);
    }

    @Test
    void a_pod_has_its_name_as_hostname_under_the_service() {
        start(1, "\"ordinals\":{\"start\":5},");
        ObjectNode pod = cluster.find(Kind.POD, new NamespacedName("default", "db-5"));
        assertThat(Json.text(pod, "spec", "hostname")).isEqualTo("db-5");
        assertThat(Json.text(pod, "spec", "subdomain")).isEqualTo("peers");
        assertThat(Json.map(pod, "metadata", "labels"))
                .containsEntry("statefulset.kubernetes.io/pod-name", "db-5")
                .containsEntry("apps.kubernetes.io/pod-index", "5")
                .containsEntry("app", "db")
                .containsEntry(Revisions.LABEL, Json.text(status(), "updateRevision"));
    }

    @Test
    void the_highest_goes_first_and_the_next_when_it_is_gone() {
        start(3, "");
        finish();
        patch("{\"spec\":{\"replicas\":1}}");
        cluster.settle(workload);
        assertThat(pods()).isEqualTo(Map.of("db-0", "one", "db-1", "one", "db-2", "-one"));
        cluster.settle(workload);
        assertThat(pods()).containsEntry("db-1", "one");
        step();
        assertThat(pods()).isEqualTo(Map.of("db-0", "one", "db-1", "-one"));
        step();
        assertThat(pods()).isEqualTo(Map.of("db-0", "one"));
    }

    @Test
    void a_pod_that_is_gone_comes_back_under_its_name_but_not_before() {
        start(2, "");
        finish();
        cluster.delete(Kind.POD, new NamespacedName("default", "db-0"), "");
        cluster.settle(workload);
        assertThat(pods()).isEqualTo(Map.of("db-0", "-one", "db-1", "one"));
        step();
        assertThat(pods()).isEqualTo(Map.of("db-0", "one", "db-1", "one"));
    }

    @Test
    void one_that_failed_is_made_anew() {
        start(1, "");
        finish();
        cluster.patch(Kind.POD, new NamespacedName("default", "db-0"), "{\"status\":{\"phase\":\"Failed\"}}");
        cluster.settle(workload);
        assertThat(pods()).containsEntry("db-0", "-one");
        finish();
        assertThat(Json.number(status(), 0, "readyReplicas")).isEqualTo(1);
    }

    @Test
    void a_new_template_goes_from_the_highest_to_the_lowest_one_at_a_time() {
        start(3, "");
        finish();
        String first = Json.text(status(), "currentRevision");
        patch(Manifests.image("two"));
        cluster.settle(workload);
        assertThat(pods()).isEqualTo(Map.of("db-0", "one", "db-1", "one", "db-2", "-one"));
        assertThat(Json.text(status(), "currentRevision")).isEqualTo(first);
        assertThat(Json.text(status(), "updateRevision")).isNotEqualTo(first);
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            seen.add(pods().toString());
            step();
        }
        assertThat(seen.stream().distinct())
                .containsExactly(
                        "{db-0=one, db-1=one, db-2=-one}",
                        "{db-0=one, db-1=one, db-2=two}",
                        "{db-0=one, db-1=-one, db-2=two}",
                        "{db-0=one, db-1=two, db-2=two}",
                        "{db-0=-one, db-1=two, db-2=two}",
                        "{db-0=two, db-1=two, db-2=two}");
        assertThat(Json.text(status(), "currentRevision")).isEqualTo(Json.text(status(), "updateRevision"));
        assertThat(Json.number(status(), 0, "updatedReplicas")).isEqualTo(3);
    }

    @Test
    void pods_below_the_partition_keep_the_old_template_also_when_they_are_replaced() {
        start(3, "\"updateStrategy\":{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"partition\":2}},");
        finish();
        patch(Manifests.image("two"));
        finish();
        assertThat(pods()).isEqualTo(Map.of("db-0", "one", "db-1", "one", "db-2", "two"));
        cluster.delete(Kind.POD, new NamespacedName("default", "db-1"), "");
        finish();
        assertThat(pods()).isEqualTo(Map.of("db-0", "one", "db-1", "one", "db-2", "two"));
        patch("{\"spec\":{\"updateStrategy\":{\"rollingUpdate\":{\"partition\":0}}}}");
        finish();
        assertThat(pods().values()).containsOnly("two");
    }

    @Test
    void on_delete_waits_for_a_client_to_delete() {
        start(2, "\"updateStrategy\":{\"type\":\"OnDelete\"},");
        finish();
        patch(Manifests.image("two"));
        finish();
        assertThat(pods().values()).containsOnly("one");
        cluster.delete(Kind.POD, new NamespacedName("default", "db-0"), "");
        finish();
        assertThat(pods()).isEqualTo(Map.of("db-0", "two", "db-1", "one"));
    }

    @Test
    void the_templates_it_had_are_kept_and_numbered_and_the_oldest_forgotten() {
        start(1, "\"revisionHistoryLimit\":2,");
        finish();
        for (String image : List.of("two", "three", "one")) {
            patch(Manifests.image(image));
            finish();
        }
        StatefulSet set = cluster.snapshot().statefulSets().find(db).orElseThrow();
        Revisions revisions = Revisions.of(set, set.template(), cluster.snapshot());
        assertThat(revisions.all()).extracting(revision -> revision.revision()).containsExactly(2L, 3L, 4L);
        assertThat(revisions.newest()).isEqualTo(revisions.all().getLast().key().name());
        JsonNode data = revisions.all().getFirst().data();
        assertThat(Json.text(data, "spec", "template", "$patch")).isEqualTo("replace");
        patch(Manifests.image("four"));
        finish();
        assertThat(Revisions.of(set, set.template(), cluster.snapshot()).all())
                .extracting(revision -> revision.revision())
                .containsExactly(3L, 4L, 5L);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void in_order_no_pod_runs_beside_a_gap_whatever_happens(long seed) {
        Random random = new Random(seed);
        start(3, "");
        for (int i = 0; i < 600; i++) {
            switch (random.nextInt(8)) {
                case 0 -> patch("{\"spec\":{\"replicas\":%d}}".formatted(random.nextInt(6)));
                case 1 -> patch(Manifests.image("v" + random.nextInt(3)));
                default ->
                    cluster.names(Kind.POD).stream()
                            .skip(random.nextInt(3))
                            .findFirst()
                            .ifPresent(cluster::runPod);
            }
            Map<String, Pod> before = byName();
            cluster.settle(workload);
            byName().forEach((name, pod) -> {
                if (!before.containsKey(name)) {
                    assertLowerAreReady(pod);
                }
            });
            assertThat(byName().values().stream()
                            .filter(pod -> pod.metadata().isTerminating() && wasHealthy(before, pod))
                            .count())
                    .as("ended at once")
                    .isLessThanOrEqualTo(1);
        }
        finish();
        int replicas = cluster.snapshot()
                .statefulSets()
                .find(db)
                .orElseThrow()
                .replicas()
                .count();
        assertThat(pods()).hasSize(replicas);
        assertThat(Json.number(status(), 0, "readyReplicas")).isEqualTo(replicas);
    }

    private Map<String, Pod> byName() {
        Map<String, Pod> pods = new TreeMap<>();
        cluster.snapshot().pods().forEach((name, pod) -> pods.put(name.name(), pod));
        return pods;
    }

    private void assertLowerAreReady(Pod pod) {
        int number = Integer.parseInt(pod.key().name().substring(3));
        for (int lower = 0; lower < number; lower++) {
            assertThat(byName().get("db-" + lower))
                    .as("before " + pod.key())
                    .isNotNull()
                    .matches(before -> before.status().ready(), "is ready");
        }
    }

    private static boolean wasHealthy(Map<String, Pod> before, Pod pod) {
        Pod then = before.get(pod.key().name());
        return then != null && !then.metadata().isTerminating() && then.status().ready();
    }
}
