package io.fairlead.placement;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Lease;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Node.Readiness;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Lookup;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// Says of a node that is not heard of any more that its state is unknown and that its pods are not ready, and keeps
/// the taints that follow from the state of every node.
///
/// A node is heard of when it renews its Lease. One that never had a Lease promised nothing, and is left alone. What
/// is true again when the node comes back is for its agent to say: the node first, then each pod.
public final class NodeLifecycle implements Controller {
    private final Duration grace;

    /// `grace` is how long a node may be silent.
    public NodeLifecycle(Duration grace) {
        this.grace = grace;
    }

    @Override
    public String name() {
        return "node-lifecycle";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = Lookup.changed(Kind.NODE, before, now);
        for (NamespacedName lease : Lookup.changed(Kind.LEASE, before, now)) {
            if (lease.namespace().equals(Lease.NODES)) {
                changed.add(new NamespacedName("", lease.name()));
            }
        }
        for (NamespacedName name : Lookup.changed(Kind.POD, before, now)) {
            now.pods().find(name).flatMap(pod -> lostNode(pod, now)).ifPresent(changed::add);
        }
        return changed;
    }

    private static Optional<NamespacedName> lostNode(Pod pod, Snapshot now) {
        NamespacedName name = new NamespacedName("", pod.spec().nodeName());
        return now.nodes()
                .find(name)
                .filter(node ->
                        node.readiness() == Readiness.UNKNOWN && pod.status().ready())
                .map(Node::key);
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        return now.nodes()
                .find(object)
                .filter(node -> !node.metadata().isTerminating())
                .map(node -> writes(node, now, moment))
                .orElse(List.of());
    }

    @Override
    public Optional<Duration> nextLook(NamespacedName object, Snapshot now, Moment moment) {
        return moment.silence(object.name()).map(grace::minus).filter(rest -> rest.compareTo(Duration.ZERO) > 0);
    }

    private List<Write> writes(Node node, Snapshot now, Moment moment) {
        boolean lost = moment.silence(node.name())
                .filter(silence -> silence.compareTo(grace) >= 0)
                .isPresent();
        Readiness readiness = lost ? Readiness.UNKNOWN : node.readiness();
        List<Write> writes = new ArrayList<>();
        NodeTaints.write(node, readiness, moment).ifPresent(writes::add);
        if (lost) {
            if (node.readiness() != Readiness.UNKNOWN) {
                writes.add(unknown(node, moment));
                writes.add(report(node));
            }
            readyPods(node, now).map(pod -> notReady(pod, moment)).forEach(writes::add);
        }
        return writes;
    }

    private static Stream<Pod> readyPods(Node node, Snapshot now) {
        return now.podsOn(node.name())
                .values()
                .filter(pod -> pod.status().ready())
                .sorted(Comparator.comparing(Pod::key));
    }

    private Write unknown(Node node, Moment moment) {
        ObjectNode condition = Json.object()
                .put("type", "Ready")
                .put("status", "Unknown")
                .put("reason", "NodeStatusUnknown")
                .put("message", silent())
                .put("lastTransitionTime", moment.timestamp());
        return new Write.SetCondition(Kind.NODE, node.key(), node.metadata().uid(), condition);
    }

    private Write report(Node node) {
        return new Write.Report(
                new EventDraft(Kind.NODE, node.key(), node.metadata().uid(), "Warning", "NodeNotReady", silent()));
    }

    private String silent() {
        return "The node agent has not renewed its Lease for %d s.".formatted(grace.toSeconds());
    }

    private static Write notReady(Pod pod, Moment moment) {
        ObjectNode condition = Json.object()
                .put("type", "Ready")
                .put("status", "False")
                .put("reason", "NodeNotReady")
                .put(
                        "message",
                        "The node %s is not heard of.".formatted(pod.spec().nodeName()))
                .put("lastTransitionTime", moment.timestamp());
        return new Write.SetCondition(Kind.POD, pod.key(), pod.metadata().uid(), condition);
    }
}
