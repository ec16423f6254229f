package io.fairlead.node;

import io.fairlead.api.Pod;
import io.fairlead.api.Probe;
import io.fairlead.node.ContainerRecord.State;
import io.fairlead.runtime.TaskGroup;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The processes of one pod's containers and their probers. It belongs to the pod's worker; the tasks it starts only
/// ring.
final class Containers {
    private final TaskGroup tasks;
    private final Runnable ring;
    private final Map<String, ContainerProcess> processes = new HashMap<>();
    private final Map<String, Prober> probers = new HashMap<>();

    Containers(TaskGroup tasks, Runnable ring) {
        this.tasks = tasks;
        this.ring = ring;
    }

    /// Takes over what the record says is running, dead or alive.
    void adopt(PodRecord record) {
        for (ContainerRecord container : record.containers()) {
            if (container.now() instanceof State.Running running) {
                add(container.name(), new ContainerProcess.Adopted(running.process()));
            }
        }
    }

    void add(String name, ContainerProcess process) {
        processes.put(name, process);
        tasks.run("wait/" + name, () -> {
            process.await();
            ring.run();
        });
    }

    /// The record after the ends that came since.
    PodRecord withEnds(PodRecord record, Instant now) {
        PodRecord result = record;
        for (ContainerRecord container : record.containers()) {
            ContainerProcess process = processes.get(container.name());
            if (container.now() instanceof State.Running running && process != null && !process.isAlive()) {
                result = result.with(container.name(), c -> c.exited(running, process.ending(), now));
                processes.remove(container.name());
                probers.remove(container.name());
            }
        }
        return result;
    }

    /// Starts the probers that are missing.
    void probe(Pod pod, PodRecord record) {
        for (Pod.Container container : pod.spec().containers()) {
            ContainerProcess process = processes.get(container.name());
            if (process != null && !probers.containsKey(container.name())) {
                probers.put(container.name(), startProber(pod, record, container, process));
            }
        }
    }

    private Prober startProber(Pod pod, PodRecord record, Pod.Container container, ContainerProcess process) {
        boolean asked = !(container.readinessProbe().action() instanceof Probe.Action.None);
        // A restart of the agent must not take a pod out of service: what was ready is, until its probe says no.
        boolean wasReady =
                process instanceof ContainerProcess.Adopted && pod.status().ready();
        Prober prober = new Prober(container, record.addresses().getFirst(), !asked || wasReady);
        if (asked) {
            tasks.run("probe/" + container.name(), () -> prober.run(process, ring));
        }
        return prober;
    }

    /// The names of the containers that are ready.
    Set<String> ready() {
        return probers.entrySet().stream()
                .filter(entry -> entry.getValue().isReady())
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }
}
