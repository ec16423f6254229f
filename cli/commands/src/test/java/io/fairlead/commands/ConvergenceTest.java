package io.fairlead.commands;

import static io.fairlead.fakes.Manifests.name;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiException;
import io.fairlead.endpoints.EndpointSlices;
import io.fairlead.fakes.Manifests;
import io.fairlead.fakes.MemoryCluster;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// All controllers together on a cluster in memory, with users, nodes and bad luck in between.
///
/// Each controller sees the cluster as its runner would let it: late, at its own pace, told only what `changed` names,
/// and its writes may be cut off in the middle.
class ConvergenceTest {
    private final MemoryCluster cluster = new MemoryCluster();
    private final List<Loop> loops =
            Controllers.all(ControllersConfig.DEFAULT).stream().map(Loop::new).toList();

    /// One controller with what it has seen and what it still has to look at.
    private final class Loop {
        private final Controller controller;
        private final Set<NamespacedName> due = new TreeSet<>();
        private Snapshot seen = Snapshot.EMPTY;

        Loop(Controller controller) {
            this.controller = controller;
        }

        boolean look(int mostWrites) {
            Snapshot now = cluster.snapshot();
            due.addAll(controller.changed(seen, now));
            seen = now;
            boolean wrote = false;
            for (NamespacedName object : List.copyOf(due)) {
                due.remove(object);
                wrote |= write(object, mostWrites);
            }
            return wrote;
        }

