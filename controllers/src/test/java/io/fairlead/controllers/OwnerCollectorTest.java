package io.fairlead.controllers;

import static io.fairlead.controllers.Manifests.deployment;
import static io.fairlead.controllers.Manifests.name;
import static io.fairlead.controllers.Manifests.node;
import static io.fairlead.controllers.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import org.junit.jupiter.api.Test;

class OwnerCollectorTest {
    private final MemoryCluster cluster = new MemoryCluster();

    private void settleAll() {
        for (int i = 0; i < 10; i++) {
            cluster.settle(Controllers.all(ControllersConfig.DEFAULT));
            cluster.runPods();
        }
    }

    @Test
    void what_a_deployment_made_goes_with_it() {
        cluster.put(node("n1", "a"));
        cluster.put(deployment("web", 3, "i"));
        settleAll();
        assertThat(cluster.names(Kind.POD)).hasSize(3);
        cluster.remove(Kind.DEPLOYMENT, name("web"));
        settleAll();
        assertThat(cluster.names(Kind.REPLICA_SET)).isEmpty();
        assertThat(cluster.names(Kind.POD)).isEmpty();
    }

    @Test
    void the_slices_of_a_service_go_with_it_also_when_another_of_its_name_came() {
        cluster.put(service("hello", ""));
        settleAll();
        NamespacedName slice = cluster.names(Kind.ENDPOINT_SLICE).getFirst();
        Controller collector = new OwnerCollector(Kind.ENDPOINT_SLICE);
        assertThat(collector.reconcile(slice, cluster.snapshot(), cluster.moment()))
                .isEmpty();
        Snapshot before = cluster.snapshot();
        cluster.remove(Kind.SERVICE, name("hello"));
        cluster.put(service("hello", ""));
        assertThat(collector.changed(before, cluster.snapshot())).containsExactly(slice);
        assertThat(collector.reconcile(slice, cluster.snapshot(), cluster.moment()))
                .hasSize(1)
                .allMatch(write -> write instanceof Write.Collect);
    }

    @Test
    void who_has_no_controller_or_one_that_we_cannot_see_stays() {
        String owner = "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"name\":\"x\",\"uid\":\"u\",\"controller\":%s}";
        for (String reference : new String[] {
            owner.formatted("apps/v1", "ReplicaSet", "false"),
            owner.formatted("batch/v1", "Job", "true"),
            owner.formatted("v1", "Node", "true"),
            owner.formatted("example.com/v1", "ReplicaSet", "true")
        }) {
            NamespacedName pod =
                    cluster.put(Manifests.pod("p" + cluster.names(Kind.POD).size(), "10.1.0.1"));
            var patch = Json.object();
            patch.putObject("metadata").putArray("ownerReferences").add(Json.parse(reference));
            cluster.patch(Kind.POD, pod, patch);
        }
        assertThat(cluster.settle(new OwnerCollector(Kind.POD))).isEmpty();
        assertThat(cluster.names(Kind.POD)).hasSize(4);
    }

    @Test
    void what_is_being_deleted_is_not_deleted_again() {
        NamespacedName pod = cluster.put(Manifests.pod("p", "10.1.0.1"));
        cluster.patch(Kind.POD, pod, """
            {"metadata":{"deletionTimestamp":"t","ownerReferences":
             [{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"x","uid":"u","controller":true}]}}\
            """);
        assertThat(cluster.settle(new OwnerCollector(Kind.POD))).isEmpty();
    }
}
