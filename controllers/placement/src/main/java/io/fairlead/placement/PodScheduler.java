package io.fairlead.placement;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.PersistentVolume.Claim;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Lookup;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// Gives each pod without a node the one, of those it may be on, that has the fewest pods of the same owner; among
/// those, the one with the fewest pods.
///
/// Its one object is the round: all pods that wait are placed together, each with those before it in mind, so that
/// pods that come together spread. A node takes no more than it has for what its pods ask. A pod for which there is no
/// node gets the reason in its status.
public final class PodScheduler implements Controller {
    private static final NamespacedName ROUND = new NamespacedName("", "round");

    @Override
    public String name() {
        return "scheduler";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        if (now.podsOn("").isEmpty()) {
            return Set.of();
        }
        boolean podsDiffer = Lookup.changed(Kind.POD, before, now).stream()
                .anyMatch(name -> now.pods()
                        .find(name)
                        .map(pod -> waits(pod) || pod.status().isOver())
                        .orElse(true));
        return podsDiffer || nodesDiffer(before, now) || storageDiffers(before, now) ? Set.of(ROUND) : Set.of();
    }

    private static boolean storageDiffers(Snapshot before, Snapshot now) {
        return Stream.of(Kind.PERSISTENT_VOLUME_CLAIM, Kind.PERSISTENT_VOLUME, Kind.STORAGE_CLASS)
                .anyMatch(kind -> !Lookup.changed(kind, before, now).isEmpty());
    }

    private static boolean nodesDiffer(Snapshot before, Snapshot now) {
        record Door(Map<String, String> labels, List<Node.Taint> taints, boolean ready, boolean closed) {
            static Door of(Node node) {
                return new Door(node.metadata().labels(), node.taints(), node.ready(), node.unschedulable());
            }
        }
        List<Object> differing = new ArrayList<>();
        Lookup.changes(before.nodes(), now.nodes(), (old, fresh) -> {
            if (!old.map(Door::of).equals(fresh.map(Door::of))) {
                differing.add(fresh);
            }
        });
        return !differing.isEmpty();
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        List<Pod> waiting = now.podsOn("")
                .values()
                .filter(PodScheduler::waits)
                .sorted(Comparator.comparing((Pod pod) -> pod.metadata().creationTimestamp())
                        .thenComparing(Pod::key))
                .toList();
        if (waiting.isEmpty()) {
            return List.of();
        }
        NodeLoad load = new NodeLoad(now);
        return waiting.stream()
                .flatMap(pod ->
                        load.place(pod).map(node -> placed(pod, node, now)).orElseGet(() -> refused(pod, load, moment)))
                .toList();
    }

    private static boolean waits(Pod pod) {
        return pod.spec().nodeName().isEmpty()
                && !pod.metadata().isTerminating()
                && !pod.status().isOver();
    }

    /// A pod that asks for storage is bound once it has that, on the node that was chosen for it.
    private static Stream<Write> placed(Pod pod, String node, Snapshot now) {
        List<Claim> unbound = PodClaims.of(pod, now).unbound().toList();
        return unbound.isEmpty()
                ? bound(pod, node)
                : unbound.stream().filter(claim -> !claim.node().equals(node)).map(claim -> selected(claim, node));
    }

    private static Write selected(Claim claim, String node) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").putObject("annotations").put(Claim.SELECTED_NODE, node);
        return new Write.MergePatch(Kind.PERSISTENT_VOLUME_CLAIM, claim.key(), patch);
    }

    private static Stream<Write> bound(Pod pod, String node) {
        return Stream.of(
                new Write.Bind(pod.key(), pod.metadata().uid(), node),
                report(pod, "Normal", "Scheduled", "Successfully assigned %s to %s".formatted(pod.key(), node)));
    }

    /// Said once, and again when there is another reason.
    private static Stream<Write> refused(Pod pod, NodeLoad load, Moment moment) {
        String why = load.refusal(pod);
        if (why.equals(pod.status().unschedulable())) {
            return Stream.of();
        }
        ObjectNode condition = Json.object()
                .put("type", "PodScheduled")
                .put("status", "False")
                .put("reason", "Unschedulable")
                .put("message", why)
                .put("lastTransitionTime", moment.timestamp());
        return Stream.of(
                new Write.SetCondition(Kind.POD, pod.key(), pod.metadata().uid(), condition),
                report(pod, "Warning", "FailedScheduling", why));
    }

    private static Write report(Pod pod, String type, String reason, String message) {
        return new Write.Report(
                new EventDraft(Kind.POD, pod.key(), pod.metadata().uid(), type, reason, message));
    }
}
