package io.fairlead.commands;

import static io.fairlead.fakes.Manifests.name;
import static io.fairlead.fakes.Manifests.replicaSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.endpoints.EndpointSliceController;
import io.fairlead.endpoints.EndpointSlices;
import io.fairlead.fakes.Manifests;
import io.fairlead.fakes.MemoryApiServer;
import io.fairlead.runner.Controller;
import io.fairlead.runner.ControllerRunner;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Write;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.workloads.ReplicaSetController;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ControllerRunnerTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final String PODS = "POST /api/v1/namespaces/default/pods";

    private final MemoryApiServer server = new MemoryApiServer();
    private final ApiClient client = server.client();
    private final TaskGroup tasks = new TaskGroup("test");
    private final Latest<Snapshot> box = new Latest<>();

    @AfterEach
    void close() {
        tasks.close();
        client.close();
        server.close();
    }

    /// A controller that also tells which Snapshot it was last asked about.
    private static final class Told implements Controller {
        private final Controller controller;
        private final AtomicReference<Snapshot> newest = new AtomicReference<>(Snapshot.EMPTY);

        Told(Controller controller) {
            this.controller = controller;
        }

        @Override
        public String name() {
            return controller.name();
        }

        @Override
        public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
            newest.set(now);
            return controller.changed(before, now);
        }

        @Override
        public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
            return controller.reconcile(object, now, moment);
        }
    }

    private Told started(Controller controller, Duration patience) {
        Told told = new Told(controller);
        tasks.run("runner", () -> new ControllerRunner(told, box, client, patience).run());
        return told;
    }

    private void put(String manifest) {
        server.with(cluster -> cluster.put(manifest));
    }

    private List<NamespacedName> pods() {
        return server.with(cluster -> cluster.names(Kind.POD));
    }

    private void awaitRequests(String start, int count) {
        await().untilAsserted(() -> assertThat(server.count(start)).isEqualTo(count));
    }

    @Test
    void nothing_is_done_twice_while_the_snapshots_lag_behind_the_writes() {
        put(replicaSet("web", 3));
        Snapshot old = server.snapshot();
        Told told = started(new ReplicaSetController(), LONG);
        box.offer(old);
        awaitRequests(PODS, 3);
        // Snapshots in which the set differs, so that it is due, but in which its pods are not there yet.
        for (int i = 0; i < 5; i++) {
            String beat = "{\"metadata\":{\"annotations\":{\"beat\":\"%d\"}}}".formatted(i);
            server.with(cluster -> cluster.patch(Kind.REPLICA_SET, name("web"), Json.parse(beat)));
            Snapshot late =
                    old.with(server.snapshot().replicaSets().find(name("web")).orElseThrow());
            box.offer(late);
            await().until(() -> late.equals(told.newest.get()));
        }
        assertThat(server.count(PODS)).isEqualTo(3);
        box.offer(server.snapshot());
        await().untilAsserted(() -> assertThat(server.count("PATCH")).isPositive());
        assertThat(server.count(PODS)).isEqualTo(3);
    }

    @Test
    void some_of_the_writes_in_sight_are_not_enough() {
        put(replicaSet("web", 3));
        Snapshot old = server.snapshot();
        Told told = started(new ReplicaSetController(), LONG);
        box.offer(old);
        awaitRequests(PODS, 3);
        Snapshot full = server.snapshot();
        Snapshot partial = full.without(full.pods().values().findFirst().orElseThrow());
        box.offer(partial);
        await().until(() -> partial.equals(told.newest.get()));
        box.offer(full);
        await().untilAsserted(() -> assertThat(server.count("PATCH")).isPositive());
        assertThat(server.count(PODS)).isEqualTo(3);
    }

    @Test
    void what_was_deleted_again_before_the_watch_showed_it_is_made_again() {
        put(replicaSet("web", 1));
        box.offer(server.snapshot());
        started(new ReplicaSetController(), Duration.ofMillis(50));
        awaitRequests(PODS, 1);
        server.change(cluster -> {
            cluster.remove(Kind.POD, cluster.names(Kind.POD).getFirst());
        });
        awaitRequests("PATCH", 1);
        box.offer(server.snapshot()); // it shows the status, and never showed the pod
        awaitRequests(PODS, 2);
    }

    @Test
    void a_conflict_is_looked_at_again_with_the_next_snapshot() {
        put(Manifests.service("hello", ""));
        started(new EndpointSliceController(EndpointSlices.DEFAULT_SIZE), LONG);
        server.afterWrite(() -> box.offer(server.snapshot()));
        box.offer(server.snapshot());
        awaitRequests("POST", 1);
        // Another client changes the slice and we do not hear of it: our next write meets a newer version.
        NamespacedName slice =
                server.with(cluster -> cluster.names(Kind.ENDPOINT_SLICE).getFirst());
        EndpointSlice unchanged = server.snapshot().endpointSlices().find(slice).orElseThrow();
        server.with(cluster -> cluster.patch(
                Kind.ENDPOINT_SLICE, slice, Json.parse("{\"metadata\":{\"labels\":{\"team\":\"mine\"}}}")));
        server.afterWrite(() -> {});
        put(Manifests.pod("p1", "10.1.0.5"));
        box.offer(server.snapshot().with(unchanged));
        await().untilAsserted(() -> assertThat(server.count("PUT")).isPositive());
        assertThat(server.snapshot().slicesOf(name("hello")).getFirst().endpoints())
                .isEmpty();
        box.offer(server.snapshot());
        await().untilAsserted(() -> assertThat(
                        server.snapshot().slicesOf(name("hello")).getFirst().endpoints())
                .hasSize(1));
    }

    @Test
    void a_server_that_refuses_is_asked_again_and_others_do_not_wait() {
        server.refuse(request -> request.equals(PODS));
        put(replicaSet("web", 2));
        put(replicaSet("zero", 0));
        server.change(cluster -> cluster.patch(Kind.REPLICA_SET, name("zero"), "{\"status\":{\"replicas\":9}}"));
        box.offer(server.snapshot());
        started(new ReplicaSetController(), LONG);
        await().untilAsserted(() -> assertThat(server.count(PODS)).isGreaterThan(3));
        assertThat(server.count("PATCH")).isEqualTo(1);
        server.refuse(_ -> false);
        await().untilAsserted(() -> assertThat(pods()).hasSize(2));
    }

    @Test
    void more_writes_than_fit_in_one_look_are_made_in_several() {
        server.afterWrite(() -> box.offer(server.snapshot()));
        put(replicaSet("web", 250));
        box.offer(server.snapshot());
        started(new ReplicaSetController(), LONG);
        awaitRequests(PODS, 250);
        await().untilAsserted(() -> assertThat(Json.number(
                        server.with(cluster -> cluster.find(Kind.REPLICA_SET, name("web"))), 0, "status", "replicas"))
                .isEqualTo(250));
    }

    @Test
    void all_controllers_together_bring_a_deployment_up_and_down_again() {
        List<Latest<Snapshot>> boxes = new ArrayList<>();
        for (Controller controller : Controllers.all(ControllersConfig.DEFAULT)) {
            Latest<Snapshot> own = new Latest<>();
            boxes.add(own);
            tasks.run(controller.name(), () -> new ControllerRunner(controller, own, client).run());
        }
        Runnable publish = () -> boxes.forEach(own -> own.offer(server.snapshot()));
        server.afterWrite(publish);
        put(Manifests.node("n1", "a"));
        put(Manifests.node("n2", "b"));
        put(Manifests.deployment("hello", 4, "i"));
        put(Manifests.service("hello", ""));
        publish.run();
        await().until(() -> {
            server.change(cluster -> {
                cluster.runPods();
            });
            publish.run();
            return server.snapshot().slicesOf(name("hello")).stream()
                            .mapToLong(slice -> slice.endpoints().stream()
                                    .filter(EndpointSlice.Endpoint::ready)
                                    .count())
                            .sum()
                    == 4;
        });
        assertThat(server.count(PODS + "/")).isEqualTo(4); // bindings
        assertThat(server.requests().stream().filter(PODS::equals)).hasSize(4);
        server.change(cluster -> {
            cluster.remove(Kind.DEPLOYMENT, name("hello"));
            cluster.remove(Kind.SERVICE, name("hello"));
        });
        await().until(() -> {
            server.change(cluster -> {
                cluster.runPods();
            });
            publish.run();
            Snapshot now = server.snapshot();
            return now.pods().isEmpty()
                    && now.replicaSets().isEmpty()
                    && now.endpointSlices().isEmpty();
        });
    }
}
