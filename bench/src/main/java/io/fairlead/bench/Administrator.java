package io.fairlead.bench;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Deletion;
import io.fairlead.client.Interest;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.ObjectNode;

/// Works at a steady rate: reads, creates, lists, deletes, and reads a pod's log through the node's agent; remembers
/// how
/// long each took.
final class Administrator {
    private static final long PERIOD_MILLIS = 50;

    private final ApiClient client;
    private final NamespacedName pod;
    private final AtomicInteger number = new AtomicInteger();
    private List<Double> millis = new ArrayList<>();
    private int failed;

    Administrator(ApiClient client, NamespacedName pod) {
        this.client = client;
        this.pod = pod;
    }

    /// What the requests since the last look took, in milliseconds and in order of size, and how many failed.
    record Work(List<Double> millis, int failed) {
        double quantile(double part) {
            return millis.isEmpty() ? 0 : millis.get((int) Math.min(millis.size() - 1L, (long) (millis.size() * part)));
        }
    }

    synchronized Work look() {
        Work work = new Work(millis.stream().sorted().toList(), failed);
        millis = new ArrayList<>();
        failed = 0;
        return work;
    }

    /// Works until it is interrupted. A request that takes long does not put the next one off: its wait counts.
    void run() throws InterruptedException {
        long due = System.nanoTime();
        while (true) {
            due += PERIOD_MILLIS * 1_000_000;
            long left = due - System.nanoTime();
            if (left > 0) {
                Thread.sleep(left / 1_000_000);
            } else if (left < -5_000_000_000L) {
                due = System.nanoTime(); // what stood still for seconds has been counted
            }
            boolean done = ask(number.getAndIncrement());
            remember((System.nanoTime() - due) / 1e6, done);
        }
    }

    private synchronized void remember(double took, boolean done) {
        millis.add(Math.max(0, took));
        failed += done ? 0 : 1;
    }

    private boolean ask(int turn) throws InterruptedException {
        NamespacedName name = new NamespacedName("default", "work-" + turn / 5);
        try {
            switch (turn % 5) {
                case 0 -> client.create(Kind.CONFIG_MAP, configMap(name));
                case 1 -> client.get(Kind.CONFIG_MAP, name);
                case 2 -> client.list(Interest.all(Kind.POD), "");
                case 3 -> client.delete(Kind.CONFIG_MAP, name, Deletion.DEFAULT);
                default -> readLog();
            }
            return true;
        } catch (RuntimeException | IOException e) {
            return false;
        }
    }

    private void readLog() throws IOException, InterruptedException {
        try (InputStream log = client.log(pod, Map.of("tailLines", "5"))) {
            log.readAllBytes();
        }
    }

    private static ObjectNode configMap(NamespacedName name) {
        return (ObjectNode) Json.parse("""
            {"metadata":{"namespace":"%s","name":"%s"},"data":{"colour":"green"}}\
            """.formatted(name.namespace(), name.name()));
    }
}
