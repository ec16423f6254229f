package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.RouteSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// What a cluster that has ended should not have left on the machine.
final class Leavings {
    private Leavings() {}

    /// Asserts that nothing is left. It waits a little: a process that has ended stays a zombie until init reaps it.
    static void assertNone(String cluster, Collection<Long> processes) {
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(of(cluster, processes))
                        .as("what is left behind")
                        .isEmpty());
    }

    /// Namespaces named after the cluster, links other than loopback, routes, and those of `processes` that still live.
    static List<String> of(String cluster, Collection<Long> processes) throws IOException {
        List<String> leavings = new ArrayList<>();
        NetworkNamespace.startingWith(cluster).forEach(namespace -> leavings.add(namespace.toString()));
        try (RouteSocket route = RouteSocket.open()) {
            route.links().stream().filter(link -> !link.equals("lo")).forEach(link -> leavings.add("link " + link));
        }
        Files.readAllLines(Path.of("/proc/self/net/route")).stream()
                .skip(1)
                .forEach(line -> leavings.add("route " + line));
        processes.stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .filter(ProcessHandle::isAlive)
                .forEach(process -> leavings.add("process " + process.info()));
        return leavings;
    }

    static void deleteFolder(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
