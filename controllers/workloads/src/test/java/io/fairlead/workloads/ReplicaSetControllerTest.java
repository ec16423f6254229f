package io.fairlead.workloads;

import static io.fairlead.fakes.Manifests.name;
import static io.fairlead.fakes.Manifests.replicaSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import io.fairlead.fakes.MemoryCluster;
import io.fairlead.runner.Controller;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ReplicaSetControllerTest {
    private final Controller controller = new ReplicaSetController();
    private final MemoryCluster cluster = new MemoryCluster();
    private final NamespacedName set = cluster.put(replicaSet("web", 3));

    private JsonNode status() {
        return Json.parse(Json.bytes(cluster.find(Kind.REPLICA_SET, set).path("status")));
    }

    private void bindAndRunAll() {
        for (NamespacedName pod : cluster.names(Kind.POD)) {
            ObjectNode object = cluster.find(Kind.POD, pod);
            if (Json.text(object, "spec", "nodeName").isEmpty()) {
                cluster.bind(pod, Json.text(object, "metadata", "uid"), "n1");
            }
        }
        cluster.runPods();
    }

    private void scale(int replicas) {
        cluster.patch(Kind.REPLICA_SET, set, "{\"spec\":{\"replicas\":%d}}".formatted(replicas));
    }

    @Test
    void it_makes_the_pods_that_are_missing_from_its_template() {
        cluster.settle(controller);
        List<NamespacedName> pods = cluster.names(Kind.POD);
        assertThat(pods).hasSize(3).allMatch(pod -> pod.name().startsWith("web-"));
        ObjectNode pod = cluster.find(Kind.POD, pods.getFirst());
        assertThat(Json.map(pod, "metadata", "labels")).containsEntry("app", "hello");
        assertThat(Json.map(pod, "metadata", "annotations")).containsEntry("note", "kept");
        assertThat(pod.path("spec")).isEqualTo(Json.parse("{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}"));
        assertThat(Json.text(pod.path("metadata").path("ownerReferences").get(0), "uid"))
                .isEqualTo(Json.text(cluster.find(Kind.REPLICA_SET, set), "metadata", "uid"));
    }

    @Test
    void a_replication_controller_is_kept_in_the_same_way() {
        NamespacedName old = cluster.put("""
            {"apiVersion": "v1", "kind": "ReplicationController",
             "metadata": {"name": "old", "namespace": "default"},
             "spec": {"replicas": 2, "selector": {"app": "old"},
                      "template": {"metadata": {"labels": {"app": "old"}},
                                   "spec": {"containers": [{"name": "c", "image": "i"}]}}}}\
            """);
        Controller keeper = ReplicaSetController.ofReplicationControllers();

        cluster.settle(keeper);

        assertThat(cluster.names(Kind.POD))
                .hasSize(2)
                .allMatch(pod -> pod.name().startsWith("old-"));
        ObjectNode pod = cluster.find(Kind.POD, cluster.names(Kind.POD).getFirst());
        assertThat(Json.text(pod.path("metadata").path("ownerReferences").get(0), "kind"))
                .isEqualTo("ReplicationController");
        cluster.patch(Kind.REPLICATION_CONTROLLER, old, "{\"spec\":{\"replicas\":0}}");
        cluster.settle(keeper);
        assertThat(cluster.names(Kind.POD)).isEmpty();
        assertThat(Json.number(cluster.find(Kind.REPLICATION_CONTROLLER, old), -1, "status", "replicas"))
                .isZero();
    }

    @Test
    void its_status_counts_the_pods_and_the_ready_ones() {
        cluster.settle(controller);
        assertThat(status())
                .isEqualTo(
                        Json.parse(
                                "{\"replicas\":3,\"fullyLabeledReplicas\":3,\"readyReplicas\":0,\"availableReplicas\":0,\"observedGeneration\":1}"));
        bindAndRunAll();
        cluster.settle(controller);
        assertThat(status())
                .isEqualTo(
                        Json.parse(
                                "{\"replicas\":3,\"fullyLabeledReplicas\":3,\"readyReplicas\":3,\"availableReplicas\":3,\"observedGeneration\":1}"));
    }

    @Test
    void a_pod_whose_labels_were_changed_is_let_go_and_replaced() {
        cluster.settle(controller);
        NamespacedName kept = cluster.names(Kind.POD).getFirst();
        cluster.patch(Kind.POD, kept, "{\"metadata\":{\"labels\":{\"app\":\"looked-at\"}}}");
        cluster.settle(controller);

        assertThat(cluster.names(Kind.POD)).hasSize(4).contains(kept);
        assertThat(cluster.find(Kind.POD, kept).path("metadata").path("ownerReferences"))
                .isEmpty();
        assertThat(Json.number(status(), 0, "replicas")).isEqualTo(3);
        scale(0);
        cluster.settle(controller);
        assertThat(cluster.names(Kind.POD)).containsExactly(kept);
    }

    @Test
    void a_pod_without_an_owner_that_it_selects_is_adopted_and_counts() {
        NamespacedName stray = cluster.put(stray("stray", "hello", ""));
        NamespacedName other = cluster.put(stray("other", "another-app", ""));
        cluster.settle(controller);

        assertThat(ownerOf(stray)).isEqualTo(uidOf(set));
        assertThat(ownerOf(other)).isEmpty();
        assertThat(cluster.names(Kind.POD)).as("two more and the other one").hasSize(4);

        cluster.patch(Kind.POD, other, "{\"metadata\":{\"labels\":{\"app\":\"hello\"}}}");
        cluster.settle(controller);
        assertThat(cluster.names(Kind.POD)).as("one is too many now").hasSize(3);
        assertThat(cluster.names(Kind.POD)).allMatch(pod -> ownerOf(pod).equals(uidOf(set)));
    }

    @Test
    void a_pod_that_another_controls_does_not_count_whatever_its_labels() {
        NamespacedName node =
                cluster.put("{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"n1\"}}");
        String owner = Json.text(cluster.find(Kind.NODE, node), "metadata", "uid");
        NamespacedName pod = cluster.put(stray(
                "controlled",
                "hello",
                "{'apiVersion': 'v1', 'kind': 'Node', 'name': 'n1', 'uid': '%s', 'controller': true}"
                        .formatted(owner)));
        cluster.settle(controller);

        assertThat(ownerOf(pod)).isEqualTo(owner);
        assertThat(cluster.names(Kind.POD)).hasSize(4);
    }

    private static String stray(String name, String app, String owner) {
        return """
            {'apiVersion': 'v1', 'kind': 'Pod',
             'metadata': {'namespace': 'default', 'name': '%s', 'labels': {'app': '%s'}, 'ownerReferences': [%s]},
             'spec': {'containers': [{'name': 'c', 'image': 'i'}]}}\
            """.formatted(name, app, owner).replace('\'', '"');
    }

    private String ownerOf(NamespacedName pod) {
        return Json.text(
                cluster.find(Kind.POD, pod)
                        .path("metadata")
                        .path("ownerReferences")
                        .path(0),
                "uid");
    }

    private String uidOf(NamespacedName replicaSet) {
        return Json.text(cluster.find(Kind.REPLICA_SET, replicaSet), "metadata", "uid");
    }

    @Test
    void surplus_pods_go_those_of_least_use_first() {
        cluster.settle(controller);
        bindAndRunAll();
        List<NamespacedName> ready = cluster.names(Kind.POD);
        scale(5);
        cluster.settle(controller);
        NamespacedName unready = ready.getFirst();
        cluster.patch(Kind.POD, unready, "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\"}]}}");
        scale(3);
        cluster.settle(controller);
        assertThat(cluster.names(Kind.POD)).isEqualTo(ready); // the two that have no node went first
        scale(2);
        cluster.settle(controller);
        cluster.runPods();
        assertThat(cluster.names(Kind.POD)).doesNotContain(unready).hasSize(2);
        scale(1);
        cluster.settle(controller);
        cluster.runPods();
        assertThat(cluster.names(Kind.POD)).containsExactly(ready.get(1)); // the youngest goes
    }

    @Test
    void a_pod_that_is_ending_or_over_is_replaced_at_once() {
        cluster.settle(controller);
        bindAndRunAll();
        List<NamespacedName> pods = cluster.names(Kind.POD);
        cluster.delete(Kind.POD, pods.getFirst(), "");
        cluster.patch(Kind.POD, pods.getLast(), "{\"status\":{\"phase\":\"Failed\"}}");
        cluster.settle(controller);
        assertThat(cluster.names(Kind.POD)).hasSize(5);
        assertThat(Json.number(status(), 0, "replicas")).isEqualTo(3);
    }

    @Test
    void a_set_that_is_being_deleted_makes_no_pods() {
        cluster.patch(Kind.REPLICA_SET, set, "{\"metadata\":{\"deletionTimestamp\":\"t\"}}");
        cluster.settle(controller);
        assertThat(cluster.names(Kind.POD)).isEmpty();
    }

    @Test
    void a_change_of_a_pod_concerns_its_set_alone() {
        cluster.put(replicaSet("other", 1));
        cluster.settle(controller);
        Snapshot before = cluster.snapshot();
        NamespacedName pod = cluster.names(Kind.POD).getLast();
        cluster.remove(Kind.POD, pod);
        assertThat(controller.changed(before, cluster.snapshot())).containsExactly(name("web"));
    }
}
