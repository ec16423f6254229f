package io.fairlead.controllers;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.ObjectMeta.OwnerReference;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Gives each pod without a node the ready, schedulable node that has the fewest pods of the same owner; among those,
/// the one with the fewest pods.
///
/// Its one object is the round: all pods that wait are placed together, each with those before it in mind, so that
/// pods that come together spread.
public final class Scheduler implements Controller {
    private static final NamespacedName ROUND = new NamespacedName("", "round");

    @Override
    public String name() {
        return "scheduler";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        List<Object> reasons = new ArrayList<>();
        Lookup.changes(
                before.pods(),
                now.pods(),
                (_, pod) -> pod.filter(Scheduler::waits).ifPresent(reasons::add));
        Lookup.changes(
                before.nodes(),
                now.nodes(),
                (old, node) -> node.filter(
                                n -> isOpen(n) && !old.map(Scheduler::isOpen).orElse(false))
                        .ifPresent(reasons::add));
        return reasons.isEmpty() ? Set.of() : Set.of(ROUND);
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        List<Pod> waiting = now.pods()
                .values()
                .filter(Scheduler::waits)
                .sorted(Comparator.comparing((Pod pod) -> pod.metadata().creationTimestamp())
                        .thenComparing(Pod::key))
                .toList();
        if (waiting.isEmpty()) {
            return List.of();
        }
        Load load = new Load(now);
        return waiting.stream().flatMap(pod -> load.place(pod).stream()).toList();
    }

    private static boolean waits(Pod pod) {
        return pod.spec().nodeName().isEmpty()
                && !pod.metadata().isTerminating()
                && !pod.status().isOver();
    }

    private static boolean isOpen(Node node) {
        return node.ready() && !node.unschedulable() && !node.metadata().isTerminating();
    }

    /// How many pods each open node has, in all and of each owner; grows as pods are placed.
    private static final class Load {
        private record Share(String node, String owner) {}

        private final List<String> nodes;
        private final Map<String, Integer> total = new HashMap<>();
        private final Map<Share, Integer> shares = new HashMap<>();

        Load(Snapshot now) {
            nodes = now.nodes()
                    .values()
                    .filter(Scheduler::isOpen)
                    .map(Node::name)
                    .sorted()
                    .toList();
            now.pods().forEach((_, pod) -> {
                if (!pod.spec().nodeName().isEmpty() && !pod.status().isOver()) {
                    count(pod.spec().nodeName(), owner(pod));
                }
            });
        }

        Optional<Write> place(Pod pod) {
            String owner = owner(pod);
            Optional<String> best = nodes.stream()
                    .min(Comparator.comparingInt((String node) -> shares.getOrDefault(new Share(node, owner), 0))
                            .thenComparingInt(node -> total.getOrDefault(node, 0)));
            best.ifPresent(node -> count(node, owner));
            return best.map(node -> new Write.Bind(pod.key(), pod.metadata().uid(), node));
        }

        private void count(String node, String owner) {
            total.merge(node, 1, Integer::sum);
            shares.merge(new Share(node, owner), 1, Integer::sum);
        }

        /// A pod that nobody controls is a family of its own.
        private static String owner(Pod pod) {
            return Owners.controllerOf(pod.metadata())
                    .map(OwnerReference::uid)
                    .orElse(pod.metadata().uid());
        }
    }
}
