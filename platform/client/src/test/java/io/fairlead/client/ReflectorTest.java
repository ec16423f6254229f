package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class ReflectorTest {
    private static final Interest SERVICES = Interest.all(Kind.SERVICE);
    private static final Interest SLICES = Interest.all(Kind.ENDPOINT_SLICE);

    private final TestCluster cluster = new TestCluster();
    private final ApiClient client = new ApiClient(ClusterAccess.of(cluster.uri()));
    private final TaskGroup tasks = new TaskGroup("test");

    @AfterEach
    void close() {
        tasks.close();
        client.close();
        cluster.close();
    }

    private Reflector started(Interest... interests) {
        Reflector reflector = new Reflector(client, List.of(interests));
        reflector.run(tasks);
        return reflector;
    }

    private static NamespacedName name(String name) {
        return new NamespacedName("default", name);
    }

    private static ObjectNode service(int port) {
        ObjectNode service = Json.object();
        service.putObject("spec").putArray("ports").addObject().put("port", port);
        return service;
    }

    private static String shown(Snapshot snapshot) {
        TreeSet<String> names = new TreeSet<>();
        snapshot.services()
                .forEach((name, service) ->
                        names.add(name.name() + ":" + service.ports().getFirst().port()));
        return String.join(" ", names);
    }

    private static void awaitServices(Latest<Snapshot> box, String services) {
        await().untilAsserted(
                        () -> assertThat(box.peek().map(ReflectorTest::shown)).contains(services));
    }

    @Test
    void what_is_listed_and_what_happens_later_are_in_the_snapshot() {
        cluster.put(Kind.SERVICE, name("a"), service(1));
        Latest<Snapshot> box = started(SERVICES).snapshots();
        awaitServices(box, "a:1");
        cluster.put(Kind.SERVICE, name("b"), service(2));
        cluster.put(Kind.SERVICE, name("a"), service(3));
        awaitServices(box, "a:3 b:2");
        cluster.remove(Kind.SERVICE, name("a"));
        awaitServices(box, "b:2");
        assertThat(box.peek().orElseThrow().revision().value()).isEqualTo(14);
        assertThat(cluster.lists()).isEqualTo(1);
    }

    @Test
    void every_reader_has_a_box_of_its_own_also_a_late_one() throws Exception {
        cluster.put(Kind.SERVICE, name("a"), service(1));
        Reflector reflector = started(SERVICES);
        Latest<Snapshot> one = reflector.snapshots();
        assertThat(shown(one.take())).isEqualTo("a:1");
        Latest<Snapshot> two = reflector.snapshots();
        assertThat(shown(two.take())).isEqualTo("a:1");
        assertThat(one.take(Duration.ZERO)).isEmpty();
    }

    @Test
    void nothing_is_published_until_every_kind_was_listed() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        try (var server = new HttpTestServer((request, reply) -> {
                    if (request.path().endsWith("endpointslices")) {
                        asked.countDown();
                        answer.await();
                    }
                    if (request.query().containsKey("watch")) {
                        reply.startStream();
                        new CountDownLatch(1).await();
                    }
                    reply.json(200, "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[]}");
                });
                var other = new ApiClient(ClusterAccess.of(server.uri()));
                var group = new TaskGroup("two-kinds")) {
            Reflector reflector = new Reflector(other, List.of(SLICES, SERVICES)); // the one without an answer first
            Latest<Snapshot> box = reflector.snapshots();
            reflector.run(group);
            await().until(() -> !reflector.health().lostSince().containsKey(Kind.SERVICE));
            assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(box.peek()).isEmpty();
            assertThat(reflector.health().complete()).isFalse();
            answer.countDown();
            assertThat(box.take().revision().value()).isEqualTo(5);
            await().until(() -> reflector.health().isLive());
        }
    }

    @Test
    void a_broken_watch_is_taken_up_where_it_broke_off() {
        Latest<Snapshot> box = started(SERVICES).snapshots();
        for (int i = 1; i <= 5; i++) {
            cluster.put(Kind.SERVICE, name("a"), service(i));
            awaitServices(box, "a:" + i);
            awaitReturnTo(cluster.revision());
        }
        cluster.put(Kind.SERVICE, name("b"), service(9));
        awaitServices(box, "a:5 b:9");
        assertThat(cluster.lists()).isEqualTo(1);
    }

    /// Breaks the watches until one begins where all that happened so far has been told.
    private void awaitReturnTo(long revision) {
        await().until(() -> {
            cluster.dropWatches();
            return cluster.lastWatchFrom() == revision;
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_revision_that_is_no_longer_kept_makes_it_list_again_and_what_vanished_meanwhile_is_gone(boolean asEvent) {
        cluster.put(Kind.SERVICE, name("a"), service(1));
        cluster.put(Kind.SERVICE, name("b"), service(1));
        Latest<Snapshot> box = started(SERVICES).snapshots();
        awaitServices(box, "a:1 b:1");
        cluster.goAway(true);
        cluster.remove(Kind.SERVICE, name("a"));
        cluster.put(Kind.SERVICE, name("b"), service(2));
        cluster.compact(asEvent);
        cluster.goAway(false);
        awaitServices(box, "b:2");
        assertThat(cluster.lists()).isEqualTo(2);
    }

    @Test
    void a_bookmark_moves_the_point_of_return_past_the_compaction() {
        Reflector reflector = started(SERVICES);
        Latest<Snapshot> box = reflector.snapshots();
        await().until(() -> reflector.health().isLive());
        cluster.put(Kind.POD, name("other"), Json.object());
        cluster.bookmark(Kind.SERVICE);
        awaitReturnTo(cluster.revision());
        cluster.compact(false);
        cluster.dropWatches();
        cluster.put(Kind.SERVICE, name("b"), service(1));
        awaitServices(box, "b:1");
        assertThat(cluster.lists()).isEqualTo(1);
    }

    @Test
    void a_server_that_is_away_leaves_the_last_snapshot_and_the_health_tells() {
        cluster.put(Kind.SERVICE, name("a"), service(1));
        Reflector reflector = started(SERVICES);
        Latest<Snapshot> box = reflector.snapshots();
        awaitServices(box, "a:1");
        await().until(() -> reflector.health().isLive());
        cluster.goAway(true);
        await().until(() -> reflector.health().lostSince().containsKey(Kind.SERVICE));
        assertThat(shown(box.peek().orElseThrow())).isEqualTo("a:1");
        assertThat(reflector.health().complete()).isTrue();
        assertThat(reflector.health().isLive()).isFalse();
        cluster.goAway(false);
        await().until(() -> reflector.health().isLive());
    }

    @Test
    void events_that_come_together_become_few_snapshots_and_all_are_in_the_last() throws Exception {
        StringBuilder burst = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            burst.append(
                    "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"s%d\",\"resourceVersion\":\"%d\"}}}\n"
                            .formatted(i, 100 + i));
        }
        try (var server = new HttpTestServer((request, reply) -> {
                    if (request.query().containsKey("watch")) {
                        reply.startStream();
                        reply.chunk(burst.toString());
                        new CountDownLatch(1).await();
                    }
                    reply.json(200, "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[]}");
                });
                var other = new ApiClient(ClusterAccess.of(server.uri()));
                var group = new TaskGroup("burst")) {
            Reflector reflector = new Reflector(other, List.of(SERVICES));
            Latest<Snapshot> box = reflector.snapshots();
            reflector.run(group);
            int taken = 0;
            Snapshot newest = Snapshot.EMPTY;
            while (newest.services().size() < 500) {
                newest = box.take();
                taken++;
            }
            assertThat(newest.revision().value()).isEqualTo(599);
            assertThat(taken).isLessThan(50);
        }
    }

    @Test
    void whatever_breaks_the_snapshot_ends_up_as_the_cluster_is() {
        Random random = new Random(42);
        Latest<Snapshot> box = started(SERVICES).snapshots();
        TreeSet<String> expected = new TreeSet<>();
        int[] ports = new int[10];
        for (int step = 0; step < 600; step++) {
            int which = random.nextInt(10);
            switch (random.nextInt(12)) {
                case 0 -> cluster.dropWatches();
                case 1 -> cluster.bookmark(Kind.SERVICE);
                case 2 -> cluster.compact(random.nextBoolean());
                case 3, 4, 5 -> {
                    if (ports[which] != 0) {
                        ports[which] = 0;
                        cluster.remove(Kind.SERVICE, name("s" + which));
                    }
                }
                default -> {
                    ports[which] = step + 1;
                    cluster.put(Kind.SERVICE, name("s" + which), service(step + 1));
                }
            }
        }
        for (int i = 0; i < 10; i++) {
            if (ports[i] != 0) {
                expected.add("s" + i + ":" + ports[i]);
            }
        }
        awaitServices(box, String.join(" ", expected));
    }

    @Test
    void two_interests_in_one_kind_and_kinds_without_a_view_are_refused() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new Reflector(client, List.of(SERVICES, Interest.labelled(Kind.SERVICE, "a=b"))));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new Reflector(client, List.of(Interest.all(Kind.EVENT))));
    }

    /// A fault of ours in reading one object: the watch lists again, and neither it nor the program ends.
    @Test
    void a_fault_in_reading_an_object_ends_neither_the_watch_nor_the_program() {
        AtomicInteger faults = new AtomicInteger(3);
        Excerpt broken = new Excerpt(Set.of(), object -> {
            if (object.key().name().equals("b") && faults.getAndDecrement() > 0) {
                throw new IllegalStateException("a fault of ours");
            }
            return object;
        });
        cluster.put(Kind.SERVICE, name("a"), service(1));
        Reflector reflector = new Reflector(client, List.of(SERVICES), broken);
        reflector.run(tasks);
        Latest<Snapshot> box = reflector.snapshots();
        awaitServices(box, "a:1");
        cluster.put(Kind.SERVICE, name("b"), service(2));
        awaitServices(box, "a:1 b:2");
        cluster.put(Kind.SERVICE, name("c"), service(3));
        awaitServices(box, "a:1 b:2 c:3");
        assertThat(tasks.faults().counts()).containsKey("watch-services");
    }
}
