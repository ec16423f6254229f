package io.fairlead.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// The server over three members of etcd, of which one may be away.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class EtcdOfThreeIT implements KubectlContract, Fabric8Contract {
    private EtcdRun run;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException, InterruptedException {
        run = EtcdRun.start(3, folder);
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
        return Transcript.atLeast("70-");
    }

    @Test
    void writes_go_on_while_the_leading_member_is_killed_and_none_that_was_answered_is_lost() throws Exception {
        KubernetesClient client = server().client();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor();
                Writers writers = new Writers(client, Kubectl.at(server().kubeconfig()))) {
            List<Future<?>> running = new ArrayList<>(writers.start(executor));
            for (int kill = 0; kill < 2; kill++) {
                awaitMore(writers);
                int leader = run.etcd().leader();
                run.etcd().kill(leader);
                awaitMore(writers);
                run.etcd().run(leader);
            }
            awaitMore(writers);
            writers.end();
            for (Future<?> writer : running) {
                writer.get();
            }
            assertThat(client.configMaps()
                            .inNamespace("default")
                            .withLabel("written")
                            .list()
                            .getItems())
                    .extracting(map -> map.getMetadata().getName())
                    .containsAll(writers.answered());
        }
    }

    /// Until each client was answered some more.
    private static void awaitMore(Writers writers) {
        int byFabric8 = writers.byFabric8();
        int byKubectl = writers.byKubectl();
        await().atMost(Duration.ofSeconds(90))
                .until(() -> writers.byFabric8() > byFabric8 + 20 && writers.byKubectl() > byKubectl + 1);
    }
}
