package io.fairlead.lab;

import io.fairlead.kernel.Cgroups;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.RouteSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// All that a cluster of one name has on this machine: processes, network namespaces, the host's link.
///
/// Only what carries the name exactly, or the name and a dash, is the cluster's; only processes inside its namespaces
/// are its processes.
public final class Remains {
    private static final Duration FORCED = Duration.ofSeconds(5);
    private static final Duration STEP = Duration.ofMillis(20);
    private static final int ROUNDS = 5;

    private final String cluster;
    private boolean interrupted;

    private Remains(String cluster) {
        this.cluster = cluster;
    }

    public static Remains of(String cluster) {
        Topology.requireName(cluster);
        return new Remains(cluster);
    }

    public List<NetworkNamespace> namespaces() {
        return NetworkNamespace.startingWith(cluster).stream()
                .filter(namespace ->
                        namespace.name().equals(cluster) || namespace.name().startsWith(cluster + "-"))
                .toList();
    }

    public boolean hasHostLink() {
        try (RouteSocket host = RouteSocket.open()) {
            return host.links().contains(Topology.hostLink(cluster));
        }
    }

    public Set<Long> processes() {
        long self = ProcessHandle.current().pid();
        return namespaces().stream()
                .flatMap(namespace -> namespace.processes().stream())
                .filter(pid -> pid != self)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// Ends the processes, by force after `patience`, removes the rest, and says what it did; a line each. What is
    /// begun is finished: an interrupt counts afterwards.
    public List<String> remove(Duration patience) {
        interrupted = Thread.interrupted();
        try {
            return Stream.of(endProcesses(patience), deleteHostLink(), deleteNamespaces())
                    .flatMap(List::stream)
                    .toList();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// A process that ends may have started another one just before; so it takes rounds.
    private List<String> endProcesses(Duration patience) {
        Set<Long> ended = new TreeSet<>();
        for (int round = 0; round < ROUNDS && !processes().isEmpty(); round++) {
            ended.addAll(processes());
            signal(ProcessHandle::destroy, patience);
            signal(ProcessHandle::destroyForcibly, FORCED);
        }
        Set<Long> left = processes();
        if (!left.isEmpty()) {
            throw new LabException("processes %s inside the namespaces of %s cannot be ended".formatted(left, cluster));
        }
        return ended.stream().map(pid -> "process " + pid).toList();
    }

    private void signal(Consumer<ProcessHandle> signal, Duration patience) {
        Set<Long> asked = processes();
        asked.stream().flatMap(pid -> ProcessHandle.of(pid).stream()).forEach(signal);
        long deadline = System.nanoTime() + patience.toNanos();
        // Not ProcessHandle.isAlive: that counts a dead process whose parent has not looked yet.
        while (processes().stream().anyMatch(asked::contains) && System.nanoTime() < deadline) {
            LockSupport.parkNanos(STEP.toNanos());
            interrupted |= Thread.interrupted();
        }
    }

    private List<String> deleteNamespaces() {
        List<String> removed = new ArrayList<>();
        for (NetworkNamespace namespace : namespaces()) {
            namespace.delete();
            Cgroups.remove(Cgroups.ofNode(namespace.name()));
            removed.add("network namespace " + namespace.name());
        }
        return removed;
    }

    /// The routes through the link go with it.
    private List<String> deleteHostLink() {
        if (!hasHostLink()) {
            return List.of();
        }
        try (RouteSocket host = RouteSocket.open()) {
            host.deleteLink(Topology.hostLink(cluster));
        }
        return List.of("link %s and its routes".formatted(Topology.hostLink(cluster)));
    }
}
