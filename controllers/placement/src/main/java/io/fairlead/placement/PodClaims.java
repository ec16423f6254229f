package io.fairlead.placement;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.PersistentVolume;
import io.fairlead.api.PersistentVolume.Claim;
import io.fairlead.api.PersistentVolume.StorageClass;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.api.Volume;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The storage that a pod asks for, and what follows from it for its node.
record PodClaims(List<NamespacedName> names, Snapshot now) {

    static PodClaims of(Pod pod, Snapshot now) {
        return new PodClaims(names(pod).toList(), now);
    }

    /// The claims that a pod names.
    static Stream<NamespacedName> names(Pod pod) {
        return pod.spec().surroundings().volumes().stream()
                .map(Volume::source)
                .filter(Volume.Source.Claimed.class::isInstance)
                .map(Volume.Source.Claimed.class::cast)
                .map(claimed -> new NamespacedName(pod.key().namespace(), claimed.claim()));
    }

    /// Why the pod can run nowhere as things are.
    Optional<String> obstacle() {
        return names.stream()
                .map(name -> now.claims()
                        .find(name)
                        .map(this::obstacle)
                        .orElseGet(() -> Optional.of("persistentvolumeclaim \"%s\" not found".formatted(name.name()))))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<String> obstacle(Claim claim) {
        if (claim.metadata().isTerminating()) {
            return Optional.of("persistentvolumeclaim \"%s\" is being deleted"
                    .formatted(claim.key().name()));
        }
        if (claim.phase().equals("Lost")) {
            return Optional.of("persistentvolumeclaim \"%s\" bound to non-existent persistentvolume \"%s\""
                    .formatted(claim.key().name(), claim.volume()));
        }
        return volume(claim).isPresent() || waits(claim)
                ? Optional.empty()
                : Optional.of("pod has unbound immediate PersistentVolumeClaims");
    }

    /// True if all that the pod has already can be had on this node.
    boolean accept(Node node) {
        return found().map(this::volume)
                .flatMap(Optional::stream)
                .allMatch(volume -> volume.where().selects(node));
    }

    /// True if a claim waits for its volume on this node.
    boolean select(String node) {
        return unbound().anyMatch(claim -> claim.node().equals(node));
    }

    /// The claims that get a volume where the pod will be.
    Stream<Claim> unbound() {
        return found().filter(claim -> volume(claim).isEmpty());
    }

    private Stream<Claim> found() {
        return names.stream().map(name -> now.claims().find(name)).flatMap(Optional::stream);
    }

    /// The volume that a claim has, once both know of each other.
    private Optional<PersistentVolume> volume(Claim claim) {
        return claim.phase().equals("Bound")
                ? now.volumes().find(new NamespacedName("", claim.volume()))
                : Optional.empty();
    }

    private boolean waits(Claim claim) {
        return claim.volume().isEmpty()
                && now.storageClasses()
                        .find(new NamespacedName("", claim.wanted().storageClass()))
                        .filter(StorageClass::waits)
                        .isPresent();
    }
}
