package io.fairlead.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SnapshotTest {
    private static KubernetesObject object(Kind kind, String name, int revision, String service) {
        String json = """
            {"metadata":{"namespace":"default","name":"%s","resourceVersion":"%d",
             "labels":{"kubernetes.io/service-name":"%s"}}}\
            """.formatted(name, revision, service);
        return KubernetesObject.of(kind, Json.parse(json)).orElseThrow();
    }

    private static NamespacedName name(String name) {
        return new NamespacedName("default", name);
    }

    private static EndpointSlice slice(String name, int revision, String service) {
        return (EndpointSlice) object(Kind.ENDPOINT_SLICE, name, revision, service);
    }

    @Test
    void each_kind_is_kept_apart_and_can_be_taken_out_again() {
        List<Kind> kinds =
                List.of(Kind.SERVICE, Kind.ENDPOINT_SLICE, Kind.POD, Kind.NODE, Kind.DEPLOYMENT, Kind.REPLICA_SET);
        Snapshot all = Snapshot.EMPTY;
        for (Kind kind : kinds) {
            all = all.with(object(kind, "same-name", 1, "web"));
        }
        for (Kind kind : kinds) {
            assertThat(all.all(kind)).hasSize(1);
            Snapshot without = all.without(object(kind, "same-name", 2, ""));
            assertThat(without.all(kind)).isEmpty();
            assertThat(kinds.stream().mapToInt(k -> without.all(k).size()).sum())
                    .isEqualTo(5);
        }
    }

    @Test
    void a_slice_is_found_by_its_service_also_after_it_moved() {
        Snapshot one = Snapshot.EMPTY.with(slice("b", 1, "web")).with(slice("a", 2, "web"));
        assertThat(one.slicesOf(name("web"))).extracting(s -> s.key().name()).containsExactly("a", "b");
        Snapshot moved = one.with(slice("a", 3, "shop"));
        assertThat(moved.slicesOf(name("web"))).extracting(s -> s.key().name()).containsExactly("b");
        assertThat(moved.slicesOf(name("shop"))).extracting(s -> s.key().name()).containsExactly("a");
        assertThat(moved.servicesChangedSince(one)).containsExactly(name("shop"), name("web"));
        Snapshot none = moved.without(slice("a", 9, "web")); // where it last was counts, not what the argument says
        assertThat(none.slicesByService().keys()).containsExactly(name("web"));
    }

    @Test
    void pods_are_found_by_their_node_and_by_who_controls_them() {
        ReplicaSet owner = (ReplicaSet)
                KubernetesObject.of(Kind.REPLICA_SET, Json.parse("{\"metadata\":{\"name\":\"set\",\"uid\":\"u\"}}"))
                        .orElseThrow();
        Snapshot waiting = Snapshot.EMPTY.with(ownedPod("a", "")).with(ownedPod("b", "n1"));
        assertThat(waiting.podsOn("").keys()).containsExactly(name("a"));
        assertThat(waiting.podsOf(owner)).hasSize(2);
        assertThat(waiting.replicaSetsOf(owner)).isEmpty();
        Snapshot placed = waiting.with(ownedPod("a", "n1"));
        assertThat(placed.podsOn("").isEmpty()).isTrue();
        assertThat(placed.podsOn("n1").size()).isEqualTo(2);
        assertThat(placed.without(ownedPod("a", "")).podsOf(owner)).hasSize(1);
    }

    private static Pod ownedPod(String name, String node) {
        return Pod.of(Json.parse("""
            {"metadata":{"namespace":"default","name":"%s","ownerReferences":[{"uid":"x"},{"uid":"u","controller":true}]},
             "spec":{"nodeName":"%s"}}\
            """.formatted(name, node)));
    }

    @Test
    void an_older_snapshot_does_not_change() {
        Snapshot older = Snapshot.EMPTY.with(slice("a", 1, "web")).at(new Revision(1));
        Snapshot newer = older.without(slice("a", 1, "web")).at(new Revision(2));
        assertThat(older.slicesOf(name("web"))).hasSize(1);
        assertThat(newer.endpointSlices().isEmpty()).isTrue();
        assertThat(newer.slicesByService().isEmpty()).isTrue();
        assertThat(older.revision()).isEqualTo(new Revision(1));
    }

    @Test
    void the_services_that_changed_are_those_whose_object_or_slices_differ() {
        Random random = new Random(7);
        List<Snapshot> history = new ArrayList<>(List.of(Snapshot.EMPTY));
        Snapshot now = Snapshot.EMPTY;
        for (int step = 1; step < 3000; step++) {
            now = step(now, random, step);
            Snapshot earlier = history.get(random.nextInt(history.size()));
            assertThat(now.servicesChangedSince(earlier)).isEqualTo(expected(earlier, now));
            if (step % 20 == 0) {
                history.add(now);
            }
        }
    }

    private static Snapshot step(Snapshot now, Random random, int step) {
        String service = "s" + random.nextInt(8);
        KubernetesObject object = random.nextBoolean()
                ? object(Kind.SERVICE, service, step, "")
                : slice("e" + random.nextInt(20), step, service);
        return random.nextInt(3) == 0 ? now.without(object) : now.with(object);
    }

    private static Set<NamespacedName> expected(Snapshot older, Snapshot newer) {
        Map<NamespacedName, List<Object>> before = byService(older);
        Map<NamespacedName, List<Object>> after = byService(newer);
        Set<NamespacedName> changed = new TreeSet<>();
        Stream.concat(before.keySet().stream(), after.keySet().stream())
                .filter(service -> !Objects.equals(before.get(service), after.get(service)))
                .forEach(changed::add);
        return changed;
    }

    private static Map<NamespacedName, List<Object>> byService(Snapshot snapshot) {
        Map<NamespacedName, List<Object>> all = new HashMap<>();
        snapshot.services()
                .forEach((name, service) ->
                        all.computeIfAbsent(name, _ -> new ArrayList<>()).add(service));
        snapshot.endpointSlices()
                .values()
                .sorted(Comparator.comparing(EndpointSlice::key))
                .forEach(slice -> all.computeIfAbsent(slice.service(), _ -> new ArrayList<>())
                        .add(slice));
        return all;
    }
}
