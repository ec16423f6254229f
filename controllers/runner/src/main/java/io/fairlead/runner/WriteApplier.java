package io.fairlead.runner;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ObjectMeta;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.client.Deletion;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Carries writes out, and says by what we shall know that a Snapshot has caught up with them.
public final class WriteApplier {
    private static final Logger LOG = LoggerFactory.getLogger(WriteApplier.class);
    private static final String COMPONENT = "fairlead-controllers";

    private final ApiClient client;

    public WriteApplier(ApiClient client) {
        this.client = client;
    }

    public Expectation apply(Write write) throws InterruptedException {
        return switch (write) {
            case Write.Create(Kind kind, ObjectNode object) -> created(kind, object);
            case Write.Update(Kind kind, ObjectNode object) -> changed(kind, client.update(kind, object));
            case Write.MergePatch(Kind kind, NamespacedName name, ObjectNode patch) ->
                changed(kind, client.mergePatch(kind, name, patch));
            case Write.UpdateStatus update ->
                changed(update.kind(), client.patchStatus(update.kind(), update.name(), patch(update)));
            case Write.TakeOver takeOver -> takenOver(takeOver);
            case Write.SetCondition(Kind kind, NamespacedName name, String uid, ObjectNode condition) ->
                changed(kind, client.patchCondition(kind, name, uid, condition));
            case Write.Bind(NamespacedName pod, String uid, String node) -> {
                client.bind(pod, uid, node);
                yield new Expectation.Bound(pod, uid);
            }
            case Write.Report report -> reported(report);
            case Write.Delete(Kind kind, NamespacedName name, String uid) -> deleted(kind, name, Deletion.only(uid));
            case Write.DeleteStranded stranded -> deletedStranded(stranded);
            case Write.DeleteUnclaimed unclaimed -> deletedUnclaimed(unclaimed);
        };
    }

    /// True if the object is not there, whatever the Snapshots say.
    boolean isAbsent(Expectation sighting) throws InterruptedException {
        return client.find(sighting.kind(), sighting.name()).isEmpty();
    }

    private Expectation created(Kind kind, ObjectNode object) throws InterruptedException {
        try {
            ObjectMeta created = ObjectMeta.of(client.create(kind, object));
            tell(OwnerEvents.created(kind, object, created.key().name()));
            return new Expectation.Created(kind, created.key(), created.revision());
        } catch (ApiException e) {
            if (!e.isConflict()) { // an older Snapshot alone: there is nothing for a user to do
                tell(OwnerEvents.refused(kind, object, String.valueOf(e.getMessage())));
            }
            throw e;
        }
    }

    /// An Event that cannot be written changes nothing of what it is about.
    private void tell(Optional<EventDraft> event) throws InterruptedException {
        if (event.isPresent()) {
            try {
                client.create(Kind.EVENT, event.get().tree(COMPONENT, Instant.now()));
            } catch (ApiException e) {
                LOG.debug(
                        "event=event-refused object={} reason=\"{}\"",
                        event.get().about(),
                        e.getMessage());
            }
        }
    }

    private static Expectation changed(Kind kind, ObjectNode answer) {
        ObjectMeta changed = ObjectMeta.of(answer);
        return new Expectation.Changed(kind, changed.key(), changed.revision());
    }

    private static ObjectNode patch(Write.UpdateStatus update) {
        ObjectNode patch = Json.object();
        if (!update.revision().isEmpty()) {
            patch.putObject("metadata").put("resourceVersion", update.revision());
        }
        patch.set("status", update.status());
        return patch;
    }

    private Expectation takenOver(Write.TakeOver takeOver) throws InterruptedException {
        Write.Sight seen = takeOver.seen();
        boolean changed = client.find(Kind.SERVICE, seen.service())
                .map(ObjectMeta::of)
                .filter(metadata -> metadata.uid().equals(seen.uid())
                        && !metadata.revision().toString().equals(seen.revision()))
                .isPresent();
        if (changed) {
            throw new ApiException(409, "Conflict", "Service %s has changed".formatted(seen.service()));
        }
        return changed(Kind.LEASE, client.mergePatch(Kind.LEASE, takeOver.lease(), takeOver.patch()));
    }

    private Expectation reported(Write.Report report) throws InterruptedException {
        ObjectMeta event =
                ObjectMeta.of(client.create(Kind.EVENT, report.event().tree(COMPONENT, Instant.now())));
        return new Expectation.Reported(event.key());
    }

    private Expectation deleted(Kind kind, NamespacedName name, Deletion options) throws InterruptedException {
        try {
            client.delete(kind, name, options);
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
        return new Expectation.Deleted(kind, name, options.uid());
    }

    private Expectation deletedUnclaimed(Write.DeleteUnclaimed unclaimed) throws InterruptedException {
        boolean isThere = client.find(Kind.PERSISTENT_VOLUME_CLAIM, unclaimed.claim())
                .map(ObjectMeta::of)
                .filter(claim -> claim.uid().equals(unclaimed.claimUid()))
                .isPresent();
        if (isThere) {
            throw new ApiException(409, "Conflict", "claim %s is there after all".formatted(unclaimed.claim()));
        }
        return deleted(Kind.PERSISTENT_VOLUME, unclaimed.volume(), Deletion.only(unclaimed.uid()));
    }

    private Expectation deletedStranded(Write.DeleteStranded stranded) throws InterruptedException {
        if (client.find(Kind.NODE, new NamespacedName("", stranded.node())).isPresent()) {
            throw new ApiException(409, "Conflict", "node %s is there after all".formatted(stranded.node()));
        }
        return deleted(Kind.POD, stranded.pod(), new Deletion(0, stranded.uid()));
    }
}
