package io.fairlead.agent;

import io.fairlead.api.Ip;
import io.fairlead.api.Pod;
import io.fairlead.containers.ContainerProbes;
import io.fairlead.containers.ContainerProcess;
import io.fairlead.containers.ContainerRecord;
import io.fairlead.containers.ContainerRecord.State;
import io.fairlead.containers.ProbeQuestion;
import io.fairlead.containers.ProbeResults;
import io.fairlead.containers.RuntimeContainer;
import io.fairlead.kernel.ProcessEnds;
import io.fairlead.runtime.TaskGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The processes of one pod's containers and their probes. It belongs to the pod's worker; the tasks it starts only
/// ring.
final class Containers {
    private final NodeParts node;
    private final TaskGroup tasks;
    private final ProcessEnds ends;
    private final Runnable ring;
    private final Map<String, UsedImage> images = new HashMap<>();
    private final Map<String, ContainerProcess> processes = new HashMap<>();
    private final Map<String, ContainerProbes> probes = new HashMap<>();
    private final Set<String> hooked = ConcurrentHashMap.newKeySet(); // those whose postStart is not over
    private final Map<String, Instant> stopping = new HashMap<>();

    Containers(NodeParts node, TaskGroup tasks, Runnable ring) {
        this.node = node;
        this.tasks = tasks;
        this.ends = node.programming().ends();
        this.ring = ring;
    }

    /// Takes over what the record says is running, dead or alive.
    void adopt(PodRecord record) throws InterruptedException {
        for (ContainerRecord container : record.containers()) {
            if (container.now() instanceof State.Running running) {
                Optional<RuntimeContainer> known =
                        node.runtime().find(node.sandbox(record).container(container.name(), container.restarts()));
                if (known.isPresent()) {
                    known.get().start(); // the agent before may have come no further than to write it down
                }
                processes.put(container.name(), ContainerProcess.adopt(running.process(), known, ends, ring));
            }
            if (!(container.now() instanceof State.New)) {
                images.put(container.name(), UsedImage.read(node.sandbox(record), container.name()));
            }
        }
    }

    /// Looks after a container that was just made.
    void add(String name, RuntimeContainer container, UsedImage image) {
        processes.put(name, ContainerProcess.watch(container, ends, ring));
        images.put(name, image);
    }

    /// The exact names of the images that containers have, or had when they ended.
    Map<String, String> imageIds() {
        return images.entrySet().stream()
                .filter(entry -> !entry.getValue().id().isEmpty())
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().id()));
    }

    void afterStart(String name, Hooks hooks, RuntimeContainer container) {
        if (!hooks.waitsAfterStart(name)) {
            return;
        }
        hooked.add(name);
        tasks.runAlone("started/" + name, () -> {
            try {
                hooks.afterStart(name, container);
            } finally {
                hooked.remove(name);
                ring.run();
            }
        });
    }

    void forget(String name) {
        processes.remove(name);
    }

    /// The program of a container that runs, whose namespaces others of the pod share.
    OptionalLong member() {
        return processes.values().stream()
                .filter(ContainerProcess::isAlive)
                .flatMap(process -> process.container().stream())
                .mapToLong(container -> container.processes().program())
                .findFirst();
    }

    /// The record after the ends that came since.
    PodRecord withEnds(PodRecord record, Instant now) {
        PodRecord result = record;
        for (ContainerRecord container : record.containers()) {
            ContainerProcess process = processes.get(container.name());
            if (container.now() instanceof State.Running running && process != null && !process.isAlive()) {
                String words = LastWords.read(node.sandbox(record)
                        .lastWords(node.sandbox(record).container(container.name(), container.restarts())));
                result = result.with(container.name(), c -> c.exited(running, process.ending(), words, now));
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
        process.container()
                .ifPresent(entry -> started.start(new ProbeQuestion(container, address, entry), tasks, ring));
        return started;
    }

    /// Asks one container to end, after what it wants to have done first.
    void stop(String name, Hooks hooks, Instant now) {
        stopping.put(name, now);
        String signal = UsedImage.signal(images.get(name));
        find(name)
                .ifPresent(container -> tasks.runAlone("stop/" + name, () -> {
                    hooks.beforeStop(name, container);
                    container.signal(signal);
                }));
    }

    void kill(String name) throws InterruptedException {
        Optional<RuntimeContainer> container = find(name);
        if (container.isPresent()) {
            container.get().signal("KILL");
        }
    }

    Optional<RuntimeContainer> find(String name) {
        return Optional.ofNullable(processes.get(name)).flatMap(ContainerProcess::container);
    }

    ProbeResults health() {
        return new ProbeResults(
                without(hooked, named(ContainerProbes::isStarted)),
                without(hooked, named(ContainerProbes::isReady)),
                probes.entrySet().stream()
                        .filter(entry -> entry.getValue().hasFailed())
                        .collect(Collectors.toUnmodifiableMap(
                                Map.Entry::getKey,
                                entry -> Duration.ofSeconds(entry.getValue().graceSeconds()))),
                Map.copyOf(stopping));
    }

    /// A container has started when what it wants to have done then is done.
    private static Set<String> without(Set<String> some, Set<String> all) {
        return all.stream().filter(name -> !some.contains(name)).collect(Collectors.toUnmodifiableSet());
    }

    private Set<String> named(Predicate<ContainerProbes> condition) {
        return probes.entrySet().stream()
                .filter(entry -> condition.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }
}
