package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.runtime.TaskGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class ConcurrencyTest {
    private static final String SERVICES = "/api/v1/namespaces/default/services";
    private static final int CLIENTS = 16;
    private static final int ROUNDS = 20;

    private TestServer server;

    /// What one client does in one round.
    private interface Step {
        void run(int client, int round) throws Exception;
    }

    @BeforeEach
    void start() throws Exception {
        server = TestServer.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static void inParallel(Step step) throws Exception {
        CountDownLatch done = new CountDownLatch(CLIENTS);
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        try (TaskGroup tasks = new TaskGroup("clients")) {
            for (int client = 0; client < CLIENTS; client++) {
                int number = client;
                tasks.run("client-" + client, () -> {
                    try {
                        for (int round = 0; round < ROUNDS; round++) {
                            step.run(number, round);
                        }
                    } catch (Exception | AssertionError e) {
                        failures.add(e);
                    } finally {
                        done.countDown();
                    }
                });
            }
            done.await();
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void services_made_at_once_never_share_an_address_or_a_node_port() throws Exception {
        List<String> addresses = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();

        inParallel((client, round) -> server.post(
                SERVICES,
                Bodies.service("s-%d-%d".formatted(client, round), "\"type\":\"NodePort\",\"ports\":[{\"port\":80}]")));

        server.get(SERVICES).body().path("items").valueStream().forEach(service -> {
            addresses.add(Json.text(service, "spec", "clusterIP"));
            ports.add(Json.number(service.path("spec").path("ports").path(0), 0, "nodePort"));
        });
        assertThat(addresses).hasSize(CLIENTS * ROUNDS + 1).doesNotHaveDuplicates();
        assertThat(ports.stream().filter(port -> port != 0))
                .hasSize(CLIENTS * ROUNDS)
                .doesNotHaveDuplicates();
    }

    @Test
    void of_many_who_ask_for_one_address_and_port_one_gets_them() throws Exception {
        AtomicInteger winners = new AtomicInteger();

        inParallel((client, round) -> {
            String spec = "\"type\":\"NodePort\",\"clusterIP\":\"10.96.0.%d\",\"ports\":[{\"port\":80,\"nodePort\":%d}]"
                    .formatted(round + 10, 30000 + round);
            var reply = server.post(SERVICES, Bodies.service("w-%d-%d".formatted(client, round), spec));
            assertThat(reply.code()).isIn(201, 422);
            winners.addAndGet(reply.code() == 201 ? 1 : 0);
        });

        assertThat(winners).hasValue(ROUNDS);
        assertThat(server.get(SERVICES).names()).hasSize(ROUNDS + 1);
    }

    @Test
    void no_patch_is_lost_among_many() throws Exception {
        server.post("/api/v1/namespaces/default/pods", VerbsTest.pod("busy"));

        inParallel((client, round) -> {
            String label = "{\"metadata\":{\"labels\":{\"l-%d-%d\":\"x\"}}}".formatted(client, round);
            assertThat(server.merge("/api/v1/namespaces/default/pods/busy", label)
                            .code())
                    .isEqualTo(200);
        });

        var labels = Json.map(server.get("/api/v1/namespaces/default/pods/busy").body(), "metadata", "labels");
        assertThat(labels).hasSize(CLIENTS * ROUNDS + 1);
    }

    @Test
    void a_client_reads_its_own_writes() throws Exception {
        inParallel((client, round) -> {
            String name = "own-%d-%d".formatted(client, round);
            var created = server.post(SERVICES, Bodies.service(name, "\"ports\":[{\"port\":80}]"));
            assertThat(server.get(SERVICES + "/" + name).version()).isEqualTo(created.version());
            server.delete(SERVICES + "/" + name);
            assertThat(server.get(SERVICES + "/" + name).code()).isEqualTo(404);
        });
        // All that was taken has been given back.
        assertThat(server.store().list("ipaddresses").items()).hasSize(1);
    }

    @Test
    void watchers_all_see_every_change_once_and_in_order() throws Exception {
        String from = server.get(SERVICES).version();
        Set<List<String>> told = ConcurrentHashMap.newKeySet();
        CountDownLatch done = new CountDownLatch(CLIENTS);
        try (TaskGroup tasks = new TaskGroup("watchers")) {
            for (int i = 0; i < CLIENTS; i++) {
                tasks.run("watcher-" + i, () -> {
                    try (WatchReader watch = server.watch(SERVICES + "?resourceVersion=" + from)) {
                        told.add(watch.next(2 * CLIENTS * ROUNDS));
                    }
                    done.countDown();
                });
            }
            inParallel((client, round) -> {
                String name = "w-%d-%d".formatted(client, round);
                server.post(SERVICES, Bodies.service(name, "\"ports\":[{\"port\":80}]"));
                server.delete(SERVICES + "/" + name);
            });
            done.await();
        }
        assertThat(told).hasSize(1);
        List<String> events = told.iterator().next();
        assertThat(events).doesNotHaveDuplicates();
        assertThat(events).allSatisfy(event -> {
            if (event.startsWith("DELETED ")) {
                assertThat(events.indexOf(event.replace("DELETED", "ADDED"))).isLessThan(events.indexOf(event));
            }
        });
        assertThat(Stream.of("ADDED", "DELETED"))
                .allMatch(
                        type -> events.stream().filter(e -> e.startsWith(type)).count() == CLIENTS * ROUNDS);
    }
}
