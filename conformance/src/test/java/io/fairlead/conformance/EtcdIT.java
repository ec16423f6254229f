package io.fairlead.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// The server over one member of etcd.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class EtcdIT implements KubectlContract, Fabric8Contract, CrashContract {
    private EtcdRun run;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException, InterruptedException {
        run = EtcdRun.start(1, folder);
    }

    @AfterAll
    void stop() throws IOException {
        run.close();
    }

    @Override
    public ServerRun server() {
        return run.server();
    }

    @Override
    public List<Transcript> transcripts() throws IOException {
        return Transcript.atLeast("50-", "70-");
    }

    @Test
    void an_informer_lists_again_when_what_it_missed_is_compacted() throws Exception {
        KubernetesClient client = server().client();
        Kubectl kubectl = Kubectl.at(server().kubeconfig());
        try (InformedServices seen = InformedServices.labelled("compacted", client)) {
            String last = client.resource(seen.visible("known"))
                    .create()
                    .getMetadata()
                    .getResourceVersion();
            seen.awaitNames("known");
            kubectl.run("create", "configmap", "later", "--from-literal=a=b").ok();
            server().kill();
            run.etcd().compact();
            server().startAgain();
            assertThat(kubectl.run("get", "--raw", "/api/v1/services?watch=true&resourceVersion=" + last)
                            .output())
                    .contains("Expired");
            client.resource(seen.visible("new")).create();
            seen.awaitNames("known", "new");
        }
    }
}
