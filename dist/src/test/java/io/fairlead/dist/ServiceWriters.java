package io.fairlead.dist;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.client.ClusterAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import tools.jackson.databind.node.ObjectNode;

/// Some clients that create Services as fast as they are answered, and remember which were.
final class ServiceWriters implements AutoCloseable {
    private static final int WRITERS = 8;
    private static final int LIMIT_EACH = 2_000;

    private final ConcurrentLinkedQueue<String> answered = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    ServiceWriters(ClusterAccess access, String prefix) {
        for (int i = 0; i < WRITERS; i++) {
            String own = prefix + "-" + i;
            threads.add(Thread.ofPlatform().name(own).start(() -> write(access, own)));
        }
    }

    List<String> answered() {
        return List.copyOf(answered);
    }

    List<String> stop() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
        return answered();
    }

    @Override
    public void close() {
        stopped = true;
    }

    private void write(ClusterAccess access, String prefix) {
        try (ApiClient client = new ApiClient(access)) {
            for (int i = 0; i < LIMIT_EACH && !stopped; i++) {
                writeOne(client, prefix + "-" + i);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeOne(ApiClient client, String name) throws InterruptedException {
        try {
            client.create(Kind.SERVICE, service(name));
            answered.add(name);
        } catch (ApiException e) {
            // Not answered: it may or may not be there. While the server is away, do not spin.
            Thread.sleep(10);
        }
    }

    private static ObjectNode service(String name) {
        return (ObjectNode) Json.parse("""
                {"apiVersion": "v1", "kind": "Service",
                 "metadata": {"namespace": "default", "name": "%s"},
                 "spec": {"selector": {"app": "nobody"}, "ports": [{"port": 80}]}}""".formatted(name));
    }
}
