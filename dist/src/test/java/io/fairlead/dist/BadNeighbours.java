package io.fairlead.dist;

import static io.fairlead.dist.Workbench.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.NetworkNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Pods that take all the processes, memory and disk they can get, or do not want to go, beside one that answers.
///
/// None of them begins before the test has read its limit from the kernel.
interface BadNeighbours {
    Workbench bench();

    /// A pod on node-1 that begins when the file `/begin` is there; `script` has no quotes.
    private void create(String name, String limits, String script) throws Exception {
        bench().create("""
            apiVersion: v1
            kind: Pod
            metadata: {name: %s}
            spec:
              nodeName: node-1
              restartPolicy: Never
              terminationGracePeriodSeconds: 2
              containers:
              - name: main
                image: busybox
                resources: {limits: {%s}}
                command: [sh, -c, "trap '' TERM; until test -e /begin; do sleep 0.1; done; %s"]
            """.formatted(name, limits, script));
        bench().run("wait --for=condition=Ready --timeout=90s pod/" + name);
    }

    private void begin(String name) throws Exception {
        bench().run("exec " + name + " -- touch /begin");
    }

    @Test
    default void pods_that_take_all_they_can_get_harm_no_other_on_their_node() throws Exception {
        bench().create("""
            apiVersion: v1
            kind: Pod
            metadata: {name: steady}
            spec: {nodeName: node-1, containers: [{name: main, image: nginx}]}
            """);
        bench().run("wait --for=condition=Ready --timeout=90s pod/steady");
        create("bomb", "", "b() { b | b & }; b; sleep 100");
        create("hog", "memory: 32Mi", "tail /dev/zero");
        create("filler", "ephemeral-storage: 8Mi", "dd if=/dev/zero of=/much bs=1M count=64; sleep 100");
        create("deaf", "", "");
        assertThat(limit("bomb", "pids", "pids.max")).isLessThanOrEqualTo(4096);
        assertThat(limit("hog", "memory", "memory.limit_in_bytes", "memory.max"))
                .isEqualTo(32 << 20);

        try (Asker asker =
                new Asker(bench().cluster().clientPod("node-2"), bench().field("pod steady", ".status.podIP"))) {
            soon(() -> assertThat(asker.answers.get()).isGreaterThan(20));
            for (String name : List.of("bomb", "hog", "filler")) {
                begin(name);
            }
            soon(() -> assertThat(bench().field("pod hog", ".status.containerStatuses[0].state.terminated.reason"))
                    .isEqualTo("OOMKilled"));
            soon(() -> assertThat(bench().field("pod filler", ".status.reason")).isEqualTo("Evicted"));
            int before = asker.answers.get();
            soon(() -> assertThat(asker.answers.get()).isGreaterThan(before + 100));
            for (String name : List.of("bomb", "hog", "filler", "deaf")) {
                bench().run("delete pod %s --timeout=90s".formatted(name));
            }
            assertThat(asker.failures).as("requests to the pod beside them").isEmpty();
        }
        assertThat(bench().field("pod steady", ".status.containerStatuses[0].restartCount"))
                .isEqualTo("0");
        bench().run("delete pod steady");
    }

    /// A limit of a pod's container as the kernel has it, in either version of control groups.
    private long limit(String pod, String controller, String... files) throws IOException {
        Path top = Path.of("/sys/fs/cgroup");
        Path tree = Files.exists(top.resolve("cgroup.controllers")) ? top : top.resolve(controller);
        Path node = tree.resolve("fairlead").resolve(bench().cluster().name() + "-node-1");
        try (Stream<Path> found = Files.find(node, 3, (path, _) -> isLimit(path, pod, List.of(files)))) {
            return Long.parseLong(
                    Files.readString(found.findFirst().orElseThrow()).strip());
        }
    }

    private static boolean isLimit(Path path, String pod, List<String> files) {
        return files.stream()
                .anyMatch(file -> path.toString().matches(".*/%s-[^/]*/main\\.[0-9]+/%s".formatted(pod, file)));
    }

    /// Asks a server over and over.
    final class Asker implements AutoCloseable {
        private final AtomicInteger answers = new AtomicInteger();
        private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean over = new AtomicBoolean();
        private final CompletableFuture<Void> done;

        private Asker(NetworkNamespace from, String ip) {
            done = CompletableFuture.runAsync(() -> {
                while (!over.get()) {
                    ask(from, ip);
                }
            });
        }

        private void ask(NetworkNamespace from, String ip) {
            try {
                String answer = ImageRegistry.get(from, ip, "/");
                if (answer.contains("Welcome to nginx!")) {
                    answers.incrementAndGet();
                } else {
                    failures.add(answer);
                }
            } catch (IOException | UncheckedIOException e) {
                failures.add(e.toString());
            }
        }

        @Override
        public void close() {
            over.set(true);
            done.join();
        }
    }
}
