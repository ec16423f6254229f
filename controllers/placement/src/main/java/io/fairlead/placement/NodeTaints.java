package io.fairlead.placement;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Node;
import io.fairlead.api.Node.Readiness;
import io.fairlead.api.Node.Taint;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The taints of a node that follow from its state; what others put there stays.
final class NodeTaints {
    private static final Set<String> OURS = Set.of(Taint.NOT_READY, Taint.UNREACHABLE, Taint.UNSCHEDULABLE);

    private NodeTaints() {}

    /// True of the taints of a node that cannot run pods, whatever the reason.
    static boolean isLoss(Taint taint) {
        return taint.key().equals(Taint.NOT_READY) || taint.key().equals(Taint.UNREACHABLE);
    }

    static Optional<Write> write(Node node, Readiness readiness, Moment moment) {
        List<Taint> wanted = new ArrayList<>(node.taints().stream()
                .filter(taint -> !OURS.contains(taint.key()))
                .toList());
        ours(node, readiness).map(taint -> known(node, taint, moment)).forEach(wanted::add);
        return Set.copyOf(wanted).equals(Set.copyOf(node.taints()))
                ? Optional.empty()
                : Optional.of(patch(node, wanted));
    }

    private static Stream<Taint> ours(Node node, Readiness readiness) {
        Stream<Taint> cordon =
                node.unschedulable() ? Stream.of(taint(Taint.UNSCHEDULABLE, Taint.NO_SCHEDULE)) : Stream.empty();
        return switch (readiness) {
            case TRUE, UNSAID -> cordon;
            case FALSE -> Stream.concat(cordon, both(Taint.NOT_READY));
            case UNKNOWN -> Stream.concat(cordon, both(Taint.UNREACHABLE));
        };
    }

    private static Stream<Taint> both(String key) {
        return Stream.of(taint(key, Taint.NO_SCHEDULE), taint(key, Taint.NO_EXECUTE));
    }

    private static Taint taint(String key, String effect) {
        return new Taint(key, "", effect, "");
    }

    /// The same taint as it is there already, or since now.
    private static Taint known(Node node, Taint taint, Moment moment) {
        return node.taints().stream()
                .filter(other ->
                        other.key().equals(taint.key()) && other.effect().equals(taint.effect()))
                .findFirst()
                .orElse(new Taint(taint.key(), "", taint.effect(), moment.timestamp()));
    }

    private static Write patch(Node node, List<Taint> taints) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata")
                .put("resourceVersion", node.metadata().revision().toString());
        ObjectNode spec = patch.putObject("spec");
        if (taints.isEmpty()) {
            spec.putNull("taints");
        } else {
            ArrayNode list = spec.putArray("taints");
            taints.forEach(taint -> list.add(taint.tree()));
        }
        return new Write.MergePatch(Kind.NODE, node.key(), patch);
    }
}
