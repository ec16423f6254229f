package io.fairlead.placement;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Lookup;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Write;
import java.util.List;
import java.util.Set;

/// Deletes the pods whose node is no more: no agent is left that could say that they ended.
public final class StrandedPods implements Controller {
    @Override
    public String name() {
        return "stranded-pods";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = Lookup.changed(Kind.POD, before, now);
        changed.removeIf(name ->
                now.pods().find(name).filter(pod -> isStranded(pod, now)).isEmpty());
        Lookup.changes(before.nodes(), now.nodes(), (old, fresh) -> {
            if (fresh.isEmpty()) {
                old.map(Node::name).ifPresent(node -> now.podsOn(node).keys().forEach(changed::add));
            }
        });
        return changed;
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        return now
                .pods()
                .find(object)
                .filter(pod -> isStranded(pod, now))
                .<Write>map(pod -> new Write.DeleteStranded(
                        pod.key(), pod.metadata().uid(), pod.spec().nodeName()))
                .stream()
                .toList();
    }

    private static boolean isStranded(Pod pod, Snapshot now) {
        String node = pod.spec().nodeName();
        return !node.isEmpty() && !now.nodes().contains(new NamespacedName("", node));
    }
}
