package io.fairlead.placement;

import io.fairlead.api.Kind;
import io.fairlead.api.Node;
import io.fairlead.api.Node.Taint;
import io.fairlead.api.ObjectMeta.OwnerReference;
import io.fairlead.api.Pod;
import io.fairlead.api.Quantity;
import io.fairlead.api.Snapshot;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// How many pods each node has, in all and of each owner, and how much they ask for; grows as pods are placed.
final class NodeLoad {
    private static final Taint CORDON = new Taint(Taint.UNSCHEDULABLE, "", Taint.NO_SCHEDULE, "");

    private static final List<String> COUNTED = List.of("cpu", "memory", "ephemeral-storage");
    private static final String LACK = "Insufficient ";

    private final Snapshot now;
    private final List<Node> nodes;
    private final Map<String, Quantity> used = new HashMap<>(); // by node and thing
    private final Map<String, Integer> total = new HashMap<>();
    private final Map<String, Map<String, Integer>> byOwner = new HashMap<>();

    NodeLoad(Snapshot now) {
        this.now = now;
        this.nodes =
                now.nodes().values().sorted(Comparator.comparing(Node::name)).toList();
        nodes.forEach(node -> total.put(node.name(), now.podsOn(node.name()).size()));
    }

    /// The best node for a pod, which has it from now on.
    Optional<String> place(Pod pod) {
        PodClaims claims = PodClaims.of(pod, now);
        if (claims.obstacle().isPresent()) {
            return Optional.empty();
        }
        Map<String, Integer> siblings = siblings(pod);
        Optional<String> best = nodes.stream()
                .filter(node -> objection(pod, node).isEmpty())
                .map(Node::name)
                .min(Comparator.comparing((String node) -> !claims.select(node))
                        .thenComparingInt(node -> siblings.getOrDefault(node, 0))
                        .thenComparingInt(node -> total.getOrDefault(node, 0)));
        best.ifPresent(node -> {
            siblings.merge(node, 1, Integer::sum);
            total.merge(node, 1, Integer::sum);
            COUNTED.forEach(name -> used.computeIfPresent(
                    node + "/" + name, (_, before) -> before.plus(pod.spec().requested(name))));
        });
        return best;
    }

    /// Why no node takes the pod, in a sentence.
    String refusal(Pod pod) {
        Optional<String> obstacle = PodClaims.of(pod, now).obstacle();
        if (obstacle.isPresent()) {
            return "0/%d nodes are available: %s.".formatted(nodes.size(), obstacle.get());
        }
        Map<String, Long> reasons = nodes.stream()
                .flatMap(node -> objection(pod, node).stream())
                .collect(Collectors.groupingBy(reason -> reason, TreeMap::new, Collectors.counting()));
        String why = reasons.entrySet().stream()
                .map(reason ->
                        reason.getValue() + (reason.getKey().startsWith(LACK) ? " " : " node(s) ") + reason.getKey())
                .collect(Collectors.joining(", "));
        return "0/%d nodes are available%s.".formatted(nodes.size(), why.isEmpty() ? "" : ": " + why);
    }

    /// The first thing of which the node has too little left; a node that says nothing of a thing has enough.
    private Optional<String> lack(Pod pod, Node node) {
        return COUNTED.stream()
                .filter(name -> {
                    Quantity has = node.allocatable().get(name);
                    Quantity wants = pod.spec().requested(name);
                    return has != null
                            && !wants.isZero()
                            && used(node, name).plus(wants).compareTo(has) > 0;
                })
                .findFirst()
                .map(name -> LACK + name);
    }

    private Quantity used(Node node, String name) {
        return used.computeIfAbsent(
                node.name() + "/" + name,
                _ -> now.podsOn(node.name())
                        .values()
                        .filter(pod -> !pod.status().isOver())
                        .map(pod -> pod.spec().requested(name))
                        .reduce(Quantity.NONE, Quantity::plus));
    }

    private Optional<String> objection(Pod pod, Node node) {
        if (!pod.spec().placement().selects(node)) {
            return Optional.of("didn't match Pod's node affinity/selector");
        }
        if (node.unschedulable()
                && pod.spec().placement().tolerations().stream().noneMatch(t -> t.tolerates(CORDON))) {
            return Optional.of("were unschedulable");
        }
        Optional<String> taint = pod.spec()
                .placement()
                .untolerated(node)
                .findFirst()
                .map(found -> "had untolerated taint {%s: %s}".formatted(found.key(), found.value()));
        if (taint.isPresent()) {
            return taint;
        }
        if (!node.ready() || node.metadata().isTerminating()) {
            return Optional.of("were not ready");
        }
        return PodClaims.of(pod, now).accept(node) ? lack(pod, node) : Optional.of("had volume node affinity conflict");
    }

    /// How many pods of the same owner each node has. A pod without a controller is alone.
    private Map<String, Integer> siblings(Pod pod) {
        return pod.metadata()
                .controller()
                .map(owner -> byOwner.computeIfAbsent(owner.uid(), _ -> counted(owner)))
                .orElseGet(HashMap::new);
    }

    private Map<String, Integer> counted(OwnerReference owner) {
        Map<String, Integer> counts = new HashMap<>();
        now.controlledBy(owner.uid(), Kind.POD).forEach(object -> {
            if (object instanceof Pod sibling && !sibling.status().isOver()) {
                counts.merge(sibling.spec().nodeName(), 1, Integer::sum);
            }
        });
        return counts;
    }
}
