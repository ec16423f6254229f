package io.fairlead.agent;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.containers.PodNames;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.runtime.ApplyLoop;
import io.fairlead.runtime.ApplyLoop.Reason;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Hands each pod's worker what the newest Snapshot wants of it, and finds a worker for each pod that is new.
final class PodLoop implements ApplyLoop.Work<Snapshot> {
    private static final Logger LOG = LoggerFactory.getLogger(PodLoop.class);

    private final NodeParts node;
    private final TaskGroup tasks;
    private final Map<String, PodWorker> workers = new ConcurrentHashMap<>(); // by the pod's uid
    private final Departures departures = new Departures();
    private Snapshot before = Snapshot.EMPTY;

    PodLoop(NodeParts node, TaskGroup tasks) {
        this.node = node;
        this.tasks = tasks;
    }

    /// Takes over the pods of an agent before this one; once, before [#run].
    void adopt() throws InterruptedException {
        List<PodRecord> records = node.state().records();
        removeStrangers(records);
        records.forEach(record -> {
            LOG.info("event=pod-adopted pod={}", record.key());
            startWorker(record);
        });
    }

    void run(Latest<Snapshot> snapshots) throws InterruptedException {
        new ApplyLoop<>(snapshots, this).run();
    }

    @Override
    public void apply(Snapshot snapshot, Reason reason) {
        changedPods(before, snapshot)
                .forEach(key -> snapshot.pods().find(key).ifPresent(pod -> alone(key, () -> welcome(pod))));
        departures.follow(before, snapshot, workers.keySet());
        workers.values()
                .forEach(worker -> alone(
                        worker.key(),
                        () -> worker.desire(
                                DesiredState.of(snapshot, worker.key(), worker.uid(), departures.of(worker.uid())))));
        workers.values().removeIf(worker -> worker.isGone() && !isKnown(snapshot, worker));
        before = snapshot;
    }

    /// The pods of this node that are to run.
    List<PodWorker> workers() {
        return workers.values().stream().filter(worker -> !worker.isGone()).toList();
    }

    /// What fails for one pod fails for it alone.
    private void alone(NamespacedName pod, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            tasks.faults().ended("node", "pod/" + pod, e);
        }
    }

    /// The pod of this name that is not gone; any thread may ask.
    Optional<PodView> find(NamespacedName name) {
        return workers.values().stream()
                .filter(worker -> worker.key().equals(name) && !worker.isGone())
                .findFirst()
                .map(PodWorker::view);
    }

    private static Set<NamespacedName> changedPods(Snapshot before, Snapshot snapshot) {
        Set<NamespacedName> changed = new TreeSet<>();
        snapshot.pods().changedSince(before.pods(), changed::add);
        return changed;
    }

    /// A pod that is over and that we know nothing of stays as it is, unless it wants to be deleted.
    private void welcome(Pod pod) {
        boolean ours = pod.spec().nodeName().equals(node.config().name());
        boolean open = !pod.status().isOver() || pod.metadata().isTerminating();
        if (ours && open && !workers.containsKey(pod.metadata().uid())) {
            PodNames names = PodNames.of(node.config().namespacePrefix(), pod);
            startWorker(PodRecord.of(pod, names, Instant.now()));
        }
    }

    private void startWorker(PodRecord record) {
        PodWorker worker = new PodWorker(node, record, tasks);
        workers.put(record.uid(), worker);
        tasks.runAlone("pod/" + record.key(), worker::run);
    }

    /// A worker that is done is kept while an old Snapshot may still show its pod, or the pod would start anew.
    private static boolean isKnown(Snapshot snapshot, PodWorker worker) {
        return snapshot.pods()
                .find(worker.key())
                .filter(pod -> pod.metadata().uid().equals(worker.uid()))
                .isPresent();
    }

    /// Namespaces with our prefix that no record names: the record was lost, so no worker will remove them.
    private void removeStrangers(List<PodRecord> records) throws InterruptedException {
        Set<String> known =
                records.stream().map(record -> record.names().namespace()).collect(Collectors.toSet());
        String prefix = PodNames.namespacePrefix(node.config().namespacePrefix());
        for (NetworkNamespace namespace : NetworkNamespace.startingWith(prefix)) {
            if (!known.contains(namespace.name())) {
                PodNetwork.killAll(namespace, _ -> true);
                namespace.delete();
                LOG.info("event=namespace-removed namespace={} reason=\"it has no pod\"", namespace.name());
            }
        }
    }
}
