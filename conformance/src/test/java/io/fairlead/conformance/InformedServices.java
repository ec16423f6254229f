package io.fairlead.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;

/// What an informer of fabric8 knows of the Services with one label.
record InformedServices(String label, SharedIndexInformer<Service> informer) implements AutoCloseable {
    static InformedServices labelled(String label, KubernetesClient client) {
        return new InformedServices(
                label, client.services().inNamespace("default").withLabel(label).inform());
    }

    static Service service(String name) {
        return new ServiceBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .addToSelector("app", name)
                .withPorts(new ServicePortBuilder()
                        .withPort(80)
                        .withProtocol("TCP")
                        .build())
                .endSpec()
                .build();
    }

    /// One that the informer is to see.
    Service visible(String name) {
        return new ServiceBuilder(service(name))
                .editMetadata()
                .addToLabels(label, "yes")
                .endMetadata()
                .build();
    }

    /// Waits until the informer knows these and no others.
    void awaitNames(String... names) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(informer.getStore().list())
                        .extracting(service -> service.getMetadata().getName())
                        .containsExactlyInAnyOrder(names));
    }

    @Override
    public void close() {
        informer.close();
    }
}
