package io.fairlead.placement;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.PersistentVolume;
import io.fairlead.api.PersistentVolume.Claim;
import io.fairlead.api.PersistentVolume.Reference;
import io.fairlead.api.PersistentVolume.StorageClass;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Lookup;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Write;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Gives each claim a volume: the one that names it, the smallest free one that has what it wants, or, for a class of
/// this project, a new folder of the node that the scheduler chose.
///
/// The volume names the claim first, then the claim names the volume: of two claims that want one volume, the volume
/// says which one has it.
public final class VolumeBinder implements Controller {
    @Override
    public String name() {
        return "persistentvolume-binder";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = Lookup.changed(Kind.PERSISTENT_VOLUME_CLAIM, before, now);
        boolean offersDiffer =
                !Lookup.changed(Kind.PERSISTENT_VOLUME, before, now).isEmpty()
                        || !Lookup.changed(Kind.STORAGE_CLASS, before, now).isEmpty();
        if (offersDiffer || isNodeNew(before, now)) {
            now.claims().keys().forEach(changed::add);
        }
        return changed;
    }

    private static boolean isNodeNew(Snapshot before, Snapshot now) {
        boolean[] isNew = new boolean[1];
        Lookup.changes(
                before.nodes(),
                now.nodes(),
                (old, fresh) -> isNew[0] |= old.isEmpty() || !folder(old).equals(folder(fresh)));
        return isNew[0];
    }

    private static Optional<String> folder(Optional<Node> node) {
        return node.map(known -> known.metadata().annotations().getOrDefault(StorageClass.NODE_FOLDER, ""));
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        return now.claims()
                .find(object)
                .filter(claim -> !claim.metadata().isTerminating())
                .map(claim -> claim.volume().isEmpty() ? searched(claim, now) : named(claim, now))
                .orElse(List.of());
    }

    private static List<Write> searched(Claim claim, Snapshot now) {
        Optional<PersistentVolume> given = now.volumes()
                .values()
                .filter(volume -> volume.claimed().filter(by -> by.means(claim)).isPresent())
                .filter(volume -> !volume.metadata().isTerminating())
                .findFirst();
        if (given.isPresent()) {
            return List.of(
                    new Write.MergePatch(Kind.PERSISTENT_VOLUME_CLAIM, claim.key(), VolumeTree.bound(given.get())));
        }
        Optional<StorageClass> kind =
                now.storageClasses().find(new NamespacedName("", claim.wanted().storageClass()));
        boolean waits = kind.filter(StorageClass::waits).isPresent();
        if (waits && claim.node().isEmpty()) {
            return List.of(); // for its first pod
        }
        Optional<Node> node = now.nodes().find(new NamespacedName("", claim.node()));
        Optional<PersistentVolume> free = now.volumes()
                .values()
                .filter(volume -> volume.claimed().isEmpty()
                        && !volume.metadata().isTerminating()
                        && volume.offer().satisfies(claim.wanted())
                        && (!waits || node.filter(volume.where()::selects).isPresent()))
                .min(Comparator.comparing(
                                (PersistentVolume volume) -> volume.offer().quantity())
                        .thenComparing(PersistentVolume::key));
        return free.map(volume -> List.<Write>of(taken(volume, claim)))
                .orElseGet(() -> kind.filter(known -> known.provisioner().equals(StorageClass.LOCAL))
                        .map(known -> made(claim, known, node))
                        .orElse(List.of()));
    }

    private static Write taken(PersistentVolume volume, Claim claim) {
        return new Write.MergePatch(Kind.PERSISTENT_VOLUME, volume.key(), VolumeTree.taken(volume.metadata(), claim));
    }

    private static List<Write> made(Claim claim, StorageClass kind, Optional<Node> node) {
        Optional<String> folder = folder(node).filter(path -> !path.isEmpty());
        if (folder.isEmpty()) {
            String why = claim.node().isEmpty()
                    ? "a class whose volumes are folders of nodes needs volumeBindingMode WaitForFirstConsumer"
                    : "node \"%s\" has no folder for volumes".formatted(claim.node());
            return List.of(new Write.Report(new EventDraft(
                    claim.kind(), claim.key(), claim.metadata().uid(), "Warning", "ProvisioningFailed", why)));
        }
        return List.of(new Write.Create(
                Kind.PERSISTENT_VOLUME, VolumeTree.made(claim, kind, node.orElseThrow(), folder.get())));
    }

    /// Of a claim that names its volume, whether by us or by its user.
    private static List<Write> named(Claim claim, Snapshot now) {
        Optional<PersistentVolume> volume = now.volumes().find(new NamespacedName("", claim.volume()));
        if (volume.isEmpty()) {
            return claim.phase().equals("Bound")
                    ? List.of(phase(claim, Json.object().put("phase", "Lost")))
                    : List.of();
        }
        Optional<Reference> has = volume.get().claimed();
        if (has.isEmpty() || (has.get().means(claim) && has.get().uid().isEmpty())) {
            return List.of(taken(volume.get(), claim));
        }
        return has.get().means(claim) && !claim.phase().equals("Bound")
                ? List.of(phase(claim, VolumeTree.status(volume.get())))
                : List.of();
    }

    private static Write phase(Claim claim, ObjectNode status) {
        return new Write.UpdateStatus(
                Kind.PERSISTENT_VOLUME_CLAIM,
                claim.key(),
                status,
                claim.metadata().revision().toString());
    }
}