        // Looks at the newest state, as a runner does that waits for its own writes.
        private boolean write(NamespacedName object, int mostWrites) {
            List<Write> writes = controller.reconcile(object, cluster.snapshot(), cluster.moment());
            try {
                writes.stream().limit(mostWrites).forEach(cluster::apply);
                if (!writes.isEmpty()) {
                    due.add(object); // a runner looks again when it sees what it wrote, or that it is gone again
                }
            } catch (ApiException e) {
                assertThat(e.code()).isIn(404, 409);
                due.add(object);
            }
            return !writes.isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void whatever_happens_in_the_end_everything_is_as_it_should_be(long seed) {
        Random random = new Random(seed);
        for (int era = 0; era < 4; era++) {
            for (int step = 0; step < 150; step++) {
                act(random);
                for (Loop loop : loops) {
                    if (random.nextInt(3) == 0) {
                        loop.look(random.nextInt(3) == 0 ? 1 : 100);
                    }
                }
            }
            settle();
            assertRight();
        }
    }

    private void settle() {
        for (NamespacedName node : cluster.names(Kind.NODE)) {
            cluster.patch(Kind.NODE, node, "{\"spec\":{\"unschedulable\":false}}");
        }
        if (cluster.names(Kind.NODE).isEmpty()) {
            cluster.put(Manifests.node("n0", "a"));
        }
        boolean busy = true;
        for (int round = 0; busy; round++) {
            assertThat(round).as("rounds until nothing is left to do").isLessThan(500);
            busy = false;
            for (Loop loop : loops) {
                busy |= loop.look(100);
            }
            long before = cluster.snapshot().revision().value();
            cluster.runPods();
            makeReady();
            busy |= cluster.snapshot().revision().value() != before;
        }
    }

    private void makeReady() {
        cluster.snapshot()
                .pods()
                .values()
                .sorted(Comparator.comparing(Pod::key))
                .forEach(pod -> {
                    if (!pod.status().podIps().isEmpty()
                            && !pod.status().ready()
                            && !pod.status().isOver()) {
                        ready(pod.key(), "True");
                    }
                });
    }

    private void ready(NamespacedName pod, String status) {
        cluster.patch(
                Kind.POD,
                pod,
                "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"%s\"}]}}".formatted(status));
    }

    private void act(Random random) {
        String letter = "" + (char) ('a' + random.nextInt(3));
        switch (random.nextInt(14)) {
            case 0 -> toggle(Kind.DEPLOYMENT, letter, Manifests.deployment(letter, random.nextInt(6), "v1"));
            case 1, 2 -> change(Kind.DEPLOYMENT, letter, "{\"spec\":{\"replicas\":%d}}".formatted(random.nextInt(8)));
            case 3 ->
                change(
                        Kind.DEPLOYMENT,
                        letter,
                        "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"v%d\"}]}}}}"
                                .formatted(random.nextInt(3)));
            case 4 -> toggle(Kind.SERVICE, letter, selecting(letter, letter));
            case 5 ->
                change(Kind.SERVICE, letter, "{\"spec\":{\"selector\":{\"app\":\"%s\"}}}".formatted((char)
                                ('a' + random.nextInt(3))));
            case 6 -> any(Kind.POD, random, pod -> cluster.delete(Kind.POD, pod, ""));
            case 7 -> any(Kind.ENDPOINT_SLICE, random, slice -> cluster.remove(Kind.ENDPOINT_SLICE, slice));
            case 8 ->
                any(
                        Kind.ENDPOINT_SLICE,
                        random,
                        slice -> cluster.patch(Kind.ENDPOINT_SLICE, slice, "{\"endpoints\":[]}"));
            case 9 -> any(Kind.POD, random, pod -> ready(pod, "False"));
            case 10 ->
                any(
                        Kind.NODE,
                        random,
                        node -> cluster.patch(
                                Kind.NODE, node, "{\"spec\":{\"unschedulable\":%s}}".formatted(random.nextBoolean())));
            case 11 -> {
                NamespacedName node = new NamespacedName("", "n" + random.nextInt(4));
                if (!cluster.names(Kind.NODE).contains(node)) {
                    cluster.put(Manifests.node(node.name(), "a"));
                }
            }
            case 12 ->
                any(Kind.POD, random, pod -> cluster.patch(Kind.POD, pod, "{\"status\":{\"phase\":\"Failed\"}}"));
            default -> any(Kind.POD, random, cluster::runPod);
        }
    }

    private static String selecting(String name, String app) {
        return Manifests.service(name, "").replace("\"app\":\"hello\"", "\"app\":\"" + app + "\"");
    }

    private void toggle(Kind kind, String name, String manifest) {
        if (cluster.names(kind).contains(name(name))) {
            cluster.remove(kind, name(name));
        } else {
            cluster.put(manifest);
        }
    }

    private void change(Kind kind, String name, String patch) {
        if (cluster.names(kind).contains(name(name))) {
            cluster.patch(kind, name(name), patch);
        }
    }

    private void any(Kind kind, Random random, Consumer<NamespacedName> action) {
        List<NamespacedName> names = cluster.names(kind);
        if (!names.isEmpty()) {
            action.accept(names.get(random.nextInt(names.size())));
        }
    }

    private void assertRight() {
        Snapshot now = cluster.snapshot();
        for (Controller controller : Controllers.all(ControllersConfig.DEFAULT)) {
            for (NamespacedName object : controller.changed(Snapshot.EMPTY, now)) {
                assertThat(controller.reconcile(object, now, cluster.moment()))
                        .as(controller.name())
                        .isEmpty();
            }
        }
        assertPods(now);
        assertSlices(now);
    }

    /// Each Deployment has the pods it asks for, of its newest template, ready; there are no others but dead ones.
    private static void assertPods(Snapshot now) {
        Map<String, Integer> expected = new HashMap<>();
        now.deployments().forEach((name, deployment) -> {
            if (deployment.replicas() > 0) {
                String image = Json.text(
                        deployment.template().path("spec").path("containers").get(0), "image");
                expected.put(name.name() + " " + image, deployment.replicas());
            }
        });
        Map<String, Integer> actual = new HashMap<>();
        now.pods().values().filter(pod -> !pod.status().isOver()).forEach(pod -> {
            assertThat(pod.status().ready()).isTrue();
            assertThat(pod.metadata().isTerminating()).isFalse();
            actual.merge(
                    pod.metadata().labels().get("app") + " "
                            + pod.spec().containers().getFirst().image(),
                    1,
                    Integer::sum);
        });
        assertThat(actual).isEqualTo(expected);
    }

    /// The slices of each Service together are what they would be from scratch; no other Service has any.
    private static void assertSlices(Snapshot now) {
        Map<NamespacedName, Set<String>> expected = new HashMap<>();
        Map<String, Node> nodes = now.nodes().values().collect(Collectors.toMap(Node::name, Function.identity()));
        for (Service service : now.services().values().toList()) {
            List<EndpointSlice> slices = EndpointSlices.of(
                            service, now.pods().values().toList(), nodes)
                    .stream()
                    .map(EndpointSlice::of)
                    .toList();
            expected.put(service.key(), endpoints(slices));
        }
        Map<NamespacedName, Set<String>> actual = new HashMap<>();
        now.services()
                .keys()
                .forEach(name -> assertThat(now.endpoints().find(name))
                        .as("Endpoints of " + name)
                        .isPresent());
        now.slicesByService().keys().forEach(name -> actual.put(name, endpoints(now.slicesOf(name))));
        assertThat(actual).isEqualTo(expected);
    }

    private static Set<String> endpoints(List<EndpointSlice> slices) {
        Set<String> endpoints = new TreeSet<>();
        List<Integer> sizes = new ArrayList<>();
        for (EndpointSlice slice : slices) {
            sizes.add(slice.endpoints().size());
            slice.endpoints()
                    .forEach(endpoint -> assertThat(endpoints.add(slice.ports() + " " + endpoint))
                            .isTrue());
        }
        assertThat(sizes).allMatch(size -> size <= EndpointSlices.DEFAULT_SIZE);
        return endpoints;
    }
}
