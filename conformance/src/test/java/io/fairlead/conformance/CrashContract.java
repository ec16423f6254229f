package io.fairlead.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

/// What clients go through when the server is killed and started again.
interface CrashContract {
    ServerRun server();

    @Test
    default void an_informer_goes_on_after_a_crash_of_the_server() throws Exception {
        KubernetesClient client = server().client();
        try (InformedServices seen = InformedServices.labelled("crash", client)) {
            client.resource(seen.visible("before")).create();
            seen.awaitNames("before");
            server().crash();
            client.resource(seen.visible("after")).create();
            seen.awaitNames("before", "after");
            client.services().inNamespace("default").withName("before").delete();
            seen.awaitNames("after");
        }
    }

    @Test
    default void what_kubectl_was_answered_is_there_after_a_crash() throws Exception {
        Kubectl kubectl = Kubectl.at(server().kubeconfig());
        kubectl.run("create", "configmap", "kept", "--from-literal=a=b").ok();
        server().crash();
        assertThat(kubectl.run("get", "configmap", "kept", "-o", "name").ok().strip())
                .isEqualTo("configmap/kept");
    }
}
