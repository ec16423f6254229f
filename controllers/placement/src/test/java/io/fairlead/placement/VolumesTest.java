package io.fairlead.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentVolume;
import io.fairlead.fakes.Manifests;
import io.fairlead.fakes.MemoryCluster;
import io.fairlead.runner.Controller;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class VolumesTest {
    private static final NamespacedName DATA = new NamespacedName("default", "data");
    private static final NamespacedName POD = new NamespacedName("default", "db");

    private final List<Controller> controllers =
            List.of(new PodScheduler(), new VolumeBinder(), new VolumeReclaim(), new ClaimProtection());
    private final MemoryCluster cluster = new MemoryCluster();

    @BeforeEach
    void start() {
        for (String name : List.of("n1", "n2")) {
            cluster.put(Manifests.node(name, "a")
                    .replace(
                            "\"labels\"",
                            "\"annotations\":{\"fairlead.io/volumes\":\"/v/%s\"},\"labels\"".formatted(name)));
        }
        storageClass("local", "fairlead.io/local", "Delete", "WaitForFirstConsumer");
    }

    private void storageClass(String name, String provisioner, String policy, String mode) {
        cluster.put("""
            {"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"%s"},"provisioner":"%s",
             "reclaimPolicy":"%s","volumeBindingMode":"%s"}\
            """.formatted(name, provisioner, policy, mode));
    }

    private void claim(String storageClass, String size) {
        cluster.put("""
            {"apiVersion":"v1","kind":"PersistentVolumeClaim",
             "metadata":{"namespace":"default","name":"data","finalizers":["kubernetes.io/pvc-protection"]},
             "spec":{"storageClassName":"%s","accessModes":["ReadWriteOnce"],"volumeMode":"Filesystem",
                     "resources":{"requests":{"storage":"%s"}}},
             "status":{"phase":"Pending"}}\
            """.formatted(storageClass, size));
    }

    private void volume(String name, String size, String storageClass, String more) {
        cluster.put("""
            {"apiVersion":"v1","kind":"PersistentVolume",
             "metadata":{"name":"%s","finalizers":["kubernetes.io/pv-protection"]},
             "spec":{"storageClassName":"%s","accessModes":["ReadWriteOnce"],"volumeMode":"Filesystem",
                     "capacity":{"storage":"%s"},"local":{"path":"/srv/%s"}%s},
             "status":{"phase":"Pending"}}\
            """.formatted(name, storageClass, size, name, more));
    }

    private void pod() {
        cluster.put("""
            {"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"default","name":"db"},
             "spec":{"containers":[],"volumes":[{"name":"d","persistentVolumeClaim":{"claimName":"data"}}]}}\
            """);
    }

    private JsonNode claim() {
        return cluster.find(Kind.PERSISTENT_VOLUME_CLAIM, DATA);
    }

    private String phase(String volume) {
        return Json.text(cluster.find(Kind.PERSISTENT_VOLUME, new NamespacedName("", volume)), "status", "phase");
    }

    private String nodeOfPod() {
        return Json.text(cluster.find(Kind.POD, POD), "spec", "nodeName");
    }

    @Test
    void a_claim_waits_for_its_first_pod_and_is_a_folder_of_the_node_of_that_pod() {
        claim("local", "1Gi");
        cluster.settle(controllers);
        assertThat(Json.text(claim(), "status", "phase")).isEqualTo("Pending");
        assertThat(cluster.names(Kind.PERSISTENT_VOLUME)).isEmpty();

        pod();
        cluster.settle(controllers);

        String node = nodeOfPod();
        assertThat(node).isIn("n1", "n2");
        assertThat(Json.text(claim(), "status", "phase")).isEqualTo("Bound");
        assertThat(Json.text(claim(), "status", "capacity", "storage")).isEqualTo("1Gi");
        String name = Json.text(claim(), "spec", "volumeName");
        JsonNode volume = cluster.find(Kind.PERSISTENT_VOLUME, new NamespacedName("", name));
        assertThat(name).isEqualTo("pvc-" + Json.text(claim(), "metadata", "uid"));
        assertThat(Json.text(volume, "spec", "local", "path")).isEqualTo("/v/%s/%s".formatted(node, name));
        assertThat(Json.text(volume, "status", "phase")).isEqualTo("Bound");
        assertThat(PersistentVolume.of(volume)
                        .where()
                        .selects(cluster.snapshot()
                                .nodes()
                                .find(new NamespacedName("", node))
                                .orElseThrow()))
                .isTrue();
    }

    @Test
    void the_next_pod_of_a_claim_comes_back_to_its_node_or_waits_for_it() {
        claim("local", "1Gi");
        pod();
        cluster.settle(controllers);
        String node = nodeOfPod();
        cluster.remove(Kind.POD, POD);
        // By the number of pods another node would be better.
        for (int i = 0; i < 5; i++) {
            cluster.put(Manifests.pod("busy-" + i, "")
                    .replace("\"nodeName\":\"n1\"", "\"nodeName\":\"%s\"".formatted(node)));
        }
        pod();
        cluster.settle(controllers);
        assertThat(nodeOfPod()).isEqualTo(node);

        cluster.remove(Kind.POD, POD);
        cluster.patch(Kind.NODE, new NamespacedName("", node), "{\"spec\":{\"unschedulable\":true}}");
        pod();
        cluster.settle(controllers);
        assertThat(nodeOfPod()).isEmpty();
        assertThat(Json.text(cluster.find(Kind.POD, POD).at("/status/conditions/0"), "message"))
                .contains("1 node(s) had volume node affinity conflict", "1 node(s) were unschedulable");
    }

    @Test
    void a_claim_stays_while_a_pod_uses_it_and_then_its_volume_goes_by_its_policy() {
        claim("local", "1Gi");
        pod();
        cluster.settle(controllers);
        String name = Json.text(claim(), "spec", "volumeName");
        cluster.delete(Kind.PERSISTENT_VOLUME_CLAIM, DATA, "");
        cluster.settle(controllers);
        assertThat(cluster.names(Kind.PERSISTENT_VOLUME_CLAIM)).containsExactly(DATA);

        cluster.remove(Kind.POD, POD);
        cluster.settle(controllers);
        assertThat(cluster.names(Kind.PERSISTENT_VOLUME_CLAIM)).isEmpty();
        JsonNode volume = cluster.find(Kind.PERSISTENT_VOLUME, new NamespacedName("", name));
        assertThat(Json.text(volume, "metadata", "deletionTimestamp"))
                .as("its node has still to remove the folder")
                .isNotEmpty();
        assertThat(Json.texts(volume, "metadata", "finalizers")).containsExactly(PersistentVolume.FOLDER);
        assertThat(Json.text(volume, "status", "phase")).isEqualTo("Released");
    }

    @Test
    void a_volume_to_retain_stays_and_is_given_to_no_other_claim() {
        storageClass("kept", "fairlead.io/local", "Retain", "WaitForFirstConsumer");
        claim("kept", "1Gi");
        pod();
        cluster.settle(controllers);
        String name = Json.text(claim(), "spec", "volumeName");
        cluster.remove(Kind.POD, POD);
        cluster.delete(Kind.PERSISTENT_VOLUME_CLAIM, DATA, "");
        cluster.settle(controllers);
        assertThat(phase(name)).isEqualTo("Released");

        claim("kept", "1Gi");
        pod();
        cluster.settle(controllers);
        assertThat(Json.text(claim(), "spec", "volumeName")).isNotEqualTo(name);
        assertThat(phase(name)).isEqualTo("Released");
    }

    @Test
    void a_claim_takes_the_smallest_volume_that_is_there_and_large_enough() {
        volume("small", "1Gi", "", "");
        volume("right", "5Gi", "", "");
        volume("large", "50Gi", "", "");
        cluster.settle(controllers);
        assertThat(phase("right")).isEqualTo("Available");

        claim("", "4Gi");
        cluster.settle(controllers);

        assertThat(Json.text(claim(), "spec", "volumeName")).isEqualTo("right");
        assertThat(Json.text(claim(), "status", "phase")).isEqualTo("Bound");
        assertThat(phase("right")).isEqualTo("Bound");
        assertThat(phase("large")).isEqualTo("Available");
    }

    @Test
    void a_pod_says_what_is_missing_of_its_claims() {
        pod();
        cluster.settle(controllers);
        assertThat(Json.text(cluster.find(Kind.POD, POD).at("/status/conditions/0"), "message"))
                .isEqualTo("0/2 nodes are available: persistentvolumeclaim \"data\" not found.");

        claim("", "4Gi");
        cluster.settle(controllers);
        assertThat(Json.text(cluster.find(Kind.POD, POD).at("/status/conditions/0"), "message"))
                .contains("pod has unbound immediate PersistentVolumeClaims");
    }

    @Test
    void a_claim_whose_volume_is_gone_is_lost() {
        claim("local", "1Gi");
        pod();
        cluster.settle(controllers);
        cluster.remove(Kind.PERSISTENT_VOLUME, new NamespacedName("", Json.text(claim(), "spec", "volumeName")));
        cluster.settle(controllers);
        assertThat(Json.text(claim(), "status", "phase")).isEqualTo("Lost");
    }
}
