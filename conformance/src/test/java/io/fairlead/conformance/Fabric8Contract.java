package io.fairlead.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The Java client that most Java programs use, over HTTP/2 with TLS, on whatever the server keeps its objects.
interface Fabric8Contract {
    ServerRun server();

    @Test
    default void objects_are_created_read_changed_and_deleted() {
        KubernetesClient client = server().client();
        Service created = client.resource(InformedServices.service("crud")).create();
        assertThat(created.getSpec().getClusterIP()).startsWith("10.96.");
        Service changed = client.services()
                .inNamespace("default")
                .withName("crud")
                .edit(s -> new ServiceBuilder(s)
                        .editMetadata()
                        .addToLabels("a", "b")
                        .endMetadata()
                        .build());
        assertThat(changed.getMetadata().getLabels()).containsEntry("a", "b");
        assertThat(client.services()
                        .inNamespace("default")
                        .withLabel("a", "b")
                        .list()
                        .getItems())
                .hasSize(1);
        client.services().inNamespace("default").withName("crud").delete();
        assertThat(client.services().inNamespace("default").withName("crud").get())
                .isNull();
    }

    @Test
    default void server_side_apply_creates_and_then_changes() {
        KubernetesClient client = server().client();
        PatchContext apply = PatchContext.of(PatchType.SERVER_SIDE_APPLY);
        var map = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("applied")
                .withNamespace("default")
                .endMetadata()
                .addToData("a", "1");
        client.resource(map.build()).patch(apply);
        client.resource(map.addToData("b", "2").build()).patch(apply);
        assertThat(client.configMaps()
                        .inNamespace("default")
                        .withName("applied")
                        .get()
                        .getData())
                .containsEntry("a", "1")
                .containsEntry("b", "2");
    }

    @Test
    default void an_informer_sees_what_others_do() {
        KubernetesClient client = server().client();
        try (InformedServices seen = InformedServices.labelled("seen", client)) {
            client.resource(seen.visible("first")).create();
            seen.awaitNames("first");
            client.resource(seen.visible("second")).create();
            seen.awaitNames("first", "second");
            client.services().inNamespace("default").withName("first").delete();
            seen.awaitNames("second");
        }
    }

    @Test
    default void one_of_two_candidates_leads_and_the_other_follows() throws Exception {
        KubernetesClient client = server().client();
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        var one = client.leaderElector()
                .withConfig(election("one", first))
                .build()
                .start();
        assertThat(first.await(20, TimeUnit.SECONDS)).isTrue();
        var two = client.leaderElector()
                .withConfig(election("two", second))
                .build()
                .start();
        assertThat(second.getCount()).isOne();
        one.cancel(true);
        assertThat(second.await(30, TimeUnit.SECONDS)).isTrue();
        two.cancel(true);
    }

    private static LeaderElectionConfig election(String identity, CountDownLatch leads) {
        return new LeaderElectionConfigBuilder()
                .withName(identity)
                .withLock(new LeaseLock("default", "leader", identity))
                .withLeaseDuration(Duration.ofSeconds(3))
                .withRenewDeadline(Duration.ofSeconds(2))
                .withRetryPeriod(Duration.ofMillis(500))
                .withReleaseOnCancel()
                .withLeaderCallbacks(new LeaderCallbacks(leads::countDown, () -> {}, _ -> {}))
                .build();
    }
}
