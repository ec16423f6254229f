package io.fairlead.conformance;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/// Two programs that create ConfigMaps without end, each in its own way, and note which ones they were answered for.
final class Writers implements AutoCloseable {
    private final KubernetesClient client;
    private final Kubectl kubectl;
    private final Queue<String> ofFabric8 = new ConcurrentLinkedQueue<>();
    private final Queue<String> ofKubectl = new ConcurrentLinkedQueue<>();
    private volatile boolean goOn = true;

    Writers(KubernetesClient client, Kubectl kubectl) {
        this.client = client;
        this.kubectl = kubectl;
    }

    List<Future<?>> start(ExecutorService executor) {
        return List.of(executor.submit(this::writeByFabric8), executor.submit(this::writeByKubectl));
    }

    private Void writeByFabric8() {
        for (int i = 0; goOn; i++) {
            String name = "java-" + i;
            // It tries again by itself when it gets 503; then its first attempt may have been made after all.
            try {
                client.resource(new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .withNamespace("default")
                                .addToLabels("written", "yes")
                                .endMetadata()
                                .build())
                        .create();
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw e;
                }
            }
            ofFabric8.add(name);
        }
        return null;
    }

    private Void writeByKubectl() throws IOException, InterruptedException {
        for (int i = 0; goOn; i++) {
            String name = "typed-" + i;
            Kubectl.Result created = kubectl.run("create", "configmap", name, "--from-literal=a=b");
            Kubectl.Result labelled = kubectl.run("label", "configmap", name, "written=yes");
            if (created.exit() == 0 && labelled.exit() == 0) {
                ofKubectl.add(name);
            }
        }
        return null;
    }

    int byFabric8() {
        return ofFabric8.size();
    }

    int byKubectl() {
        return ofKubectl.size();
    }

    /// The names of all that was answered.
    List<String> answered() {
        List<String> all = new ArrayList<>(ofFabric8);
        all.addAll(ofKubectl);
        return all;
    }

    /// The writers end after what they are at.
    void end() {
        goOn = false;
    }

    @Override
    public void close() {
        end();
    }
}
