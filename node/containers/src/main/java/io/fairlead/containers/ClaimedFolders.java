package io.fairlead.containers;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentVolume;
import io.fairlead.api.PersistentVolume.Claim;
import io.fairlead.api.Pod;
import io.fairlead.client.ApiClient;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// The folders of this node that claims have. Those in `own` are made when a pod first needs them, and stay when it
/// goes; any other was there before.
public record ClaimedFolders(ApiClient api, Path own) {
    /// The folder of what a claim of the pod's namespace has; a [NodeException] says why there is none.
    Path require(Pod pod, String name) throws InterruptedException {
        NamespacedName key = new NamespacedName(pod.key().namespace(), name);
        Claim claim = api.find(Kind.PERSISTENT_VOLUME_CLAIM, key)
                .map(Claim::of)
                .orElseThrow(() -> new NodeException("persistentvolumeclaim \"%s\" not found".formatted(name)));
        PersistentVolume volume = api.find(Kind.PERSISTENT_VOLUME, new NamespacedName("", claim.volume()))
                .map(PersistentVolume::of)
                .filter(found -> found.claimed().filter(by -> by.means(claim)).isPresent())
                .orElseThrow(() -> new NodeException("persistentvolumeclaim \"%s\" is not bound".formatted(name)));
        if (volume.path().isEmpty()) {
            throw new NodeException("persistentvolume \"%s\" is neither local nor a hostPath"
                    .formatted(volume.key().name()));
        }
        Path path = Path.of(volume.path());
        boolean there = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
        if (!there && isOwn(path)) {
            Folders.make(path, "rwxrwxrwx");
        } else if (!Files.exists(path)) {
            throw new NodeException("persistentvolume \"%s\": %s is not there"
                    .formatted(volume.key().name(), path));
        }
        return path;
    }

    /// Removes the folder of a volume with all that is in it, if it is one of this node's own.
    public void remove(PersistentVolume volume) {
        Path path = Path.of(volume.path());
        if (isOwn(path)) {
            Folders.delete(path);
        }
    }

    private boolean isOwn(Path path) {
        return path.equals(path.normalize()) && own.equals(path.getParent());
    }
}
