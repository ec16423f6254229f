package io.fairlead.placement;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentVolume.Claim;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Lookup;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Write;
import java.util.List;
import java.util.Set;

/// Lets a claim go that is to be deleted, once no pod uses it.
public final class ClaimProtection implements Controller {
    @Override
    public String name() {
        return "pvc-protection";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = Lookup.changed(Kind.PERSISTENT_VOLUME_CLAIM, before, now);
        Lookup.changes(before.pods(), now.pods(), (old, fresh) -> {
            old.ifPresent(pod -> PodClaims.names(pod).forEach(changed::add));
        });
        changed.removeIf(name -> now.claims()
                .find(name)
                .filter(claim -> claim.metadata().isTerminating())
                .isEmpty());
        return changed;
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        return now
                .claims()
                .find(object)
                .filter(claim -> claim.metadata().isTerminating() && !isUsed(object, now))
                .flatMap(claim -> VolumeReclaim.without(claim, Claim.PROTECTION))
                .stream()
                .toList();
    }

    private static boolean isUsed(NamespacedName claim, Snapshot now) {
        return now.pods()
                .values()
                .filter(pod -> !pod.status().isOver() || pod.spec().nodeName().isEmpty())
                .anyMatch(pod -> uses(pod, claim));
    }

    private static boolean uses(Pod pod, NamespacedName claim) {
        return PodClaims.names(pod).anyMatch(claim::equals);
    }
}
