package io.fairlead.agent;

import io.fairlead.api.Ip;
import io.fairlead.api.Pod;
import io.fairlead.containers.ContainerProbes;
import io.fairlead.containers.ContainerProcess;
import io.fairlead.containers.ContainerRecord;
import io.fairlead.containers.ContainerRecord.State;
import io.fairlead.containers.Health;
import io.fairlead.containers.ProbeQuestion;
import io.fairlead.containers.ProcessId;
import io.fairlead.kernel.ProcessEnds;
import io.fairlead.runtime.TaskGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The processes of one pod's containers and their probes. It belongs to the pod's worker; the tasks it starts only
/// ring.
final class Containers {
    private final TaskGroup tasks;
    private final ProcessEnds ends;
    private final Runnable ring;
    private final Map<String, ContainerProcess> processes = new HashMap<>();
    private final Map<String, ContainerProbes> probes = new HashMap<>();
    private final Map<String, Instant> stopping = new HashMap<>();

    Containers(TaskGroup tasks, ProcessEnds ends, Runnable ring) {
        this.tasks = tasks;
        this.ends = ends;
        this.ring = ring;
    }

    /// Takes over what the record says is running, dead or alive.
    void adopt(PodRecord record) {
        for (ContainerRecord container : record.containers()) {
            if (container.now() instanceof State.Running running) {
                processes.put(container.name(), ContainerProcess.watch(running.process(), true, ends, ring));
            }
        }
    }

    void add(String name, ProcessId process) {
        processes.put(name, ContainerProcess.watch(process, false, ends, ring));
    }

    /// The record after the ends that came since.
    PodRecord withEnds(PodRecord record, Instant now) {
        PodRecord result = record;
        for (ContainerRecord container : record.containers()) {
            ContainerProcess process = processes.get(container.name());
            if (container.now() instanceof State.Running running && process != null && !process.isAlive()) {
                result = result.with(container.name(), c -> c.exited(running, process.ending(), now));
                processes.remove(container.name());
                probes.remove(container.name());
                stopping.remove(container.name());
            }
        }
        return result;
    }

    /// Starts the probes that are missing.
    void probe(Pod pod, PodRecord record) {
        Ip address = record.addresses().getFirst();
        Stream.concat(pod.spec().initContainers().stream(), pod.spec().containers().stream())
                .filter(container -> !probes.containsKey(container.name()))
                .forEach(container -> {
                    ContainerProcess process = processes.get(container.name());
                    if (process != null) {
                        probes.put(container.name(), startProbes(pod, container, process, address));
                    }
                });
    }

    private ContainerProbes startProbes(Pod pod, Pod.Container container, ContainerProcess process, Ip address) {
        // A restart of the agent must not take a pod out of service: what was ready is, until its probe says no.
        boolean wasReady = process.isAdopted() && pod.status().ready();
        ContainerProbes started = new ContainerProbes(container, process, wasReady);
        started.start(new ProbeQuestion(container, address, process.id()), tasks, ring);
        return started;
    }

    /// Asks one container to end.
    void stop(String name, Instant now) {
        find(name).ifPresent(process -> process.id().terminate());
        stopping.put(name, now);
    }

    void kill(String name) {
        find(name).ifPresent(process -> process.id().kill());
    }

    private Optional<ContainerProcess> find(String name) {
        return Optional.ofNullable(processes.get(name));
    }

    Health health() {
        return new Health(
                named(ContainerProbes::isStarted),
                named(ContainerProbes::isReady),
                probes.entrySet().stream()
                        .filter(entry -> entry.getValue().hasFailed())
                        .collect(Collectors.toUnmodifiableMap(
                                Map.Entry::getKey,
                                entry -> Duration.ofSeconds(entry.getValue().graceSeconds()))),
                Map.copyOf(stopping));
    }

    private Set<String> named(Predicate<ContainerProbes> condition) {
        return probes.entrySet().stream()
                .filter(entry -> condition.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }
}
