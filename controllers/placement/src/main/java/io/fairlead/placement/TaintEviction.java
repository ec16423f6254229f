package io.fairlead.placement;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Node.Taint;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.api.Toleration;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Lookup;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Write;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Deletes the pods of a node with a `NoExecute` taint when they have borne it for as long as they tolerate it.
///
/// A pod that says nothing of nodes that are lost gets `patience`, so that a short outage moves nothing. While no
/// node is ready at all, no pod is moved: it is rather the control plane that is cut off, and there is nowhere to go.
public final class TaintEviction implements Controller {
    private final Duration patience;

    public TaintEviction(Duration patience) {
        this.patience = patience;
    }

    @Override
    public String name() {
        return "taint-eviction";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = new TreeSet<>();
        Lookup.changes(before.nodes(), now.nodes(), (old, fresh) -> {
            fresh.filter(node -> noExecute(node).findAny().isPresent()).ifPresent(node -> changed.add(node.key()));
            if (fresh.filter(Node::ready).isPresent() && old.filter(Node::ready).isEmpty()) {
                now.nodes()
                        .values()
                        .filter(node -> noExecute(node).findAny().isPresent())
                        .forEach(n -> changed.add(n.key()));
            }
        });
        for (NamespacedName name : Lookup.changed(Kind.POD, before, now)) {
            now.pods().find(name).flatMap(pod -> taintedNode(pod, now)).ifPresent(changed::add);
        }
        return changed;
    }

    private static Optional<NamespacedName> taintedNode(Pod pod, Snapshot now) {
        return now.nodes()
                .find(new NamespacedName("", pod.spec().nodeName()))
                .filter(node -> noExecute(node).findAny().isPresent())
                .map(Node::key);
    }

    private static Stream<Taint> noExecute(Node node) {
        return node.taints().stream().filter(taint -> taint.effect().equals(Taint.NO_EXECUTE));
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        return stays(object, now, moment)
                .filter(stay -> !stay.left.isPositive())
                .flatMap(stay -> evicted(stay.pod))
                .toList();
    }

    @Override
    public Optional<Duration> nextLook(NamespacedName object, Snapshot now, Moment moment) {
        return stays(object, now, moment)
                .map(Stay::left)
                .filter(Duration::isPositive)
                .min(Comparator.naturalOrder());
    }

    /// How much longer a pod may stay.
    private record Stay(Pod pod, Duration left) {}

    private Stream<Stay> stays(NamespacedName object, Snapshot now, Moment moment) {
        return now.nodes().find(object).stream()
                .filter(node -> noExecute(node).anyMatch(taint -> !NodeTaints.isLoss(taint)) || someNodeIsReady(now))
                .flatMap(node -> now.podsOn(node.name())
                        .values()
                        .filter(pod -> !pod.metadata().isTerminating())
                        .sorted(Comparator.comparing(Pod::key))
                        .flatMap(pod -> left(pod, node, moment).map(left -> new Stay(pod, left)).stream()));
    }

    private static boolean someNodeIsReady(Snapshot now) {
        return now.nodes().values().anyMatch(Node::ready);
    }

    /// The shortest time that any taint of the node leaves the pod; nothing where it tolerates them all for ever.
    private Optional<Duration> left(Pod pod, Node node, Moment moment) {
        return noExecute(node)
                .flatMap(taint -> borne(pod, taint).map(time -> time.minus(moment.since(taint.timeAdded()))).stream())
                .min(Comparator.naturalOrder());
    }

    private Optional<Duration> borne(Pod pod, Taint taint) {
        List<Integer> tolerated = pod.spec().placement().tolerations().stream()
                .filter(toleration -> toleration.tolerates(taint))
                .map(Toleration::seconds)
                .toList();
        if (tolerated.isEmpty()) {
            return Optional.of(NodeTaints.isLoss(taint) ? patience : Duration.ZERO);
        }
        return tolerated.stream()
                .min(Comparator.naturalOrder())
                .filter(seconds -> seconds != Toleration.FOREVER)
                .map(Duration::ofSeconds);
    }

    private static Stream<Write> evicted(Pod pod) {
        String uid = pod.metadata().uid();
        return Stream.of(
                new Write.Delete(Kind.POD, pod.key(), uid),
                new Write.Report(new EventDraft(
                        Kind.POD,
                        pod.key(),
                        uid,
                        "Normal",
                        "TaintManagerEviction",
                        "Marking for deletion Pod " + pod.key())));
    }
}
