package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A StatefulSet on a real cluster: its pods have names that last, and come and go in order.
interface OrderedPods {
    List<String> FIRST_TO_LAST = List.of("ordered-0", "ordered-1", "ordered-2");

    Workbench bench();

    @BesideOthers
    default void a_stateful_set_starts_rolls_and_shrinks_in_order_under_names_that_last() throws Exception {
        try (PodHistory history = PodHistory.follow(bench().kubectl(), "app=ordered")) {
            bench().create(MANIFEST);
            List<String> expected = new ArrayList<>();
            FIRST_TO_LAST.forEach(pod -> expected.addAll(List.of("added " + pod, "ready " + pod)));
            Workbench.soon(() -> assertThat(history.steps()).isEqualTo(expected));
            checkNames();

            bench().run("set env statefulset ordered COLOUR=blue");
            assertThat(bench().run("rollout status statefulset ordered --timeout=90s"))
                    .contains("complete");
            FIRST_TO_LAST.reversed().stream()
                    .flatMap(pod -> Stream.of("leaving ", "deleted ", "added ", "ready ")
                            .map(step -> step + pod))
                    .forEach(expected::add);
            Workbench.soon(() -> assertThat(history.steps()).isEqualTo(expected));
            assertThat(bench().run("exec ordered-1 -- env")).contains("COLOUR=blue", "HOSTNAME=ordered-1");

            bench().run("scale statefulset ordered --replicas=1");
            expected.addAll(
                    List.of("leaving ordered-2", "deleted ordered-2", "leaving ordered-1", "deleted ordered-1"));
            Workbench.soon(() -> assertThat(history.steps()).isEqualTo(expected));
        }
        bench().run("delete statefulset,service ordered --wait=false");
    }

    private void checkNames() throws Exception {
        String known = bench().run("exec ordered-1 -- cat /etc/hostname /etc/hosts");
        String ip = bench().field("pod ordered-1", ".status.podIP");
        assertThat(known).startsWith("ordered-1\n");
        assertThat(known).contains(ip + "\tordered-1.ordered.default.svc.cluster.local\tordered-1\n");
        Workbench.soon(() -> assertThat(bench().field("endpoints ordered", ".subsets[0].addresses[*].hostname")
                        .split(" ", -1))
                .containsExactlyInAnyOrderElementsOf(FIRST_TO_LAST));
    }

    String MANIFEST = """
        apiVersion: v1
        kind: Service
        metadata: {name: ordered}
        spec: {clusterIP: None, selector: {app: ordered}, ports: [{port: 80}]}
        ---
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: ordered}
        spec:
          serviceName: ordered
          replicas: 3
          selector: {matchLabels: {app: ordered}}
          template:
            metadata: {labels: {app: ordered}}
            spec: {containers: [{name: main, image: fairlead/pause}]}
        """;
}
