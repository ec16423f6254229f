package io.fairlead.workloads;

import io.fairlead.api.DaemonSet;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Lookup;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Owners;
import io.fairlead.runner.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Keeps a pod of a DaemonSet on every node that it may be on.
///
/// It says itself which node a pod is for, and does not wait for the scheduler.
public final class DaemonSetController implements Controller {
    @Override
    public String name() {
        return "daemonset";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = Lookup.changed(Kind.DAEMON_SET, before, now);
        changed.addAll(Owners.ofChangedPods(Kind.DAEMON_SET, before, now));
        if (nodesDiffer(before, now)) {
            now.daemonSets().keys().forEach(changed::add);
        }
        return changed;
    }

    /// True if a node came, went, or is now open to others than before.
    private static boolean nodesDiffer(Snapshot before, Snapshot now) {
        record Door(Map<String, String> labels, List<Node.Taint> taints, boolean leaving) {
            static Door of(Node node) {
                return new Door(
                        node.metadata().labels(), node.taints(), node.metadata().isTerminating());
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
        return now.daemonSets()
                .find(object)
                .map(set -> writes(set, now, moment))
                .orElse(List.of());
    }

    @Override
    public Optional<Duration> nextLook(NamespacedName object, Snapshot now, Moment moment) {
        return now.daemonSets()
                .find(object)
                .flatMap(set -> new Availability(set.update().minReadySeconds(), moment).next(now.podsOf(set)));
    }

    private static List<Write> writes(DaemonSet set, Snapshot now, Moment moment) {
        Revisions revisions = Revisions.of(set, set.template(), now);
        DaemonPods pods = DaemonPods.of(set, now, revisions, moment);
        List<Write> writes = new ArrayList<>();
        if (!set.metadata().isTerminating()) {
            revisions.recorded().ifPresent(writes::add);
            writes.addAll(new DaemonPlan(set, pods).writes());
            Set<String> used = new HashSet<>();
            now.podsOf(set).forEach(pod -> used.add(Revisions.of(pod)));
            writes.addAll(revisions.forgotten(set.update().historyLimit(), used));
        }
        Statuses.write(set, set.status(), pods.status()).ifPresent(writes::add);
        return writes;
    }
}
