package io.fairlead.agent;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.PersistentVolume;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.client.Interest;
import io.fairlead.containers.ClaimedFolders;
import io.fairlead.containers.NodeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Removes the folders of volumes of this node that are being deleted, and says so by taking the finalizer away.
///
/// It asks now and then instead of watching: pods must not wait for what volumes there are.
record VolumeFolders(String node, ApiClient api, ClaimedFolders folders) {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeFolders.class);
    private static final Duration PERIOD = Duration.ofSeconds(5);

    void run() throws InterruptedException {
        while (true) {
            Thread.sleep(PERIOD);
            try {
                look();
            } catch (ApiException | NodeException e) {
                LOG.debug("event=volumes-not-looked-at reason=\"{}\"", e.getMessage());
            }
        }
    }

    private void look() throws InterruptedException {
        List<PersistentVolume> going = api.list(Interest.all(Kind.PERSISTENT_VOLUME), "")
                .path("items")
                .valueStream()
                .map(PersistentVolume::of)
                .filter(VolumeFolders::waitsForItsNode)
                .toList();
        if (going.isEmpty()) {
            return;
        }
        Optional<Node> self = api.find(Kind.NODE, new NamespacedName("", node)).map(Node::of);
        for (PersistentVolume volume : going) {
            if (self.filter(volume.where()::selects).isPresent()) {
                folders.remove(volume);
                api.mergePatch(Kind.PERSISTENT_VOLUME, volume.key(), released(volume));
                LOG.info("event=volume-removed volume={}", volume.key().name());
            }
        }
    }

    /// No claim has it any more, and no other finalizer holds it back.
    private static boolean waitsForItsNode(PersistentVolume volume) {
        return volume.metadata().isTerminating()
                && volume.metadata().finalizers().equals(List.of(PersistentVolume.FOLDER));
    }

    private static ObjectNode released(PersistentVolume volume) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata")
                .put("resourceVersion", volume.metadata().revision().toString())
                .putArray("finalizers");
        return patch;
    }
}
