package io.fairlead.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.fakes.Manifests;
import io.fairlead.fakes.MemoryCluster;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class StatefulClaimsTest {
    private final MemoryCluster cluster = new MemoryCluster();
    private final StatefulSetController controller = new StatefulSetController();

    private void start(String policy) {
        cluster.put(Manifests.statefulSet("db", 2, "one").replace("\"selector\"", """
            "volumeClaimTemplates":[{"metadata":{"name":"data"},
              "spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}],
            %s"podManagementPolicy":"Parallel","selector"\
            """.formatted(policy)));
        cluster.settle(controller);
    }

    private static NamespacedName name(String name) {
        return new NamespacedName("default", name);
    }

    private JsonNode claim(String name) {
        return cluster.find(Kind.PERSISTENT_VOLUME_CLAIM, name(name));
    }

    @Test
    void each_pod_has_a_claim_of_its_own_which_it_finds_again() {
        start("");
        assertThat(cluster.names(Kind.PERSISTENT_VOLUME_CLAIM)).containsExactly(name("data-db-0"), name("data-db-1"));
        assertThat(Json.text(
                        cluster.find(Kind.POD, name("db-1")).at("/spec/volumes/0"),
                        "persistentVolumeClaim",
                        "claimName"))
                .isEqualTo("data-db-1");
        assertThat(Json.text(claim("data-db-0"), "metadata", "labels", "app")).isEqualTo("db");
        assertThat(claim("data-db-0").at("/metadata/ownerReferences").isMissingNode())
                .as("it stays when the set goes")
                .isTrue();
        String uid = Json.text(claim("data-db-1"), "metadata", "uid");

        cluster.remove(Kind.POD, name("db-1"));
        cluster.settle(controller);
        assertThat(cluster.names(Kind.POD)).contains(name("db-1"));
        assertThat(Json.text(claim("data-db-1"), "metadata", "uid")).isEqualTo(uid);
    }

    @Test
    void claims_stay_when_there_are_to_be_fewer_pods_unless_the_set_says_otherwise() {
        start("");
        scaleToOne();
        assertThat(cluster.names(Kind.PERSISTENT_VOLUME_CLAIM)).contains(name("data-db-1"));
    }

    @Test
    void claims_go_with_their_pods_or_with_the_set_where_it_says_so() {
        start("\"persistentVolumeClaimRetentionPolicy\":{\"whenDeleted\":\"Delete\",\"whenScaled\":\"Delete\"},");
        assertThat(Json.text(claim("data-db-0").at("/metadata/ownerReferences/0"), "kind"))
                .isEqualTo("StatefulSet");
        scaleToOne();
        assertThat(cluster.names(Kind.PERSISTENT_VOLUME_CLAIM)).containsExactly(name("data-db-0"));
        cluster.remove(Kind.STATEFUL_SET, name("db"));
        assertThat(cluster.names(Kind.PERSISTENT_VOLUME_CLAIM)).isEmpty();
    }

    @Test
    void a_pod_waits_for_an_old_claim_of_its_name_to_go() {
        start("");
        cluster.patch(
                Kind.PERSISTENT_VOLUME_CLAIM,
                name("data-db-0"),
                "{\"metadata\":{\"finalizers\":[\"kubernetes.io/pvc-protection\"],\"deletionTimestamp\":\"t1\"}}");
        cluster.remove(Kind.POD, name("db-0"));
        cluster.settle(controller);
        assertThat(cluster.names(Kind.POD)).doesNotContain(name("db-0"));

        cluster.patch(Kind.PERSISTENT_VOLUME_CLAIM, name("data-db-0"), "{\"metadata\":{\"finalizers\":null}}");
        cluster.settle(controller);
        assertThat(cluster.names(Kind.POD)).contains(name("db-0"));
        assertThat(Json.text(claim("data-db-0"), "metadata", "deletionTimestamp"))
                .isEmpty();
    }

    private void scaleToOne() {
        cluster.patch(Kind.STATEFUL_SET, name("db"), "{\"spec\":{\"replicas\":1}}");
        for (int i = 0; i < 5; i++) {
            cluster.settle(controller);
            cluster.runPods();
        }
        cluster.settle(controller);
    }
}
