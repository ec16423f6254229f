package io.fairlead.placement;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentVolume;
import io.fairlead.api.PersistentVolume.Claim;
import io.fairlead.api.PersistentVolume.Reference;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Lookup;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Write;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Says of each volume whether a claim has it, and lets go of those whose claim is gone, as their policy says.
public final class VolumeReclaim implements Controller {
    @Override
    public String name() {
        return "persistentvolume-reclaim";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = Lookup.changed(Kind.PERSISTENT_VOLUME, before, now);
        Lookup.changes(before.claims(), now.claims(), (old, fresh) -> {
            old.map(Claim::volume).ifPresent(name -> changed.add(new NamespacedName("", name)));
            fresh.map(Claim::volume).ifPresent(name -> changed.add(new NamespacedName("", name)));
        });
        Lookup.changes(before.nodes(), now.nodes(), (old, fresh) -> {
            if (fresh.isEmpty()) {
                now.volumes().keys().forEach(changed::add);
            }
        });
        return changed;
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        return now.volumes().find(object).map(volume -> writes(volume, now)).orElse(List.of());
    }

    private static List<Write> writes(PersistentVolume volume, Snapshot now) {
        String phase = phase(volume, now);
        if (!phase.equals(volume.phase())) {
            return List.of(new Write.UpdateStatus(
                    Kind.PERSISTENT_VOLUME,
                    volume.key(),
                    Json.object().put("phase", phase),
                    volume.metadata().revision().toString()));
        }
        if (volume.metadata().isTerminating()) {
            return released(volume, now).stream().toList();
        }
        return phase.equals("Released") && volume.deletes()
                ? volume.claimed().map(claim -> deleted(volume, claim)).stream().toList()
                : List.of();
    }

    /// A volume is released only after it was had: a claim that this Snapshot does not show yet is not gone.
    private static String phase(PersistentVolume volume, Snapshot now) {
        Optional<Reference> has = volume.claimed().filter(claim -> !claim.uid().isEmpty());
        if (has.isEmpty()) {
            return "Available";
        }
        Optional<Claim> claim = now.claims().find(has.get().name()).filter(has.get()::means);
        if (claim.isPresent()) {
            return claim.get().volume().equals(volume.key().name()) ? "Bound" : volume.phase();
        }
        return volume.phase().equals("Bound") ? "Released" : volume.phase();
    }

    private static Write deleted(PersistentVolume volume, Reference claim) {
        return new Write.DeleteUnclaimed(volume.key(), volume.metadata().uid(), claim.name(), claim.uid());
    }

    /// The node removes its folder and says so; for a node that is gone, we do.
    private static Optional<Write> released(PersistentVolume volume, Snapshot now) {
        if (volume.phase().equals("Bound")) {
            return Optional.empty();
        }
        boolean nodeIsGone = now.nodes().values().noneMatch(volume.where()::selects);
        return without(volume, PersistentVolume.PROTECTION)
                .or(() -> nodeIsGone ? without(volume, PersistentVolume.FOLDER) : Optional.empty());
    }

    /// The object without one of its finalizers, if it has that.
    static Optional<Write> without(KubernetesObject object, String finalizer) {
        if (!object.metadata().finalizers().contains(finalizer)) {
            return Optional.empty();
        }
        ObjectNode patch = Json.object();
        ArrayNode rest = patch.putObject("metadata")
                .put("resourceVersion", object.metadata().revision().toString())
                .putArray("finalizers");
        object.metadata().finalizers().stream()
                .filter(other -> !other.equals(finalizer))
                .forEach(rest::add);
        return Optional.of(new Write.MergePatch(object.kind(), object.key(), patch));
    }
}
