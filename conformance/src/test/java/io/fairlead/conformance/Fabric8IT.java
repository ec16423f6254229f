package io.fairlead.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The Java client that most Java programs use, over HTTP/2 with TLS.
final class Fabric8IT {
    @TempDir
    static Path folder;

    private static ServerRun server;
    private static KubernetesClient client;

    @BeforeAll
    static void start() throws Exception {
        server = ServerRun.start(folder);
        File kubeconfig = server.kubeconfig().toFile();
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig))
                .build();
    }

    @AfterAll
    static void stop() throws Exception {
        if (client != null) {
            client.close();
        }
        server.close();
    }

    private static Service service(String name, int port) {
        return new ServiceBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .addToSelector("app", name)
                .withPorts(new ServicePortBuilder()
                        .withPort(port)
                        .withProtocol("TCP")
                        .build())
                .endSpec()
                .build();
    }

    @Test
    void objects_are_created_read_changed_and_deleted() {
        Service created = client.resource(service("crud", 80)).create();
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
    void server_side_apply_creates_and_then_changes() {
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
    void an_informer_goes_on_after_a_crash_of_the_server() throws Exception {
        try (SharedIndexInformer<Service> informer = client.services()
                .inNamespace("default")
                .withLabel("seen", "yes")
                .inform()) {
            client.resource(labelled("before")).create();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> informer.getStore().list().size() == 1);
            server.crash();
            client.resource(labelled("after")).create();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> informer.getStore().list().size() == 2);
            client.services().inNamespace("default").withName("before").delete();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> informer.getStore().list().size() == 1);
        }
    }

    private static Service labelled(String name) {
        return new ServiceBuilder(service(name, 80))
                .editMetadata()
                .addToLabels("seen", "yes")
                .endMetadata()
                .build();
    }

    @Test
    void one_of_two_candidates_leads_and_the_other_follows() throws Exception {
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

    private static io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig election(
            String identity, CountDownLatch leads) {
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
